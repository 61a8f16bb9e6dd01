import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { root } from '../helpers/root.ts';
import { Mine } from './materialize.ts';

/** Whose words an error is in: the package's, somebody else's, or the fuzzer's own. */
export type Blame = 'ours' | 'foreign' | 'mine';

/** Where an error was made: the topmost frame with a place. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const FAMILY = Symbol.for('rawkernel.GpuError');
const texts = new Map<string, readonly string[]>();

/**
 * Tell whose error it is. An error of ours is made by `new` in a file of ours: the frame on top of its stack points at
 * that word. One that V8, koffi or Node made has their frame on top, or points at whatever they ran over.
 */
export function blameOf(error: unknown): Blame {
  if (error instanceof Mine) return 'mine';
  if (typeof error !== 'object' || error === null) return 'foreign';
  if (FAMILY in error) return 'ours';
  const { message, syscall, path } = error as { message?: string; syscall?: string; path?: string };
  // A revoked proxy throws by itself, whoever looks at it, as a getter of the user's may; but not in a message.
  if (/on a proxy that has been revoked/.test(message ?? '') && !/^ {4}at nameOf/m.test(originLines(error)))
    return 'mine';
  // What a file system says of a file that the user names.
  if (syscall !== undefined && path !== undefined) return 'ours';
  const stack = String((error as Error).stack);
  const top = /\n {4}at (.*)/.exec(stack)?.[1] ?? '';
  if (top.includes('/tests/fuzz/')) return 'mine';
  const place = placeOf(top);
  // A class of the fuzzer's, called like a function.
  if (/^Class constructor Other cannot be invoked/.test(message ?? '')) return 'mine';
  // Under the fake these are sources, compiled to other columns; they do nothing but refuse.
  if (place?.file.startsWith(`${root}/src/ffi/check.ts`)) return 'ours';
  if (!place || !ownFile(place.file)) return 'foreign';
  return /^(?:new\b|super\(|(?:Type|Range)?Error\()/.test(textAt(place)) ? 'ours' : 'foreign';
}

/** As JSON: its name, its message, the first frames of its stack in short. */
export function describeError(error: unknown): string {
  const { name, message, stack } = (error ?? {}) as Partial<Error>;
  const frames = [...String(stack).matchAll(/\n {4}at (.*)/g)].map(([, frame = '']) => frame);
  const origin = frames
    .slice(0, 4)
    .map((frame) => frame.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, ''))
    .join(' < ');
  return JSON.stringify({ name, message: (message ?? String(error)).slice(0, 300), origin });
}

function originLines(error: object): string {
  return String((error as Error).stack);
}

function placeOf(frame: string): Place | undefined {
  const found = /\(?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/.exec(frame);
  if (!found) return undefined;
  const [, where = '', line, column] = found;
  const file = where.startsWith('file:') ? fileURLToPath(where.replace(/\?.*$/, '')) : where;
  return { file, line: Number(line), column: Number(column) };
}

function ownFile(file: string): boolean {
  return file.startsWith(`${root}/dist/`) || file.startsWith(`${root}/src/`);
}

function textAt({ file, line, column }: Place): string {
  let lines = texts.get(file);
  if (!lines) texts.set(file, (lines = readFileSync(file, 'utf8').split('\n')));
  return (lines[line - 1] ?? '').slice(column - 1);
}
