import { Slot } from './control.ts';

/** Write the words of a copy, a fill or a time stamp. */
export function describeMove(
  control: Int32Array,
  base: number,
  to: number,
  from: number,
  byteLength: number,
  value: number,
  width: number,
): void {
  control[base + Slot.TO] = to;
  control[base + Slot.FROM] = from;
  control[base + Slot.BYTES] = byteLength;
  control[base + Slot.VALUE] = value;
  control[base + Slot.WIDTH] = width;
}
