import { contiguous } from '../../array/layout.ts';
import { sizeOf } from '../../array/shape.ts';
import type { ElementType } from '../kernel-type.ts';
import { outOfBounds } from './fault.ts';
import { newRecords, type RecordStorage } from './record.ts';

/** What an array is stored in. */
export type Storage =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** What the elements of an array are in. */
export type Elements = Storage | RecordStorage;

interface StorageKind {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): Storage;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Storage;
}

/** The typed arrays by what they hold: halves and truth values as their bits. */
export const STORAGES: Readonly<Record<ElementType, StorageKind>> = {
  bool: Uint8Array,
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** An array of several axes, or with gaps. */
export class KernelView {
  readonly data: Elements;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  // Properties of their own: this is what each access reads.
  readonly shape0: number;
  readonly shape1: number;
  readonly shape2: number;
  readonly shape3: number;
  readonly stride0: number;
  readonly stride1: number;
  readonly stride2: number;
  readonly stride3: number;

  constructor(data: Elements, offset: number, shape: readonly number[], strides: readonly number[]) {
    this.data = data;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
    [this.shape0 = 1, this.shape1 = 1, this.shape2 = 1, this.shape3 = 1] = shape;
    [this.stride0 = 0, this.stride1 = 0, this.stride2 = 0, this.stride3 = 0] = strides;
  }

  get size(): number {
    return sizeOf(this.shape);
  }
}

// `tile[1][0]` in the watch of a debugger. Kernels compute the place of an element, and never ask for it so.
Object.setPrototypeOf(
  KernelView.prototype,
  new Proxy(Object.prototype, {
    get(target, key, view): unknown {
      if (typeof key !== 'string' || !/^\d+$/.test(key) || !(view instanceof KernelView))
        return Reflect.get(target, key, view);
      const index = Number(key);
      if (index >= view.shape0) return undefined;
      const offset = view.offset + index * view.stride0;
      const shape = view.shape.slice(1);
      return shape.length === 0
        ? Reflect.get(view.data, offset)
        : new KernelView(view.data, offset, shape, view.strides.slice(1));
    },
  }),
);

/** Places of elements, which are looked at before: in each axis by itself, so that no row runs over into the next. */
export const places = {
  at: (length: number, index: number, site: number): number => {
    if (index >= 0 && index < length) return index;
    throw outOfBounds(site, [index], [length]);
  },
  at1: (a: KernelView, i: number, site: number): number => {
    if (i >= 0 && i < a.shape0) return a.offset + i * a.stride0;
    throw outOfBounds(site, [i], a.shape);
  },
  at2: (a: KernelView, i: number, j: number, site: number): number => {
    if (i >= 0 && i < a.shape0 && j >= 0 && j < a.shape1) return a.offset + i * a.stride0 + j * a.stride1;
    throw outOfBounds(site, [i, j], a.shape);
  },
  at3: (a: KernelView, i: number, j: number, k: number, site: number): number => {
    if (i >= 0 && i < a.shape0 && j >= 0 && j < a.shape1 && k >= 0 && k < a.shape2)
      return a.offset + i * a.stride0 + j * a.stride1 + k * a.stride2;
    throw outOfBounds(site, [i, j, k], a.shape);
  },
  at4: (a: KernelView, i: number, j: number, k: number, l: number, site: number): number => {
    const isInside =
      i >= 0 && i < a.shape0 && j >= 0 && j < a.shape1 && k >= 0 && k < a.shape2 && l >= 0 && l < a.shape3;
    if (isInside) return a.offset + i * a.stride0 + j * a.stride1 + k * a.stride2 + l * a.stride3;
    throw outOfBounds(site, [i, j, k, l], a.shape);
  },
  /** A row whose elements follow each other, as a typed array. */
  row: (a: KernelView, indices: readonly number[], site: number): Elements => {
    const start = startOf(a, indices, site);
    return a.data.subarray(start, start + (a.shape.at(-1) ?? 0));
  },
  part: (a: KernelView, indices: readonly number[], site: number): KernelView =>
    new KernelView(a.data, startOf(a, indices, site), a.shape.slice(indices.length), a.strides.slice(indices.length)),
  newFlat: (element: ElementType, shape: readonly number[]): Storage => newFlat(element, shape),
  newArray: (element: ElementType, shape: readonly number[]): Elements | KernelView =>
    shaped(newFlat(element, shape), shape),
  newRecords: (size: number, shape: readonly number[]): Elements | KernelView =>
    shaped(newRecords(size, sizeOf(shape)), shape),
};

function startOf(a: KernelView, indices: readonly number[], site: number): number {
  let start = a.offset;
  for (const [axis, index] of indices.entries()) {
    if (index < 0 || index >= (a.shape[axis] ?? 0)) throw outOfBounds(site, indices, a.shape);
    start += index * (a.strides[axis] ?? 0);
  }
  return start;
}

export function newFlat(element: ElementType, shape: readonly number[]): Storage {
  return new STORAGES[element](sizeOf(shape));
}

/** Elements that follow each other, as an array of a shape. */
export function shaped(data: Elements, shape: readonly number[]): Elements | KernelView {
  return shape.length === 1 ? data : new KernelView(data, 0, shape, contiguous(shape).strides);
}
