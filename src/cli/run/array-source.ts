import { elementKind, filled, generate, type ElementKind, type Elements } from './element-type.ts';
import { readInputFile } from '../input-file.ts';
import { readNpy, type ShapedArray } from './npy.ts';
import { messageOf, UsageError } from '../output.ts';
import { bytes } from '../table.ts';

/** How arrays are written on the command line, for the help. */
export const ARRAY_HELP: readonly (readonly [spec: string, meaning: string])[] = [
  ['zeros:1024:f32', 'elements that are 0; 64x32 for two dimensions'],
  ['ones:1024:f32', 'elements that are 1'],
  ['range:0:10:i32', '0, 1, ... 9; range:0:1:0.25:f32 has a step'],
  ['random:1024:f32', 'floats in [0, 1), integers in 0 to 99; random:1024:f32:7 takes the seed 7, not 0'],
  ['a.npy', "NumPy's file"],
  ['raw:a.bin:f32', 'a file of elements and nothing else'],
];

/** Arrays above this are a slip of the keyboard. */
const MAX_BYTES = 2 ** 36;

/** Whether a text is meant to be an array. */
export function isArraySource(text: string): boolean {
  return /^(?:zeros|ones|range|random|raw):/.test(text) || /\.npy$/.test(text);
}

/** Make or read the array that a text describes. */
export function arraySource(text: string): ShapedArray {
  if (text.endsWith('.npy')) return fromFile(text, readNpy);
  const [word = '', ...rest] = text.split(':');
  const make = SOURCES[word];
  if (!make)
    throw new UsageError(`'${text}' is not an array; write one as ${ARRAY_HELP.map(([spec]) => spec).join(', ')}`);
  return make(rest, text);
}

const SOURCES: Readonly<Record<string, (parts: readonly string[], text: string) => ShapedArray>> = {
  zeros: (parts, text) => constant(parts, text, 0),
  ones: (parts, text) => constant(parts, text, 1),
  range: (parts, text) => {
    if (parts.length !== 3 && parts.length !== 4) throw wrong(text, 'range:START:END[:STEP]:TYPE');
    const kind = elementKind(parts.at(-1) ?? '', text);
    const [start = 0, end = 0, step = 1] = parts.slice(0, -1).map((part) => number(part, text));
    const length = Math.max(0, Math.ceil((end - start) / step));
    if (step === 0 || length === 0) throw new UsageError(`${text}: there is no element in it`);
    return shaped(kind, [length], () => generate(kind, length, (i) => start + i * step), text);
  },
  random: (parts, text) => {
    const [size, type = '', seed = '0'] = parts;
    if (parts.length < 2 || parts.length > 3) throw wrong(text, 'random:SIZE:TYPE[:SEED]');
    const kind = elementKind(type, text);
    const next = randomNumbers(number(seed, text));
    const element = (): number => (kind.isFloat ? next() : Math.floor(next() * 100));
    return shaped(kind, sizes(size, text), (length) => generate(kind, length, element), text);
  },
  raw: (parts, text) => {
    if (parts.length < 2) throw wrong(text, 'raw:FILE:TYPE');
    const kind = elementKind(parts.at(-1) ?? '', text);
    return fromFile(rawPath(parts), (content) => {
      const length = content.length / kind.bytes;
      if (!Number.isInteger(length) || length === 0) {
        throw new RangeError(`${content.length} bytes are not a whole number of ${kind.name}`);
      }
      return { kind, array: kind.over(new Uint8Array(content).buffer), shape: [length] };
    });
  },
};

/** The file that an array is read from; undefined for one that is made. */
export function fileOf(text: string): string | undefined {
  if (text.endsWith('.npy')) return text;
  const [word, ...parts] = text.split(':');
  return word === 'raw' ? rawPath(parts) : undefined;
}

/** A path may have colons of its own. */
function rawPath(parts: readonly string[]): string {
  return parts.slice(0, -1).join(':');
}

function constant(parts: readonly string[], text: string, value: number): ShapedArray {
  if (parts.length !== 2) throw wrong(text, `${text.split(':')[0] ?? ''}:SIZE:TYPE`);
  const kind = elementKind(parts[1] ?? '', text);
  return shaped(kind, sizes(parts[0], text), (length) => filled(kind, length, value), text);
}

function shaped(
  kind: ElementKind,
  shape: readonly number[],
  make: (length: number) => Elements,
  text: string,
): ShapedArray {
  const length = shape.reduce((product, size) => product * size, 1);
  const size = length * kind.bytes;
  if (size > MAX_BYTES) {
    throw new UsageError(
      `${text}: ${length} elements are too many: they take ${bytes(size)} of at most ${bytes(MAX_BYTES)}`,
    );
  }
  try {
    return { kind, array: make(length), shape };
  } catch (error) {
    throw new UsageError(`${text}: there is no memory for ${bytes(size)}`, { cause: error });
  }
}

function fromFile(path: string, read: (content: Uint8Array) => ShapedArray): ShapedArray {
  let made: ShapedArray;
  try {
    made = read(readInputFile(path, MAX_BYTES, 'an array'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${messageOf(error)}`, { cause: error });
  }
  if (made.array.length > 0) return made;
  throw new UsageError(`${path}: there is no element in it; null passes a null pointer`);
}

function sizes(part: string | undefined, text: string): number[] {
  const list = (part ?? '').split('x').map((size) => (/^\d+$/.test(size) ? Number(size) : NaN));
  if (list.every((size) => Number.isSafeInteger(size) && size > 0)) return list;
  throw new UsageError(`${text}: '${part ?? ''}' is not a size; write 1024, or 64x32`);
}

function number(part: string, text: string): number {
  const value = part.trim() === '' ? NaN : Number(part);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`${text}: '${part}' is not a number`);
}

function wrong(text: string, form: string): UsageError {
  return new UsageError(`'${text}' is not complete: ${form}`);
}

/** Numbers in [0, 1) that are the same on every machine: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}
