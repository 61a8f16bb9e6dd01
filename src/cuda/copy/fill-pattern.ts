import { checkInteger } from '../../core/check.ts';
import { Scalar } from '../../core/value.ts';

const FLOATS = { 1: 'int8(…)', 2: 'float16(…)', 4: 'float32(…)' } as const;
const slot = new DataView(new ArrayBuffer(8));

/** The bits that a fill repeats: a pattern, or what a value of a fixed type is in memory. */
export function fillPattern(value: unknown, bytes: 1 | 2 | 4, what: string): number {
  if (value instanceof Scalar) {
    if (value.byteLength !== bytes) {
      throw new TypeError(`${what} fills elements of ${bytes} bytes; ${value.toString()} has ${value.byteLength}`);
    }
    value.writeTo(slot, 0);
    return bytes === 1 ? slot.getUint8(0) : bytes === 2 ? slot.getUint16(0, true) : slot.getUint32(0, true);
  }
  const most = 2 ** (8 * bytes) - 1;
  if (typeof value === 'number' && (!Number.isInteger(value) || value < 0)) {
    throw new RangeError(
      `${what}: the value must be an integer from 0 to ${most}, got ${value} (the bits; ${FLOATS[bytes]} is a number)`,
    );
  }
  return checkInteger(value, `${what}: the value`, 0, most);
}
