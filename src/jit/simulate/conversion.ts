import { SCALARS, type ScalarName } from '../kernel-type.ts';
import { Fault } from './fault.ts';

function outside(value: number, type: string, site: number): Fault {
  const shown = Object.is(value, -0) ? '-0' : String(value);
  return new Fault(
    site,
    `conversion of ${shown} to ${type}, which does not hold it`,
    '; devices give different values here: clamp the number before',
  );
}

function narrow(type: ScalarName): (value: number, site: number) => number {
  const { bits, signed } = SCALARS[type];
  const [least, most] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  return (value, site) => {
    const whole = Math.trunc(value);
    // 0 is added: integers have no -0.
    if (whole >= least && whole <= most) return whole + 0;
    throw outside(value, type, site);
  };
}

function wide(type: 'i64' | 'u64'): (value: number, site: number) => bigint {
  const [least, end] = type === 'i64' ? [-(2 ** 63), 2 ** 63] : [0, 2 ** 64];
  return (value, site) => {
    const whole = Math.trunc(value);
    if (whole >= least && whole < end) return BigInt(whole);
    throw outside(value, type, site);
  };
}

/** Floats to integers: the fraction is cut off. What does not fit is undefined in C, and an error here. */
export const cut: Readonly<Record<string, (value: number, site: number) => number | bigint>> = {
  i8: narrow('i8'),
  u8: narrow('u8'),
  i16: narrow('i16'),
  u16: narrow('u16'),
  i32: narrow('i32'),
  u32: narrow('u32'),
  i64: wide('i64'),
  u64: wide('u64'),
};

/** An integer of 64 bits as f32, rounded once: what 53 bits do not hold leaves a bit behind that decides ties. */
export function wideToF32(value: bigint): number {
  const size = value < 0n ? -value : value;
  if (size < 2n ** 53n) return Math.fround(Number(value));
  const kept = (size >> 16n) << 16n;
  const sticky = kept === size ? kept : kept | (1n << 16n);
  return Math.fround(Number(value < 0n ? -sticky : sticky));
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

function floatOf(bits: number): number {
  word[0] = bits;
  return float[0] as number;
}

function bitsOf(value: number): number {
  float[0] = value;
  return word[0] as number;
}

/** Halves as their bits; the numbers are those of the helpers of the devices, in `array/kernel/half-helper.ts`. */
export const f16 = {
  load: (bits: number): number => {
    const sign = (bits & 0x8000) << 16;
    const rest = (bits & 0x7fff) << 13;
    if (rest >= 0x0f800000) return floatOf(sign | 0x7f800000 | rest);
    return floatOf(sign | bitsOf(floatOf(rest) * 2 ** 112));
  },
  store: (value: number): number => {
    const all = bitsOf(value);
    const sign = (all >>> 16) & 0x8000;
    const bits = all & 0x7fffffff;
    if (bits > 0x7f800000) return sign | 0x7e00;
    if (bits >= 0x477ff000) return sign | 0x7c00;
    if (bits < 0x38800000) return sign | (bitsOf(floatOf(bits) + 0.5) - 0x3f000000);
    return sign | ((bits - 0x37fff001 + ((bits >>> 13) & 1)) >>> 13);
  },
};

/** The upper halves of floats. */
export const bf16 = {
  load: (bits: number): number => floatOf(bits << 16),
  store: (value: number): number => {
    const bits = bitsOf(value);
    if ((bits & 0x7fffffff) > 0x7f800000) return ((bits >>> 16) | 0x40) & 0xffff;
    return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
  },
};
