import type { Origin } from '../tree.ts';

/** A place in a program: the line from 1, the column from 0. Without a file they are those of the function's own text. */
export interface Position {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
  /** The text that the place is in where there is no file. */
  readonly text: string;
}

/** Where a character of a function's text stands in the program. */
export function positionAt({ text, place }: Origin, offset: number): Position {
  const before = text.slice(0, offset);
  const row = before.split('\n').length - 1;
  const column = offset - (before.lastIndexOf('\n') + 1);
  if (place === undefined) return { file: undefined, line: row + 1, column, text };
  return { file: place.file, line: place.line + row, column: row === 0 ? place.column + column : column, text };
}
