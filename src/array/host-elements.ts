import { isHostMemory } from '../core/host-memory.ts';
import { arrayDTypes, type ArrayDType, type Complex, type WeakScalar } from './dtype.ts';
import { columnElements, isColumn } from './host-column.ts';
import { typedRows } from './host-rows.ts';
import { isStrided, stridedElements } from './host-strided.ts';
import { bytesOf, elementReader, elementWriter } from './host-data.ts';
import type { HostSource } from './host-source.ts';
import type { NDArray } from './ndarray.ts';
import { readNested } from './read-nested.ts';
import { sizeOf } from './shape.ts';
import { classOf, classDTypes, type ClassDTypes } from './typed-class.ts';

/** Elements of the host, ready to be copied: in row-major order, little-endian. */
export interface HostElements {
  readonly dtype: ArrayDType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The innermost elements of nested arrays, to a depth that type checkers bear. */
type Leaf<T, Depth extends readonly unknown[] = []> = Depth['length'] extends 6
  ? unknown
  : T extends readonly (infer E)[]
    ? Leaf<E, [...Depth, unknown]>
    : T;

type LeafDType<L> = unknown extends L
  ? ArrayDType
  : [L] extends [boolean]
    ? 'bool'
    : [L] extends [bigint]
      ? 'i64'
      : [L] extends [number]
        ? 'f32'
        : [L] extends [Complex]
          ? 'c64'
          : [L] extends [{ readonly [Symbol.toStringTag]: infer Name }]
            ? Name extends keyof ClassDTypes
              ? ClassDTypes[Name]
              : ArrayDType
            : ArrayDType;

/** The dtype of the array that is made of something, where its type tells. */
export type DTypeOfData<T> = T extends NDArray<infer D> ? D : LeafDType<Leaf<T>>;

/** The dtype of an array that is filled with a number, where none is asked for. */
export type DTypeOfFill<V> = LeafDType<V>;

/**
 * The elements of what the host has: typed arrays (which keep their dtype), bytes, nested arrays, ndarrays of scijs, columns of
 * Apache Arrow.
 *
 * @param asked - the dtype that is wanted
 * @throws TypeError nothing of the kind, or elements that the dtype does not take
 * @throws RangeError elements that the dtype does not hold, arrays of different lengths beside each other
 */
export function hostElements(data: unknown, asked: ArrayDType | undefined, what: string): HostElements {
  if (isHostMemory(data)) {
    const isBytes = !ArrayBuffer.isView(data) || data instanceof DataView;
    const view = ArrayBuffer.isView(data) ? data : new Uint8Array(data);
    return isBytes ? ofBytes(view, asked ?? 'u8', what) : ofTyped(view, undefined, asked, what);
  }
  const source = sourceOf(data, what);
  if (source === undefined) {
    const { shape, elements } = readNested(data, what);
    return ofElements(elements, shape, asked ?? dtypeOfElements(elements), what);
  }
  if (!ArrayBuffer.isView(source.data)) {
    const { elements } = readNested(source.data, what);
    return ofElements(elements, source.shape, asked ?? source.dtype ?? dtypeOfElements(elements), what);
  }
  return ofTyped(source.data, source.shape, asked, what, source.dtype);
}

function sourceOf(data: unknown, what: string): HostSource | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (Array.isArray(data)) return typedRows(data, what);
  if (isStrided(data)) return stridedElements(data, what);
  return isColumn(data) ? columnElements(data, what) : undefined;
}

/** Bytes without a type are elements of whatever dtype is asked for. */
function ofBytes(view: ArrayBufferView, dtype: ArrayDType, what: string): HostElements {
  const bytes = bytesOf(view);
  const { size } = arrayDTypes[dtype];
  if (bytes.length % size === 0) return { dtype, shape: [bytes.length / size], bytes: asStored(bytes, dtype) };
  throw new RangeError(
    `${what} must be given a multiple of ${size} bytes for elements of ${dtype}, got ${bytes.length}`,
  );
}

/** Typed arrays keep their dtype: another one of the same layout (f16, bool, complex numbers) reads the same bytes. */
function ofTyped(
  view: ArrayBufferView,
  shape: readonly number[] | undefined,
  asked: ArrayDType | undefined,
  what: string,
  known?: ArrayDType,
): HostElements {
  const own = known ?? classDTypes[classOf(view)] ?? 'u8';
  const dtype = asked ?? own;
  const { length } = view as unknown as ArrayLike<number | bigint>;
  if (dtype === own || isReadAs(own, dtype)) {
    const bytes = bytesOf(view);
    const { size } = arrayDTypes[dtype];
    if (bytes.length % size !== 0) {
      throw new RangeError(`${what} must be given pairs of numbers for elements of ${dtype}, got ${length} numbers`);
    }
    return { dtype, shape: shape ?? [bytes.length / size], bytes: asStored(bytes, dtype) };
  }
  const numbers = numbersOf(view, own, dtype);
  const to = shape ?? [length];
  if (dtype === 'f32') return { dtype, shape: to, bytes: bytesOf(new Float32Array(numbers as ArrayLike<number>)) };
  if (dtype === 'f64') return { dtype, shape: to, bytes: bytesOf(new Float64Array(numbers as ArrayLike<number>)) };
  return ofElements(numbers, to, dtype, what);
}

/** The elements of a typed array as the dtype takes them: an integer is a float too. */
function numbersOf(view: ArrayBufferView, own: ArrayDType, dtype: ArrayDType): ArrayLike<number | bigint> {
  const elements = view as unknown as ArrayLike<number | bigint>;
  const { kind } = arrayDTypes[dtype];
  if ((own === 'i64' || own === 'u64') && (kind === 'float' || kind === 'complex')) return Array.from(elements, Number);
  if (own !== 'f16' || classOf(view) !== 'Uint16Array') return elements;
  const half = elementReader(own, bytesOf(view));
  return Array.from(elements, (_, i) => Number(half(i)));
}

function isReadAs(own: ArrayDType, dtype: ArrayDType): boolean {
  if (own === 'u8') return dtype === 'bool';
  if (own === 'u16') return dtype === 'f16' || dtype === 'bf16';
  return (own === 'f32' && dtype === 'c64') || (own === 'f64' && dtype === 'c128');
}

/** Kernels take any byte but 0 for true; what is copied back is 0 or 1. */
function asStored(bytes: Uint8Array<ArrayBuffer>, dtype: ArrayDType): Uint8Array<ArrayBuffer> {
  if (dtype !== 'bool' || bytes.every((byte) => byte <= 1)) return bytes;
  return bytes.map((byte) => (byte === 0 ? 0 : 1));
}

/** Elements one by one, checked, as bytes of a dtype. */
export function ofElements(
  elements: ArrayLike<unknown>,
  shape: readonly number[],
  dtype: ArrayDType,
  what: string,
): HostElements {
  const bytes = new Uint8Array(sizeOf(shape) * arrayDTypes[dtype].size);
  const write = elementWriter(dtype, bytes);
  for (let i = 0; i < elements.length; i++) write(i, elements[i], `${what}: element ${i}`);
  return { dtype, shape, bytes };
}

/** Numbers of JavaScript are f32, unless another dtype is asked for. */
export function dtypeOfElements(elements: readonly WeakScalar[]): ArrayDType {
  if (elements.length === 0) return 'f32';
  if (elements.every((element) => typeof element === 'boolean')) return 'bool';
  if (elements.every((element) => typeof element === 'bigint')) return 'i64';
  return elements.some((element) => typeof element === 'object') ? 'c64' : 'f32';
}
