import { STORAGES } from '../../src/jit/simulate/kernel-view.ts';
import type { RandomType } from './random-jit-forms.ts';

/** Numbers from 0 to 1 by a seed: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What arrays of the host hold. */
export type HostType = Exclude<RandomType, 'bool'>;

export const HOST_TYPES: readonly HostType[] = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f32', 'f64'];

/** A typed array as any other. */
export interface Numbers extends ArrayBufferView, Iterable<number | bigint> {
  readonly length: number;
  [index: number]: number | bigint;
}

export function newNumbers(type: HostType, length: number): Numbers {
  return new STORAGES[type](length);
}

/** The ends of the types, and what lies beside them. */
export const EDGE_INTEGERS: readonly bigint[] = [
  0n, 1n, -1n, 2n, 7n, 31n, 32n, 33n, 63n, 64n, 127n, 128n, 255n, 256n, -128n, -129n, 32767n, 32768n, 65535n, 65536n, -32768n,
  2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n,
  2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n, 0x7fff_ffbf_ffff_ffffn, 0x4000_0040_0000_0001n,
]; // prettier-ignore

/** Zeros, halves, ends of integer types, subnormals, ties of f32, what is not finite. */
export const EDGE_FLOATS: readonly number[] = [
  0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -1.5, -0.3, 0.49999999999999994, 0.1, NaN, Infinity, -Infinity, 1e-45, -1e-45, 1.1754942e-38,
  1.1754943508222875e-38, 5e-324, 2.2250738585072014e-308, 3.4028234663852886e38, -3.4028234663852886e38, 2 ** 128 - 2 ** 103, 1.7976931348623157e308,
  16777216, 16777217, 1 + 2 ** -24, 1 + 2 ** -24 + 2 ** -50, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) - 0.5, 2 ** 32, 2 ** 32 - 0.5,
  2 ** 53, 2 ** 63, -(2 ** 63), 2 ** 64, 127.5, 128, -128.9, 255.5, 256, -0.9, 65504, 65520, 8388609.5, 4503599627370495.5,
]; // prettier-ignore

function integer(number: () => number): bigint {
  const kind = number();
  if (kind < 0.35) return EDGE_INTEGERS[Math.floor(number() * EDGE_INTEGERS.length)] as bigint;
  if (kind < 0.65) return BigInt(Math.floor(number() * 200 - 100));
  const bits = (BigInt(Math.floor(number() * 2 ** 32)) << 32n) | BigInt(Math.floor(number() * 2 ** 32));
  return BigInt.asIntN(64, bits) >> BigInt(Math.floor(number() * 60));
}

const bits = new DataView(new ArrayBuffer(8));

function float(number: () => number): number {
  const kind = number();
  if (kind < 0.35) return EDGE_FLOATS[Math.floor(number() * EDGE_FLOATS.length)] as number;
  if (kind < 0.8) return (number() - 0.5) * 10 ** Math.floor(number() * 12 - 4);
  bits.setUint32(0, number() * 2 ** 32);
  bits.setUint32(4, number() * 2 ** 32);
  return kind < 0.9 ? bits.getFloat64(0) : bits.getFloat32(0);
}

/** Random elements of a type, those at its ends often. */
export function randomElements(type: HostType, length: number, number: () => number): Numbers {
  const list = newNumbers(type, length);
  for (let i = 0; i < length; i++) {
    if (type === 'f32' || type === 'f64') list[i] = float(number);
    else if (type === 'i64' || type === 'u64') list[i] = integer(number);
    else list[i] = Number(BigInt.asIntN(32, integer(number)));
  }
  return list;
}

/** The arrays that random programs read, by name: two of each type. */
export function randomJitInputs(seed: number, length: number): ReadonlyMap<string, Numbers> {
  const number = randomNumbers(seed ^ 0x5eed);
  return new Map(
    HOST_TYPES.flatMap((type) =>
      ['a', 'b'].map((letter) => [`${type}${letter}`, randomElements(type, length, number)] as const),
    ),
  );
}
