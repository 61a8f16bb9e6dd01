import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fileText } from '../core/file-text.ts';
import { mapOfFile } from './file-map.ts';
import { placeInText } from './text-place.ts';
import type { Place, Token } from './tree.ts';

/** Where a function of the package is called: in the text that runs, which a compiler may have made. */
export interface CallPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

/** Where `callee` is called from; undefined where the runtime does not tell. */
export function placeOfCall(callee: (...args: never[]) => unknown): CallPlace | undefined {
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  try {
    Error.prepareStackTrace = (_, sites) => sites;
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, callee);
    const [site] = holder.stack as readonly NodeJS.CallSite[];
    const [file, line, column] = [site?.getFileName(), site?.getLineNumber(), site?.getColumnNumber()];
    if (typeof file !== 'string' || typeof line !== 'number' || typeof column !== 'number') return undefined;
    return { file: file.startsWith('file:') ? fileURLToPath(file) : file, line, column: column - 1 };
  } catch {
    return undefined;
  } finally {
    if (before) Object.defineProperty(Error, 'prepareStackTrace', before);
    else Reflect.deleteProperty(Error, 'prepareStackTrace');
  }
}

/**
 * Finds the places of a function's text in the file that its author wrote.
 *
 * The text stands in that file as it is where no tool has changed it, or where a tool has written the file: then the file names a
 * source map. What a tool has changed on the fly the runtime's source map tells: the text begins some characters behind the call,
 * where its names fall on places that the map knows. Node itself puts blanks in the place of types.
 *
 * @param tokens - names in the text with their places in it, which tell a right beginning from a wrong one
 * @returns undefined where neither is so
 */
export function locatorOf(
  call: CallPlace | undefined,
  text: string,
  tokens: () => readonly Token[],
): ((offset: number) => Place | undefined) | undefined {
  if (call === undefined) return undefined;
  let locate: Locate | undefined;
  return (offset) => {
    locate ??= locatorIn(call, text, tokens) ?? (() => undefined);
    return locate(offset);
  };
}

/** The offset of a place in a text. */
function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let row = 1; row < line; row++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return start + column;
}

/** Where a text begins in a file; undefined where it is not there as it is, or cannot be told from another one. */
function startIn(source: string, { line, column }: CallPlace, text: string): number | undefined {
  const from = source.indexOf(text, offsetOf(source, line, column));
  const start = from < 0 ? source.indexOf(text) : from;
  // A text that is there twice, and not behind the call, may be the other one.
  return start < 0 || (from < 0 && source.includes(text, start + 1)) ? undefined : start;
}

type Locate = (offset: number) => Place | undefined;

function locatorIn(call: CallPlace, text: string, tokens: () => readonly Token[]): Locate | undefined {
  const { file } = call;
  const source = fileText(file);
  const start = source === undefined ? undefined : startIn(source, call, text);
  const verbatim = source === undefined || start === undefined ? undefined : from(file, source, start);
  return (
    (verbatim && ofOwnMap(file, source as string, verbatim)) ??
    mapped(call, text, tokens()) ??
    verbatim ??
    (source === undefined ? undefined : blanked(call, source, text))
  );
}

/** Places behind one of a file. */
function from(file: string, source: string, start: number): (offset: number) => Place {
  return (offset) => {
    const place = placeInText(source, start + offset);
    return { file, ...place, text: source.split('\n')[place.line - 1] ?? '' };
  };
}

/** The file is one that a tool has written, and names its map: the runtime need not have read it. */
function ofOwnMap(file: string, source: string, verbatim: (offset: number) => Place): Locate | undefined {
  const original = mapOfFile(file, source);
  if (original === undefined) return undefined;
  return (offset) => {
    const written = verbatim(offset);
    return original(written.line - 1, written.column) ?? written;
  };
}

/** The text is that of the file with blanks in the place of types, as Node runs TypeScript. */
function blanked({ file, line, column }: CallPlace, source: string, text: string): Locate | undefined {
  const call = offsetOf(source, line, column);
  for (let start = call; start <= call + MAX_AHEAD; start++)
    if (isBlanked(text, source, start)) return from(file, source, start);
  return undefined;
}

function isBlanked(text: string, source: string, start: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char !== source.charAt(start + i) && char.trim() !== '') return false;
  }
  return start + text.length <= source.length;
}

/** What of the package's call may stand before the function: `jit(`, a signature, blanks. */
const MAX_AHEAD = 400;
/** Names that are compared. */
const MAX_TOKENS = 24;

function mapped({ file, line, column }: CallPlace, text: string, tokens: readonly Token[]): Locate | undefined {
  const map = findSourceMap(file);
  if (map === undefined) return undefined;
  const entryAt = (row: number, at: number): Entry | undefined => {
    const entry = map.findEntry(row, at) as Partial<Entry>;
    return entry.originalLine === undefined ? undefined : (entry as Entry);
  };
  const rows = text.split('\n');
  const starts = startsOf(rows);
  const probes = tokens.slice(0, MAX_TOKENS).map(({ start, name }) => ({ ...placeOf(starts, start), name }));
  const sources = new Map<string, readonly string[]>();
  const linesOf = (source: string): readonly string[] => {
    const known = sources.get(source) ?? (fileText(pathOf(source)) ?? '').split('\n');
    sources.set(source, known);
    return known;
  };
  /** How many names of the text are at the places that the map gives for them. */
  const score = (ahead: number): number => {
    let hits = 0;
    for (const { row, at, name } of probes) {
      const where = row === 0 ? column + ahead + at : at;
      const entry = entryAt(line - 1 + row, where);
      if (entry?.generatedColumn !== where || entry.generatedLine !== line - 1 + row) continue;
      if ((linesOf(entry.originalSource)[entry.originalLine] ?? '').startsWith(name, entry.originalColumn)) hits += 1;
    }
    return hits;
  };
  let best = { ahead: -1, hits: 0 };
  for (let ahead = 1; ahead <= MAX_AHEAD; ahead++) {
    const hits = score(ahead);
    if (hits > best.hits) best = { ahead, hits };
    if (hits === probes.length) break;
  }
  if (best.ahead < 0) return undefined;
  return (offset) => {
    const { row, at } = placeOf(starts, offset);
    const where = row === 0 ? column + best.ahead + at : at;
    const entry = entryAt(line - 1 + row, where);
    if (entry === undefined) return undefined;
    const original = linesOf(entry.originalSource)[entry.originalLine] ?? '';
    return {
      file: pathOf(entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn,
      text: original,
    };
  };
}

interface Entry {
  readonly generatedLine: number;
  readonly generatedColumn: number;
  readonly originalSource: string;
  readonly originalLine: number;
  readonly originalColumn: number;
}

function pathOf(source: string): string {
  return source.startsWith('file:') ? fileURLToPath(source) : source;
}

function startsOf(rows: readonly string[]): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const row of rows) {
    starts.push(at);
    at += row.length + 1;
  }
  return starts;
}

function placeOf(starts: readonly number[], offset: number): { readonly row: number; readonly at: number } {
  let row = 0;
  while (row + 1 < starts.length && (starts[row + 1] as number) <= offset) row++;
  return { row, at: offset - (starts[row] ?? 0) };
}
