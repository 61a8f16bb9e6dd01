import { brand } from '../core/errors.ts';
import { placeInText } from './text-place.ts';
import type { Origin, Span } from './tree.ts';
import { withWrittenNames } from './written-name.ts';

/** A function that is no kernel: what it has that a kernel cannot have, where, and what to write. */
export class JitError extends Error {
  readonly code = 'ERR_RAWKERNEL_JIT';
  /** The file of the function, where it is known. */
  readonly file: string | undefined;
  /** From 1: in the file, or in the function's text. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  /** @internal */
  constructor(reason: string, origin: Origin, span: Span) {
    const { file, line, column, text } = placeAt(origin, span.start);
    const where = file === undefined ? `line ${line} of the function as it runs` : `${file}:${line}`;
    // A name is marked as its author wrote it, whatever the text that runs calls it.
    const length = file === undefined ? span.end - span.start : markLength(text.slice(column));
    super(`${where}: ${withWrittenNames(reason, origin)}\n${frame(text, column, Math.max(1, length), line)}`);
    this.file = file;
    this.line = line;
    this.column = column + 1;
  }
}
brand(JitError, 'JitError');

interface Found {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

function placeAt({ text, locate }: Origin, start: number): Found {
  const found = locate?.(start);
  if (found) return found;
  const place = placeInText(text, start);
  return { ...place, text: text.split('\n')[place.line - 1] ?? '' };
}

/** A name with its members and their brackets, or one character. */
function markLength(rest: string): number {
  return /^[\w$.]+/.exec(rest)?.[0].length ?? 1;
}

/** A line that is this long is one of a minifier: a part of it is shown. */
const MAX_SHOWN = 100;

function frame(line: string, column: number, length: number, number: number): string {
  const whole = line.replace(/\r$/, '').replaceAll('\t', ' ');
  const from = whole.length > MAX_SHOWN ? Math.max(0, column - MAX_SHOWN / 2) : 0;
  const shown = whole.slice(from, from + MAX_SHOWN);
  const marks = Math.max(1, Math.min(length, shown.length - (column - from)));
  const head = `${number} | `;
  return `  ${head}${shown}\n  ${' '.repeat(head.length - 2)}| ${' '.repeat(column - from)}${'^'.repeat(marks)}`;
}
