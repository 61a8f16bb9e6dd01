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

/** How V8 begins what it says: an error of ours that has it was made of one of V8's, or it is one. */
const OF_V8 =
  /^(?:Cannot (?:read|set|convert|mix|perform|destructure|define|redefine|assign|add|access|delete)\b|Maximum call stack|Array buffer allocation failed|Invalid (?:typed array|array|array buffer|DataView|string) length|Invalid count value|Method \S+ called on incompatible|.{0,80} is not (?:a function|iterable|a constructor|defined|extensible)\b|Class constructor |Private |Reflect\.|The (?:number|value) .{0,60} cannot be converted to a BigInt|Start offset|First argument to DataView|start offset of)/;
/** What the language itself says of an operation that the fuzzer makes: call, construct, set. */
const OF_OPERATIONS =
  / is not (?:a function|a constructor)$|^Class constructor \S+ cannot be invoked without 'new'$|^Class extends value|which has only a getter$|^Cannot (?:assign to read only property|add property|redefine property|define property)|^'set' on proxy|object is not extensible|^Cannot (?:set|read) properties of (?:undefined|null)/;
const REVOKED = /^Cannot perform '\w+' on a proxy that has been revoked$/;
/** Functions that put a value into a message: they have to do with any. */
const TELLS = /^ {4}at (?:\S+\.)?(?:nameOf\w*|show\w*|describe\w*|inspect\w*|textOf|messageOf|toString|formatValue) /m;
/** What the package keeps for itself; no user names a file there. */
const OWN_FOLDERS = [root, process.env['RAWKERNEL_CACHE_DIR']].filter((folder) => folder !== undefined);

/**
 * Tell whose error it is. An error of ours is made by `new` in a file of ours: the frame on top of its stack points at
 * that word. One that V8, koffi or Node made has their frame on top, or points at whatever they ran over. Four are judged
 * by what they say instead: what the user's own values do, what a file system says, and what the fuzzer does itself.
 */
export function blameOf(error: unknown): Blame {
  if (error instanceof Mine) return 'mine';
  if (typeof error !== 'object' || error === null) return 'foreign';
  const { syscall, path } = error as { syscall?: unknown; path?: unknown };
  const message = String((error as { message?: unknown }).message);
  const stack = String((error as Error).stack);
  // A revoked proxy throws at each access, and so may a getter of the user; a message must not.
  if (REVOKED.test(message)) return TELLS.test(stack) ? 'foreign' : 'mine';
  // A class of the fuzzer's that is called like a function, as a callback.
  if (message === "Class constructor Other cannot be invoked without 'new'") return 'mine';
  const top = /\n {4}at (.*)/.exec(stack)?.[1] ?? '';
  if (top.includes('/tests/fuzz/')) return OF_OPERATIONS.test(message) ? 'mine' : 'foreign';
  if (OF_V8.test(message)) return 'foreign';
  if (FAMILY in error) return 'ours';
  // What a file system says of a file that the user names.
  if (typeof syscall === 'string' && typeof path === 'string') {
    return OWN_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) ? 'foreign' : 'ours';
  }
  const place = placeOf(top);
  if (!place || !ownFile(place.file)) return 'foreign';
  // Under the fake these are sources, compiled to other columns; they do nothing but refuse.
  if (place.file === `${root}/src/ffi/check.ts`) return 'ours';
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
