/** A number m · 2^e. Results that cannot be exact have 160 bits and more. */
export interface Big {
  readonly m: bigint;
  readonly e: number;
}

/** The digits kept after each inexact step. */
const BITS = 160;
/** Fixed-point numbers inside the functions have so many binary digits after the point. */
const FIXED = 224;
/** 1 as a fixed-point number. */
export const ONE: bigint = 1n << BigInt(FIXED);

function bitLength(m: bigint): number {
  const hex = (m < 0n ? -m : m).toString(16);
  return 4 * hex.length - Math.clz32(parseInt(hex.slice(0, 1), 16)) + 28;
}

/** m · 2^n, rounded down. */
function shift(m: bigint, n: number): bigint {
  return n >= 0 ? m << BigInt(n) : m >> BigInt(-n);
}

function cut(m: bigint, e: number): Big {
  const extra = m === 0n ? 0 : bitLength(m) - BITS;
  return extra > 64 ? { m: shift(m, -extra), e: e + extra } : { m, e };
}

const view = new DataView(new ArrayBuffer(8));

/** A double, exactly. It must be finite. */
export function big(x: number): Big {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const m = (bits & 0xfffffffffffffn) | (field > 0 ? 1n << 52n : 0n);
  return { m: bits >> 63n ? -m : m, e: Math.max(field, 1) - 1075 };
}

export const ZERO: Big = { m: 0n, e: 0 };
export const UNIT: Big = { m: 1n, e: 0 };

