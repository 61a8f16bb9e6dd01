/** How a number goes to one of fewer digits: to nearest even, towards zero, up, down. */
export type Rounding = 'rn' | 'rz' | 'ru' | 'rd';
export const ROUNDINGS: readonly Rounding[] = ['rn', 'rz', 'ru', 'rd'];

/** A binary format. */
export interface Format {
  readonly digits: number;
  /** Exponent of the smallest normal number. */
  readonly lowest: number;
  /** The largest finite number. */
  readonly most: number;
}

export const HALF: Format = { digits: 11, lowest: -14, most: 65504 };
export const BFLOAT16: Format = { digits: 8, lowest: -126, most: (2 - 2 ** -7) * 2 ** 127 };
export const FLOAT: Format = { digits: 24, lowest: -126, most: (2 - 2 ** -23) * 2 ** 127 };
export const DOUBLE: Format = { digits: 53, lowest: -1022, most: Number.MAX_VALUE };

/** An integer, rounded. */
export function roundInteger(x: number, rounding: Rounding): number {
  if (rounding === 'rz') return Math.trunc(x);
  if (rounding === 'ru') return Math.ceil(x);
  const down = Math.floor(x);
  if (rounding === 'rd') return down;
  const rest = x - down;
  const up = rest > 0.5 || (rest === 0.5 && down % 2 !== 0);
  // Keeps the sign of a zero.
  return x === down ? x : up ? (down === -1 ? -0 : down + 1) : down;
}

/** A number in a format. */
export function round(x: number, { digits, lowest, most }: Format, rounding: Rounding): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  let exponent = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** exponent > Math.abs(x)) exponent--;
  if (2 ** (exponent + 1) <= Math.abs(x)) exponent++;
  const unit = Math.max(exponent, lowest) - digits + 1;
  // In two steps, since the power of two alone may be too small for a number.
  const half = Math.trunc(unit / 2);
  const scaled = x / 2 ** half / 2 ** (unit - half);
  const result = roundInteger(scaled, rounding) * 2 ** half * 2 ** (unit - half);
  if (Math.abs(result) <= most) return result === 0 ? Math.sign(x) * 0 : result;
  const away = rounding === 'rn' || (rounding === 'ru' && x > 0) || (rounding === 'rd' && x < 0);
  return Math.sign(x) * (away ? Infinity : most);
}

/** An integer of any length in a format; its result is finite. */
export function roundBig(x: bigint, { digits }: Format, rounding: Rounding): number {
  const magnitude = x < 0n ? -x : x;
  const extra = BigInt(Math.max(0, magnitude.toString(2).length - digits));
  const kept = magnitude >> extra;
  const rest = magnitude - (kept << extra);
  const half = extra > 0n ? 1n << (extra - 1n) : 1n;
  const nearest = rest > half || (rest === half && (kept & 1n) === 1n);
  const directed = rest !== 0n && ((rounding === 'ru' && x > 0n) || (rounding === 'rd' && x < 0n));
  const result = Number(kept + (rounding === 'rn' ? (nearest ? 1n : 0n) : directed ? 1n : 0n)) * 2 ** Number(extra);
  return x < 0n ? -result : result;
}

/** The value of 16 bits in a format. */
export function fromBits(bits: number, { digits, lowest }: Format): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const field = (bits & 0x7fff) >> (digits - 1);
  const fraction = bits & (2 ** (digits - 1) - 1);
  if (field === 3 - 2 * lowest) return fraction ? NaN : sign * Infinity;
  const significand = field ? fraction + 2 ** (digits - 1) : fraction;
  return sign * significand * 2 ** ((field || 1) - 1 + lowest - digits + 1);
}

/** The bits of a number that a 16-bit format has; those of NaN are CUDA's. */
export function toBits(x: number, { digits, lowest }: Format): number {
  if (Number.isNaN(x)) return 0x7fff;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(x);
  if (magnitude === Infinity) return sign + (3 - 2 * lowest) * 2 ** (digits - 1);
  let exponent = lowest;
  while (2 ** (exponent + 1) <= magnitude) exponent++;
  const significand = (magnitude / 2 ** exponent) * 2 ** (digits - 1);
  return sign + significand + (exponent - lowest) * 2 ** (digits - 1);
}
