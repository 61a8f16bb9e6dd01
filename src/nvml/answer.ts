import type { Opaque } from '../ffi/ctype.ts';
import { nvmlError } from './errors.ts';
import { status } from './sys/enums.ts';

/** NVML's name of a device. */
export type RawDevice = Opaque<'nvmlDevice_t'>;

/** How the driver writes "not available" into a number of 64 bits, and of 32. */
const NONE_64 = 0xffff_ffff_ffff_ffffn;
const NONE_32 = 0xffff_ffff;

const [NOT_FOUND] = status.NVML_ERROR_NOT_FOUND;
const [INSUFFICIENT_SIZE] = status.NVML_ERROR_INSUFFICIENT_SIZE;

const uintSlot = new Uint32Array(1);
const ulongSlot = new BigUint64Array(1);
const textSlot = new Uint8Array(256);

/** The one number that a query gives. */
export function uint(query: (out: Uint32Array) => unknown): number {
  // Drivers have been seen to answer success and write nothing.
  uintSlot.fill(0);
  query(uintSlot);
  return uintSlot[0] ?? 0;
}

/** The one wide number that a query gives: exact up to 2^53. */
export function wide(query: (out: BigUint64Array) => unknown): number {
  return Number(bits(query));
}

/** The same, with all its bits. */
export function bits(query: (out: BigUint64Array) => unknown): bigint {
  ulongSlot.fill(0n);
  query(ulongSlot);
  return ulongSlot[0] ?? 0n;
}

/** Two numbers of one query. */
export function pair(query: (first: Uint32Array, second: Uint32Array) => unknown): readonly [number, number] {
  const slots = new Uint32Array(2);
  query(slots.subarray(0, 1), slots.subarray(1));
  return [slots[0] ?? 0, slots[1] ?? 0];
}

/** The text that a query gives. */
export function text(query: (out: Uint8Array, length: number) => unknown): string {
  query(textSlot, textSlot.byteLength);
  return textAt(textSlot);
}

/** The text at the start of some bytes, up to its NUL. */
export function textAt(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(bytes.subarray(0, end < 0 ? bytes.length : end)).toString();
}

/** The struct that a query gives. */
export function record({ size }: { readonly size: number }, query: (out: DataView) => unknown): DataView {
  const view = new DataView(new ArrayBuffer(size));
  query(view);
  return view;
}

/** A field of 64 bits; undefined where the driver has no value for it. */
export function wideAt(view: DataView, offset: number): number | undefined {
  const value = view.getBigUint64(offset, true);
  return value === NONE_64 ? undefined : Number(value);
}

/** A field of 32 bits; undefined where the driver has no value for it. */
export function uintAt(view: DataView, offset: number): number | undefined {
  const value = view.getUint32(offset, true);
  return value === NONE_32 ? undefined : value;
}

/** Lists grow while they are asked for. */
const HEADROOM = 8;
const MAX_TURNS = 100;

/**
 * A list whose length only the driver knows.
 *
 * @param routine - what `query` calls, for its error
 * @param size - of an element in bytes
 * @param query - is given the count, in and out, and room for that many elements (0n for none); returns the status
 * @param read - one element
 */
export function list<T>(
  routine: string,
  size: number,
  query: (count: Uint32Array, room: bigint | ArrayBuffer) => unknown,
  read: (view: DataView) => T,
): T[] {
  const count = new Uint32Array(1);
  let room = 0;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    count[0] = room;
    const buffer = new ArrayBuffer(room * size);
    const status = query(count, room === 0 ? 0n : buffer);
    const found = count[0];
    if (status === NOT_FOUND || (status === 0 && found === 0)) return [];
    if (status === 0 && room > 0) {
      return Array.from({ length: Math.min(found, room) }, (_, i) => read(new DataView(buffer, i * size, size)));
    }
    // Without room, some functions report the length as a success. One that reports none needs more room.
    room = Math.max(found, status === INSUFFICIENT_SIZE ? room : 0) + HEADROOM;
  }
  throw nvmlError(routine, INSUFFICIENT_SIZE, { reason: 'The list grew each time that it was asked for' });
}
