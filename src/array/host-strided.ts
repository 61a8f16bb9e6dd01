import { nameOf } from '../core/check.ts';
import type { HostSource } from './host-source.ts';
import { extentOf, isContiguous, type Layout } from './layout.ts';
import { asList, checkRank, sizeOf } from './shape.ts';
import { classOf } from './typed-class.ts';

/** An array of scijs: the elements of a list, along strides. */
interface Strided {
  readonly data: ArrayLike<unknown>;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
}

const BITS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;

/** Whether an object has the fields of an ndarray of scijs. */
export function isStrided(value: object): value is Strided {
  const { data, shape, stride, offset } = value as Partial<Record<keyof Strided, unknown>>;
  return (
    typeof data === 'object' &&
    asList(shape) !== undefined &&
    asList(stride) !== undefined &&
    typeof offset === 'number'
  );
}

/**
 * The elements in row-major order.
 *
 * @throws TypeError what has them is no list
 * @throws RangeError they do not lie in the list
 */
export function stridedElements({ data, shape, stride, offset }: Strided, what: string): HostSource {
  if (!asList(data)) throw new TypeError(`${what}: data must be a typed array or an Array, got ${nameOf(data)}`);
  const layout: Layout = { shape: Array.from(shape), strides: Array.from(stride), offset };
  checkLayout(layout, data.length, what);
  const size = sizeOf(layout.shape);
  if (classOf(data) === '') {
    const elements = new Array<unknown>(size);
    gather(layout, (to, from) => (elements[to] = data[from]));
    return { data: elements, shape: layout.shape };
  }
  const typed = data as unknown as Uint8Array;
  if (isContiguous(layout)) return { data: typed.subarray(offset, offset + size), shape: layout.shape };
  const Bits = BITS[typed.BYTES_PER_ELEMENT as keyof typeof BITS];
  const from = new Bits(typed.buffer as ArrayBuffer, typed.byteOffset, typed.length);
  const to = new Bits(size);
  gather(layout, (at, place) => (to[at] = from[place] as never));
  const Class = typed.constructor as new (buffer: ArrayBuffer) => Uint8Array;
  return { data: new Class(to.buffer), shape: layout.shape };
}

function checkLayout(layout: Layout, length: number, what: string): void {
  const { shape, strides, offset } = layout;
  checkRank(shape.length, `${what}: shape`);
  if (shape.length !== strides.length) {
    throw new RangeError(`${what}: stride must have ${shape.length} numbers as shape has, got ${strides.length}`);
  }
  const isWhole = [...shape, ...strides, offset].every((number) => Number.isSafeInteger(number));
  if (!isWhole || shape.some((each) => each < 0)) {
    throw new RangeError(`${what}: shape, stride and offset must be integers, and no length negative`);
  }
  const [first, last] = extentOf(layout) ?? [0, -1];
  if (first >= 0 && last < length) return;
  throw new RangeError(
    `${what}: the elements must lie in the ${length} of data, got places ${first} to ${last}; look at stride and offset`,
  );
}

/** Call with the place of each element in row-major order, and in the memory. */
function gather({ shape, strides, offset }: Layout, each: (to: number, from: number) => void): void {
  let to = 0;
  const walk = (axis: number, from: number): void => {
    const length = shape[axis];
    if (length === undefined) {
      each(to++, from);
      return;
    }
    for (let i = 0; i < length; i++) walk(axis + 1, from + i * (strides[axis] ?? 0));
  };
  walk(0, offset);
}
