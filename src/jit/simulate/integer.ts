import { Fault } from './fault.ts';

const MIN_32 = -(2 ** 31);

function overflow(type: string, text: string, site: number): Fault {
  return new Fault(
    site,
    `overflow of ${type}: ${text}`,
    `; write ${type === 'i64' ? 'cuda.int64(…)' : '(…) | 0'} around the whole where it must wrap around, or compute in cuda.float64${type === 'i64' ? '' : ' or cuda.int64'}`,
  );
}

function checked(value: bigint, a: bigint, sign: string, b: bigint, site: number): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw overflow('i64', `${a} ${sign} ${b}`, site);
}

function byZero(a: number | bigint, sign: string, site: number): Fault {
  return new Fault(site, `integer division by zero: ${a} ${sign} 0`);
}

/** Sums whose overflow the kernel did not ask for: C leaves it undefined. `| 0` keeps -0 out, which integers do not have. */
export const sum = {
  i32: (a: number, b: number, site: number): number => {
    const whole = a + b;
    const value = whole | 0;
    if (value === whole) return value;
    throw overflow('i32', `${a} + ${b}`, site);
  },
  i64: (a: bigint, b: bigint, site: number): bigint => checked(a + b, a, '+', b, site),
};

export const difference = {
  i32: (a: number, b: number, site: number): number => {
    const whole = a - b;
    const value = whole | 0;
    if (value === whole) return value;
    throw overflow('i32', `${a} - ${b < 0 ? `(${b})` : b}`, site);
  },
  i64: (a: bigint, b: bigint, site: number): bigint => checked(a - b, a, '-', b, site),
};

export const product = {
  // A product of more than 53 bits is rounded, but not into the range of 32.
  i32: (a: number, b: number, site: number): number => {
    const whole = a * b;
    const value = whole | 0;
    if (value === whole) return value;
    throw overflow('i32', `${a} * ${b}`, site);
  },
  i64: (a: bigint, b: bigint, site: number): bigint => checked(a * b, a, '*', b, site),
};

/** Quotients, rounded towards zero. */
export const quotient = {
  i32: (a: number, b: number, site: number): number => {
    if (b === 0) throw byZero(a, '/', site);
    if (a === MIN_32 && b === -1) throw overflow('i32', `${a} / ${b}`, site);
    return (a / b) | 0;
  },
  u32: (a: number, b: number, site: number): number => {
    if (b === 0) throw byZero(a, '/', site);
    return (a / b) >>> 0;
  },
  i64: (a: bigint, b: bigint, site: number): bigint => {
    if (b === 0n) throw byZero(a, '/', site);
    return checked(a / b, a, '/', b, site);
  },
  u64: (a: bigint, b: bigint, site: number): bigint => {
    if (b === 0n) throw byZero(a, '/', site);
    return a / b;
  },
};

function remainderOf(a: number, b: number, site: number): number {
  if (b === 0) throw byZero(a, '%', site);
  return a % b;
}

function wideRemainder(a: bigint, b: bigint, site: number): bigint {
  if (b === 0n) throw byZero(a, '%', site);
  return a % b;
}

/** What a division leaves, with the sign of the dividend. */
export const remainder = {
  i32: (a: number, b: number, site: number): number => remainderOf(a, b, site) | 0,
  u32: (a: number, b: number, site: number): number => remainderOf(a, b, site) >>> 0,
  i64: (a: bigint, b: bigint, site: number): bigint => wideRemainder(a, b, site),
  u64: (a: bigint, b: bigint, site: number): bigint => wideRemainder(a, b, site),
};

type Integer = 'i32' | 'u32' | 'i64' | 'u64';

/** The quotient, rounded down. */
export function floorQuotient(type: Integer, a: number & bigint, b: number & bigint, site: number): number | bigint {
  const whole: number | bigint = quotient[type](a, b, site);
  const isExact = typeof whole === 'bigint' ? whole * (b as bigint) === (a as bigint) : whole * b === a;
  if (isExact || a < 0 === b < 0) return whole;
  return typeof whole === 'bigint' ? whole - 1n : whole - 1;
}

/** By squaring; it wraps around. */
export function integerPower(type: Integer, x: number | bigint, n: number): number | bigint {
  const isWide = type.endsWith('64');
  const value = BigInt.asUintN(64, BigInt(x));
  let [result, factor] = [1n, value];
  for (let rest = n; rest > 0; rest >>= 1) {
    if (rest & 1) result = BigInt.asUintN(64, result * factor);
    factor = BigInt.asUintN(64, factor * factor);
  }
  const bits = isWide ? 64 : 32;
  const whole = type.startsWith('i') ? BigInt.asIntN(bits, result) : BigInt.asUintN(bits, result);
  return isWide ? whole : Number(whole);
}

export function abs(type: string, x: number | bigint, site: number): number | bigint {
  if (typeof x === 'bigint') return x < 0n ? checked(-x, 0n, '-', x, site) : x;
  if (type === 'i32' && x === MIN_32) throw overflow('i32', `Math.abs(${x})`, site);
  return Math.abs(x);
}
