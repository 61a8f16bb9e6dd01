/** Before the name of a file: the number of the line has a column in it. */
const MARK = 'place:';
/** A directive has 31 bits: 19 for the line, 12 for the column. */
const COLUMNS = 4096;
const MAX_LINE: number = 2 ** 31 / COLUMNS - 1;

/** A place in a file. */
export interface FilePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1; undefined where it is not known. */
  readonly column?: number;
}

/**
 * The directive that says where the text behind it comes from, with its column, which C has no word for: compilers of this package
 * read it by {@link readLine}. A place beyond the reach of the number has its line alone.
 */
export function lineDirective({ file, line, column = 0 }: FilePlace): string {
  const isKnown = line <= MAX_LINE;
  const number = isKnown ? line * COLUMNS + (column < COLUMNS ? column : 0) : line;
  return `#line ${number} ${JSON.stringify(isKnown ? MARK + file : file)}`;
}

/** The place that a directive said: of others the file and the line, as they are. */
export function readLine(file: string, line: number): FilePlace {
  if (!file.startsWith(MARK)) return { file, line };
  const column = line % COLUMNS;
  return { file: file.slice(MARK.length), line: Math.floor(line / COLUMNS), ...(column > 0 ? { column } : {}) };
}
