import { pathToFileURL } from 'node:url';
import { fileText } from '../../core/file-text.ts';
import { positionAt, type Position } from './position.ts';
import type { Origin } from '../tree.ts';

/** A place in the text that is made, and where it is from. Lines and columns count from 0. */
export interface Segment {
  readonly line: number;
  readonly column: number;
  readonly position: Position;
  readonly origin: Origin;
  readonly offset: number;
}

// eslint-disable-next-line no-control-regex -- characters that no text of a kernel has
const MARK = /\u0001(\d+)\.(\d+)\u0002/g;

/** Stands in a text for the place that what follows is from. No string literal has such characters: JSON escapes them. */
export function markText(origin: number, offset: number): string {
  return `\u0001${origin}.${offset}\u0002`;
}

/** Take the marks out of a text, and tell where each was. */
export function takeMarks(
  marked: string,
  origins: readonly Origin[],
): { readonly text: string; readonly segments: readonly Segment[] } {
  const segments: Segment[] = [];
  const lines = marked.split('\n').map((row, line) => {
    let text = '';
    let copied = 0;
    for (const { 0: mark, 1: made, 2: offset, index } of row.matchAll(MARK)) {
      text += row.slice(copied, index);
      copied = index + mark.length;
      const from = origins[Number(made)] as Origin;
      const position = positionAt(from, Number(offset));
      segments.push({ line, column: text.length, position, origin: from, offset: Number(offset) });
    }
    return text + row.slice(copied);
  });
  return { text: lines.join('\n'), segments };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number in ECMA-426's variable-length quantities: the sign in the lowest bit, five bits a digit, the lowest first. */
function quantity(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const more = rest >= 32 ? 32 : 0;
    text += DIGITS[(rest % 32) + more] ?? '';
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}

/** The source map of a text: version 3 of ECMA-426. */
export function sourceMap(segments: readonly Segment[], name: string): string {
  const sources: string[] = [];
  const contents: (string | null)[] = [];
  let [source, line, column] = [0, 0, 0];
  const rows: string[][] = [];
  let [row, start] = [-1, 0];
  for (const { line: madeLine, column: madeColumn, position } of segments) {
    const url = position.file === undefined ? `${name}.source.js` : urlOf(position.file);
    let index = sources.indexOf(url);
    if (index < 0) {
      index = sources.push(url) - 1;
      // A debugger on another machine cannot read the file itself.
      contents.push(position.file === undefined ? position.text : (fileText(position.file) ?? null));
    }
    if (madeLine !== row) start = 0;
    row = madeLine;
    const numbers = [madeColumn - start, index - source, position.line - 1 - line, position.column - column];
    [start, source, line, column] = [madeColumn, index, position.line - 1, position.column];
    (rows[row] ??= []).push(numbers.map(quantity).join(''));
  }
  const mappings = Array.from(rows, (one) => (one as string[] | undefined)?.join(',') ?? '').join(';');
  return JSON.stringify({ version: 3, file: name, sources, sourcesContent: contents, names: [], mappings });
}

function urlOf(file: string): string {
  return /^[a-z][a-z+.-]+:/i.test(file) ? file : pathToFileURL(file).href;
}

/** The map as the last line of the text, where debuggers look for it. */
export function inlineMap(map: string): string {
  return `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(map).toString('base64')}`;
}
