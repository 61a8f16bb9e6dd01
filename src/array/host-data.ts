import { nameOf } from '../core/check.ts';
import { dtypes, type DTypes } from '../core/dtype.ts';
import { trueByteLength } from '../core/host-memory.ts';
import { arrayDTypes, isComplex, isTrue, type ArrayDType } from './dtype.ts';
import type { PrintedElement } from './printable.ts';

/** The typed array that holds the elements of a dtype on the host. Half floats are their bits, complex numbers pairs of parts. */
export type ArrayData<D extends ArrayDType> = Arrays[D];

interface Arrays extends DTypes {
  bool: DTypes['u8'];
  c64: DTypes['f32'];
  c128: DTypes['f64'];
}

/** Any typed array that holds elements. */
export type TypedArray = Arrays[keyof Arrays];

/** An array of the host for elements of a dtype. */
export function hostArray<D extends ArrayDType>(dtype: D, length: number): ArrayData<D> {
  const { part, kind } = arrayDTypes[dtype];
  const { array, size } = dtypes[part];
  const parts = kind === 'complex' ? 2 * length : length;
  return new array(new ArrayBuffer(parts * size), 0, parts) as unknown as ArrayData<D>;
}

/** The bytes of a typed array. */
export function bytesOf(array: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, trueByteLength(array));
}

/** What reads elements of bytes as JavaScript has them. */
export function elementReader(dtype: ArrayDType, bytes: Uint8Array<ArrayBuffer>): (index: number) => PrintedElement {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { part, kind, size } = arrayDTypes[dtype];
  const { read } = dtypes[part];
  if (kind === 'bool') return (i) => read(view, i) !== 0;
  if (kind !== 'complex') return (i) => read(view, i * size);
  return (i) => ({ re: Number(read(view, i * size)), im: Number(read(view, i * size + size / 2)) });
}

/** What writes elements into bytes; it throws for one that the dtype does not hold. */
export function elementWriter(
  dtype: ArrayDType,
  bytes: Uint8Array<ArrayBuffer>,
): (index: number, value: unknown, what: string) => void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { part, kind, size } = arrayDTypes[dtype];
  const { write, check } = dtypes[part];
  if (kind === 'bool') {
    return (i, value, what) => {
      if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'bigint') {
        throw new TypeError(`${what} must be true or false, got ${nameOf(value)}`);
      }
      view.setUint8(i, isTrue(value) ? 1 : 0);
    };
  }
  if (kind === 'complex') {
    return (i, value, what) => {
      const { re, im } = isComplex(value) ? value : { re: value, im: 0 };
      write(view, i * size, check(re, what));
      write(view, i * size + size / 2, check(im, what));
    };
  }
  return (i, value, what) => {
    write(view, i * size, check(typeof value === 'boolean' ? Number(value) : value, what));
  };
}
