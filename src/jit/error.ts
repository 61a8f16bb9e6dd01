import { brand } from '../core/errors.ts';
import type { Origin, Span } from './tree.ts';

/** A function that is no kernel: what it has that a kernel cannot have, where, and what to write. */
export class JitError extends Error {
  readonly code = 'ERR_RAWKERNEL_JIT';
  /** The file of the function, where it is known. */
  readonly file: string | undefined;
  /** From 1: in the file, or in the function's text. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  constructor(reason: string, origin: Origin, span: Span) {
    const { text } = origin;
    const before = text.slice(0, span.start);
    const row = before.split('\n').length - 1;
    const column = span.start - (before.lastIndexOf('\n') + 1);
    const place = placeAt(origin, row, column);
    const where = place.file === undefined ? `line ${place.line} of the function` : `${place.file}:${place.line}`;
    super(`${where}: ${reason}\n${frame(text, row, column, span.end - span.start, place.line)}`);
    this.file = place.file;
    this.line = place.line;
    this.column = place.column + 1;
  }
}
brand(JitError, 'JitError');

function placeAt({ place }: Origin, row: number, column: number): { file?: string; line: number; column: number } {
  if (place === undefined) return { line: row + 1, column };
  return { file: place.file, line: place.line + row, column: row === 0 ? place.column + column : column };
}

/** A line that is this long is one of a minifier: a part of it is shown. */
const MAX_SHOWN = 100;

function frame(text: string, row: number, column: number, length: number, line: number): string {
  const whole = (text.split('\n')[row] ?? '').replace(/\r$/, '').replaceAll('\t', ' ');
  const from = whole.length > MAX_SHOWN ? Math.max(0, column - MAX_SHOWN / 2) : 0;
  const shown = whole.slice(from, from + MAX_SHOWN);
  const marks = Math.max(1, Math.min(length, shown.length - (column - from)));
  const number = `${line} | `;
  return `  ${number}${shown}\n  ${' '.repeat(number.length - 2)}| ${' '.repeat(column - from)}${'^'.repeat(marks)}`;
}
