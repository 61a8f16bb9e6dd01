import { getFloat16, setFloat16 } from '@petamoriken/float16';
import type { DType, DTypes } from '../../cuda/index.ts';
import { UsageError } from '../output.ts';

/** What the command line calls an element type. */
export type ElementName = DType;

/** The array that holds elements; half floats and bfloat16 as their bits. */
export type Elements = DTypes[DType];

/** How the elements of one type are made and read. */
export interface ElementKind {
  readonly name: ElementName;
  readonly bytes: number;
  readonly isFloat: boolean;
  /** NumPy's name of it. It has none for bfloat16. */
  readonly npy: string;
  /** Over whole elements of a buffer. */
  readonly over: (buffer: ArrayBuffer) => Elements;
  readonly get: (view: DataView, at: number) => number | bigint;
  readonly set: (view: DataView, at: number, value: number) => void;
}

const bits = new DataView(new ArrayBuffer(4));

/** The types by their names. */
export const ELEMENTS: Readonly<Record<ElementName, ElementKind>> = {
  i8: integer('i8', '|i1', (buffer) => new Int8Array(buffer), 'Int8'),
  u8: integer('u8', '|u1', (buffer) => new Uint8Array(buffer), 'Uint8'),
  i16: integer('i16', '<i2', (buffer) => new Int16Array(buffer), 'Int16'),
  u16: integer('u16', '<u2', (buffer) => new Uint16Array(buffer), 'Uint16'),
  i32: integer('i32', '<i4', (buffer) => new Int32Array(buffer), 'Int32'),
  u32: integer('u32', '<u4', (buffer) => new Uint32Array(buffer), 'Uint32'),
  i64: wide('i64', '<i8', (buffer) => new BigInt64Array(buffer), 'BigInt64'),
  u64: wide('u64', '<u8', (buffer) => new BigUint64Array(buffer), 'BigUint64'),
  f16: {
    name: 'f16',
    bytes: 2,
    isFloat: true,
    npy: '<f2',
    over: (buffer) => new Uint16Array(buffer),
    get: (view, at) => getFloat16(view, at, true),
    set: (view, at, value) => setFloat16(view, at, value, true),
  },
  bf16: {
    name: 'bf16',
    bytes: 2,
    isFloat: true,
    npy: '<u2',
    over: (buffer) => new Uint16Array(buffer),
    get: (view, at) => {
      bits.setUint32(0, view.getUint16(at, true) << 16);
      return bits.getFloat32(0);
    },
    set: (view, at, value) => {
      bits.setFloat32(0, value);
      const whole = bits.getUint32(0);
      // To the nearest, ties to even; a NaN stays one.
      const rounded = Number.isNaN(value) ? 0x7fc0 : (whole + 0x7fff + ((whole >>> 16) & 1)) >>> 16;
      view.setUint16(at, rounded, true);
    },
  },
  f32: {
    name: 'f32',
    bytes: 4,
    isFloat: true,
    npy: '<f4',
    over: (buffer) => new Float32Array(buffer),
    get: (view, at) => view.getFloat32(at, true),
    set: (view, at, value) => {
      view.setFloat32(at, value, true);
    },
  },
  f64: {
    name: 'f64',
    bytes: 8,
    isFloat: true,
    npy: '<f8',
    over: (buffer) => new Float64Array(buffer),
    get: (view, at) => view.getFloat64(at, true),
    set: (view, at, value) => {
      view.setFloat64(at, value, true);
    },
  },
};

/** The type of a name that a user wrote. */
export function elementKind(name: string, where: string): ElementKind {
  if (Object.hasOwn(ELEMENTS, name)) return ELEMENTS[name as ElementName];
  throw new UsageError(`${where}: '${name}' is no element type; there is ${Object.keys(ELEMENTS).join(', ')}`);
}

/** The elements of an array as numbers. */
export function numbersOf(kind: ElementKind, array: Elements): (number | bigint)[] {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  return Array.from({ length: array.length }, (_, i) => kind.get(view, i * kind.bytes));
}

/** An array of one number, however long. */
export function filled(kind: ElementKind, length: number, value: number): Elements {
  const array = kind.over(new ArrayBuffer(length * kind.bytes));
  const [first = 0] = generate(kind, 1, () => value);
  // What is new holds zeros, and takes no memory until it is written.
  return value === 0 ? array : array.fill(first as never);
}

/** An array whose elements a function gives. */
export function generate(kind: ElementKind, length: number, element: (index: number) => number): Elements {
  const array = kind.over(new ArrayBuffer(length * kind.bytes));
  const view = new DataView(array.buffer);
  for (let i = 0; i < length; i++) kind.set(view, i * kind.bytes, element(i));
  return array;
}

function integer(
  name: ElementName,
  npy: string,
  over: ElementKind['over'],
  method: 'Int8' | 'Uint8' | 'Int16' | 'Uint16' | 'Int32' | 'Uint32',
): ElementKind {
  const get = `get${method}` as const;
  const set = `set${method}` as const;
  return {
    name,
    bytes: Number(/\d+/.exec(method)?.[0]) / 8,
    isFloat: false,
    npy,
    over,
    get: (view, at) => view[get](at, true),
    set: (view, at, value) => {
      view[set](at, value, true);
    },
  };
}

function wide(
  name: ElementName,
  npy: string,
  over: ElementKind['over'],
  method: 'BigInt64' | 'BigUint64',
): ElementKind {
  return {
    name,
    bytes: 8,
    isFloat: false,
    npy,
    over,
    get: (view, at) => view[`get${method}`](at, true),
    set: (view, at, value) => {
      view[`set${method}`](at, BigInt(Math.trunc(value)), true);
    },
  };
}