export const neg = (a: Big): Big => ({ m: -a.m, e: a.e });
export const abs = (a: Big): Big => (a.m < 0n ? neg(a) : a);
/** a · 2^k */
export const twice = (a: Big, k = 1): Big => ({ m: a.m, e: a.e + k });
/** The sum, exact. */
export function addExact(a: Big, b: Big): Big {
  const e = Math.min(a.e, b.e);
  return { m: (a.m << BigInt(a.e - e)) + (b.m << BigInt(b.e - e)), e };
}
export function add(a: Big, b: Big): Big {
  if (a.m === 0n) return b;
  if (b.m === 0n) return a;
  // A part that lies far below the other's last digit only costs time.
  const gap = bitLength(a.m) + a.e - bitLength(b.m) - b.e;
  if (Math.abs(gap) > 2 * FIXED) return gap > 0 ? a : b;
  const s = addExact(a, b);
  return cut(s.m, s.e);
}
export const sub = (a: Big, b: Big): Big => add(a, neg(b));
/** The product, exact for short factors. */
export const mul = (a: Big, b: Big): Big => cut(a.m * b.m, a.e + b.e);
export function div(a: Big, b: Big): Big {
  const up = Math.max(0, BITS + 8 + bitLength(b.m) - bitLength(a.m));
  return { m: (a.m << BigInt(up)) / b.m, e: a.e - up - b.e };
}
export function sqrt(a: Big): Big {
  if (a.m === 0n) return a;
  let up = Math.max(0, 2 * BITS - bitLength(a.m));
  if ((a.e - up) % 2 !== 0) up++;
  return { m: rootOf(a.m << BigInt(up)), e: (a.e - up) / 2 };
}
function rootOf(n: bigint): bigint {
  let x = 1n << BigInt((bitLength(n) + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}
export const int = (n: number): Big => ({ m: BigInt(n), e: 0 });
/** -1, 0 or 1 */
const signOf = (a: Big): number => (a.m > 0n ? 1 : a.m < 0n ? -1 : 0);
export const less = (a: Big, b: Big): boolean => addExact(a, neg(b)).m < 0n;

/** The nearest double or so: within an ulp. */
export function near(a: Big): number {
  if (a.m === 0n) return 0;
  const extra = Math.max(0, bitLength(a.m) - 60);
  const e = a.e + extra;
  const m = Number(shift(a.m, -extra));
  return e > 0 ? m * 2 ** Math.min(e, 1023) * 2 ** (e > 1023 ? e - 1023 : 0) : m * 2 ** (e >> 1) * 2 ** (e - (e >> 1));
}

export const toFixed = (a: Big): bigint => shift(a.m, a.e + FIXED);
export const fixed = (m: bigint): Big => ({ m, e: -FIXED });
/** The product of fixed-point numbers. */
export const times = (a: bigint, b: bigint): bigint => (a * b) >> BigInt(FIXED);
/** 1 + z/d(1) + z²/(d(1) d(2)) + … */
export function series(z: Big, divisor: (k: number) => number): Big {
  const f = toFixed(z);
  let sum = ONE;
  let term = ONE;
  for (let k = 1; term !== 0n && term !== -1n; k++) {
    term = times(term, f) / BigInt(divisor(k));
    sum += term;
  }
  return fixed(sum);
}

// ---- Constants ----

/** arctan(1/n) or artanh(1/n), with `digits` binary digits. */
function inverse(n: bigint, digits: number, sign: bigint): bigint {
  let power = (1n << BigInt(digits)) / n;
  let sum = power;
  for (let k = 1n; power !== 0n; k++) {
    power = (power * sign) / (n * n);
    sum += power / (2n * k + 1n);
  }
  return sum;
}
/** π to 1500 digits: for the greatest arguments of sines. */
const PI_DIGITS = 1536;
const PI_LONG = (16n * inverse(5n, PI_DIGITS, -1n) - 4n * inverse(239n, PI_DIGITS, -1n)) >> 0n;
export const PI: Big = { m: PI_LONG >> BigInt(PI_DIGITS - FIXED), e: -FIXED };
export const LN2: Big = fixed(2n * inverse(3n, FIXED, 1n));
export const LN10: Big = fixed(6n * inverse(3n, FIXED, 1n) + 2n * inverse(9n, FIXED, 1n));
/** Euler's constant. */
export const EULER: Big = fixed(
  (577215664901532860606512090082402431042159335939923598805767234884867726777664670937n * ONE) / 10n ** 84n,
);

// ---- Elementary functions ----

export function exp(x: Big): Big {
  const k = Math.round(near(x) / Math.LN2);
  const squarings = 10;
  const r = sub(x, { m: LN2.m * BigInt(k), e: LN2.e });
  let sum = toFixed(series(twice(r, -squarings), (i) => i));
  for (let i = 0; i < squarings; i++) sum = times(sum, sum);
  return { m: sum, e: k - FIXED };
}

/** e^x - 1 */
export function expm1(x: Big): Big {
  if (Math.abs(near(x)) > 2 ** -60) return sub(exp(x), UNIT);
  return add(x, add(twice(mul(x, x), -1), div(mul(x, mul(x, x)), int(6))));
}

export function log(x: Big): Big {
  let k = bitLength(x.m) + x.e;
  let m = twice(x, -k); // 1/2 … 1
  if (near(m) < 0.7) [k, m] = [k - 1, twice(m)];
  const y = big(Math.log(near(m)));
  // Halley's rule: three times the digits.
  const e = exp(y);
  return add(add(y, twice(div(sub(m, e), add(m, e)))), { m: LN2.m * BigInt(k), e: LN2.e });
}

/** ln(1 + x) */
export function log1p(x: Big): Big {
  if (Math.abs(near(x)) > 2 ** -60) return log(add(UNIT, x));
  return add(sub(x, twice(mul(x, x), -1)), div(mul(x, mul(x, x)), int(3)));
}

/** Sine and cosine of quarter turns: x · π/2. */
function sinCosQuarters(quarters: bigint, rest: bigint): [Big, Big] {
  const square = times(rest, rest);
  let s = 0n;
  let c = 0n;
  let term = ONE;
  for (let i = 0; term !== 0n && term !== -1n; i += 2) {
    c += term;
    const odd = term / BigInt(i + 1);
    s += odd;
    term = -times(odd, square) / BigInt(i + 2);
  }
  const sine = cut(rest * s, -2 * FIXED);
  const cosine = fixed(c);
  const turn = Number(((quarters % 4n) + 4n) % 4n);
  if (turn === 0) return [sine, cosine];
  if (turn === 1) return [cosine, neg(sine)];
  return turn === 2 ? [neg(sine), neg(cosine)] : [neg(cosine), sine];
}

/** Sine and cosine. */
export function sinCos(x: Big): [Big, Big] {
  if (bitLength(x.m) + x.e < -70) {
    const square = twice(mul(x, x), -1);
    return [sub(x, div(mul(x, square), int(3))), sub(UNIT, square)];
  }
  const half = PI_LONG >> 1n;
  const long = shift(x.m, x.e + PI_DIGITS);
  const quarters = (long + (half >> 1n)) / half - (long + (half >> 1n) < 0n ? 1n : 0n);
  return sinCosQuarters(quarters, (long - quarters * half) >> BigInt(PI_DIGITS - FIXED));
}

/** Sine and cosine of πx. */
export function sinCosPi(x: Big): [Big, Big] {
  const unit = shift(x.m, x.e + FIXED + 1); // in half units of x
  const quarters = (unit + (ONE >> 1n)) >> BigInt(FIXED);
  const rest = unit - quarters * ONE;
  if (quarters === 0n && bitLength(x.m) + x.e < -60) return [mul(PI, x), UNIT];
  return sinCosQuarters(quarters, times(rest, PI.m >> 1n));
}

export function atan(x: Big): Big {
  const y = big(Math.atan(near(x)));
  if (y.m === 0n || bitLength(x.m) + x.e < -70) return sub(x, div(mul(x, mul(x, x)), int(3)));
  const [s, c] = sinCos(y);
  const t = div(sub(mul(x, c), s), add(c, mul(x, s)));
  return add(y, sub(t, div(mul(t, mul(t, t)), int(3))));
}

/** The angle of the point (x, y). */
export function atan2(y: Big, x: Big): Big {
  if (x.m === 0n) return twice(signOf(y) < 0 ? neg(PI) : PI, -1);
  const angle = y.m === 0n ? ZERO : atan(div(y, x));
  return x.m > 0n ? angle : y.m < 0n ? sub(angle, PI) : add(angle, PI);
}

// ---- Comparing ----

export type Direction = 'nearest' | 'zero' | 'up' | 'down';

/** What a float or a double with this value would be in a rounding direction; a zero is positive. */
export function roundTo(a: Big, single: boolean, direction: Direction = 'nearest'): number {
  if (a.m === 0n) return 0;
  const negative = a.m < 0n;
  const m = negative ? -a.m : a.m;
  const place = Math.max(bitLength(m) + a.e - (single ? 24 : 53), single ? -149 : -1074);
  const two = shift(m, a.e - place + 2); // two digits behind the last place
  const sticky = two !== 0n || m !== 0n ? shift(two, place - 2 - a.e) !== m : false;
  const rest = Number(two & 3n) + (sticky ? 0.5 : 0);
  let whole = two >> 2n;
  if (direction === 'nearest') {
    if (rest > 2 || (rest === 2 && (whole & 1n) === 1n)) whole++;
  } else if (rest > 0 && direction !== 'zero' && (direction === 'up') !== negative) whole++;
  const value = Number(whole) * 2 ** (place > 0 ? place : place >> 1) * (place > 0 ? 1 : 2 ** (place - (place >> 1)));
  const limit = single ? 2 ** 128 : Infinity;
  const away = direction === 'nearest' || (direction !== 'zero' && (direction === 'up') !== negative);
  const greatest = single ? 3.4028234663852886e38 : Number.MAX_VALUE;
  const y = value < limit ? value : away ? Infinity : greatest;
  return negative ? -y : y;
}

/** By how many units in the last place of the true value `actual` misses it. */
export function ulpError(actual: number, exact: Big | number, single: boolean): number {
  if (typeof exact === 'number') return Object.is(actual, exact) ? 0 : Infinity;
  if (Number.isNaN(actual)) return Infinity;
  if (!Number.isFinite(actual)) return roundTo(exact, single) === actual ? 0 : Infinity;
  if (exact.m === 0n) return actual === 0 ? 0 : Infinity;
  const place = Math.max(bitLength(exact.m) + exact.e - (single ? 24 : 53), single ? -149 : -1074);
  const difference = addExact(big(actual), neg(exact));
  return Math.abs(Number(shift(difference.m, difference.e - place + 20))) / 2 ** 20;
}
