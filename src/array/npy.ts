import { checkOptions, nameOf } from '../core/check.ts';
import { dtypes } from '../core/dtype.ts';
import { newBytes, readBytes } from './bytes.ts';
import { arrayDTypes, readDType, type ArrayDType } from './dtype.ts';
import { readNpyHeader, writeNpyHeader, type NpyHeader } from './npy-header.ts';
import { asList, readLength, shapeText } from './shape.ts';
import { brief } from './brief.ts';

/** What the elements of a `.npy` file are. */
export interface NpyArray {
  readonly dtype: ArrayDType;
  readonly shape: readonly number[];
  /** Whether the elements are in column-major order (Fortran's); false if left out. */
  readonly fortranOrder?: boolean;
}

/** How {@link decodeNpy} reads. */
export interface DecodeNpyOptions {
  /**
   * What the type `V2` is, two bytes without a meaning: `'bf16'` for files of ml_dtypes (JAX, TensorFlow), which look
   * the same. Left out, such files are refused.
   */
  readonly void2?: 'bf16';
}

/** The elements of a `.npy` file, little-endian, with what they are. */
export interface DecodedNpy extends Required<NpyArray> {
  /** As many bytes as the shape has elements; the file's own memory where nothing had to be converted. */
  readonly data: Uint8Array;
}

/** The dtypes by NumPy's type strings without the byte order. */
const BY_TYPE: ReadonlyMap<string, ArrayDType> = new Map(
  Object.values(arrayDTypes).map(({ typestr, name }) => [typestr.slice(1), name]),
);

/** What a letter of NumPy's other types stands for. */
const OTHER: Readonly<Record<string, string>> = {
  O: 'Python objects',
  S: 'text',
  a: 'text',
  U: 'text',
  M: 'dates',
  m: 'durations',
  V: 'bytes without a meaning',
};

/**
 * Make the bytes of a `.npy` file, as `numpy.save` writes it.
 *
 * `bf16` is written as ml_dtypes does, with the type `<V2`: NumPy reads two bytes without a meaning, of which
 * `.view(ml_dtypes.bfloat16)` makes numbers.
 *
 * @param array - what the elements are
 * @param bytes - the elements one after the other, little-endian
 * @throws TypeError an argument of the wrong kind
 * @throws RangeError a shape of other lengths than integers from 0, other bytes than it has, or more than a Uint8Array holds
 * @see {@link https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html | The format}
 */
export function encodeNpy(
  { dtype, shape, fortranOrder = false }: NpyArray,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { typestr, size, name } = arrayDTypes[readDType(dtype, 'dtype')];
  const list = asList(shape);
  if (!list) throw new TypeError(`shape must be a list of integers, got ${nameOf(shape)}`);
  const lengths = Array.from(list, (length) => readLength(length, list, 'shape'));
  if (typeof fortranOrder !== 'boolean')
    throw new TypeError(`fortranOrder must be a boolean, got ${nameOf(fortranOrder)}`);
  const data = readBytes(bytes, 'bytes');
  const wanted = countOf(lengths) * size;
  if (data.length !== wanted) {
    const text = brief(shapeText(lengths));
    throw new RangeError(`bytes must have ${wanted} bytes for ${text} of ${name}, got ${data.length}`);
  }
  const header = writeNpyHeader({ descr: typestr, shape: lengths, fortranOrder });
  const file = newBytes(header.length + data.length, 'The .npy file');
  file.set(header);
  file.set(data, header.length);
  return file;
}

/**
 * Read the bytes of a `.npy` file, of version 1.0, 2.0 or 3.0. Numbers of the other byte order are swapped, and booleans are 0
 * or 1. What follows the elements is ignored, as NumPy does. The shape is the file's own: an array may have fewer axes at most.
 *
 * @throws TypeError elements other than numbers and booleans; the message has their type string
 * @throws SyntaxError it is no `.npy` file, of another version, or its header cannot be read
 * @throws RangeError the file is cut off: it has fewer bytes than its header says
 * @see {@link https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html | The format}
 */
export function decodeNpy(bytes: Uint8Array, options?: DecodeNpyOptions): DecodedNpy {
  checkOptions(options, ['void2'], 'decodeNpy');
  const void2: unknown = options?.void2;
  if (void2 !== undefined && void2 !== 'bf16') throw new TypeError(`void2 must be 'bf16', got ${nameOf(void2)}`);
  const file = readBytes(bytes, 'bytes');
  const header = readNpyHeader(file);
  const { descr, shape, fortranOrder } = header;
  const element = npyElement(descr);
  if (!element) throw new TypeError(`The .npy file's type ${describe(descr)}; only numbers and booleans can be read`);
  const { dtype, isSwapped } = element;
  if (dtype === 'bf16' && void2 === undefined) {
    throw new TypeError(
      `The .npy file's type ${describe(descr)}; pass { void2: 'bf16' } if it is bfloat16 of ml_dtypes`,
    );
  }
  const { size, part, kind } = arrayDTypes[dtype];
  const data = npyElements(file, header, size);
  if (kind === 'bool') return { dtype, shape, fortranOrder, data: booleans(data) };
  return { dtype, shape, fortranOrder, data: isSwapped ? swapped(data, dtypes[part].size) : data };
}

/** The dtype of a type string, and whether its bytes are in the other order; undefined for other types than numbers and booleans. */
export function npyElement(descr: string): { readonly dtype: ArrayDType; readonly isSwapped: boolean } | undefined {
  const [, order, type = ''] = /^([<>=|]?)(\w+)$/.exec(descr) ?? [];
  const dtype = BY_TYPE.get(type);
  return dtype && { dtype, isSwapped: order === '>' && arrayDTypes[dtype].size > 1 };
}

/**
 * The bytes of a file's elements, its own memory.
 *
 * @param elementSize - bytes of one element
 * @throws RangeError the file is cut off
 */
export function npyElements(
  file: Uint8Array,
  { shape, start }: NpyHeader & { readonly start: number },
  elementSize: number,
): Uint8Array {
  const size = countOf(shape) * elementSize;
  if (start + size <= file.length) return file.subarray(start, start + size);
  throw new RangeError(`The file is cut off: ${size} bytes of elements wanted, ${file.length - start} there`);
}

/** How many elements there are: none where an axis is empty, however long the others are. */
function countOf(shape: readonly number[]): number {
  return shape.includes(0) ? 0 : shape.reduce((product, length) => product * length, 1);
}

function describe(descr: string): string {
  const letter = /^[<>=|]?([a-zA-Z])/.exec(descr)?.[1] ?? '';
  const what = /^[[({]/.test(descr) ? 'records' : Object.hasOwn(OTHER, letter) ? OTHER[letter] : undefined;
  return `'${brief(descr)}' ${what === undefined ? 'is not known' : `stands for ${what}`}`;
}

/** The same numbers with the bytes of each part in the other order. */
function swapped(data: Uint8Array, size: number): Uint8Array {
  const result = newBytes(data.length, 'The array');
  for (let at = 0; at < data.length; at += size) {
    for (let i = 0; i < size; i++) result[at + i] = data[at + size - 1 - i] as number;
  }
  return result;
}

/** NumPy's booleans are true for any byte but 0; kernels compare them as numbers. */
function booleans(data: Uint8Array): Uint8Array {
  if (data.every((byte) => byte <= 1)) return data;
  const result = newBytes(data.length, 'The array');
  for (let i = 0; i < data.length; i++) result[i] = data[i] === 0 ? 0 : 1;
  return result;
}
