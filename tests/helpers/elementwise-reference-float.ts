import type { ArrayDType } from '../../src/array/dtype.ts';
import { addExact, big, roundTo } from './exact-math.ts';
import type { Expected, Value } from './elementwise-reference.ts';

/** Rounds after each step, as a device does in f32. */
type Round = (x: number) => number;
type Real = (a: number, b: number, c: number, round: Round) => number | boolean;

/** What operations give of real numbers: in f64, where the device may compute in f32. */
export function floatReference(name: string, operands: readonly Value[], dtype: ArrayDType): Expected {
  const [a = 0, b = 0, c = 0] = operands.map(Number);
  if (name === 'nextafter') return { value: nextAfter(a, b, dtype), ulps: 0 };
  if (name === 'nanToNum') return { value: finite(a, dtype), ulps: 0 };
  const exact = exactly[name];
  if (exact) return { value: exact(a, b, c, dtype === 'f64' ? (x) => x : Math.fround), ulps: 0 };
  const [ulps, about] = nearly[name] ?? [];
  if (ulps === undefined || about === undefined) throw new Error(`no reference for ${name} of ${dtype}`);
  const value = about(a, b, c, Math.fround);
  // The sum of logarithms may be next to 0.
  return name.startsWith('logaddexp') ? { value, ulps, scale: Math.abs(b) } : { value, ulps };
}

const isNegative = (a: number): boolean => a < 0 || Object.is(a, -0);

function nearest(a: number): number {
  const low = Math.floor(a);
  const rest = a - low;
  const whole = rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
  return whole === 0 && isNegative(a) ? -0 : whole;
}

function remainder(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return isNegative(b) ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

/** The steps of NumPy. */
function floorDivide(a: number, b: number, round: Round): number {
  if (b === 0) return a / b;
  const rest = a % b;
  let quotient = round(round(a - rest) / b);
  if (rest !== 0 && b < 0 !== rest < 0) quotient = round(quotient - 1);
  if (quotient === 0) return isNegative(a) === isNegative(b) ? 0 : -0;
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

/** Rounded once. */
function fma(a: number, b: number, c: number, round: Round): number {
  if (![a, b, c].every(Number.isFinite) || a * b === 0 || c === 0) return a * b + c;
  const [x, y] = [big(a), big(b)];
  const sum = addExact({ m: x.m * y.m, e: x.e + y.e }, big(c));
  return sum.m === 0n ? 0 : roundTo(sum, round === Math.fround);
}

/** In three steps, since 2 to the exponent alone may be no number. */
function scaled(a: number, b: number): number {
  const exponent = Math.max(Math.min(b, 2100), -2100);
  const part = Math.trunc(exponent / 3);
  return a * 2 ** part * 2 ** part * 2 ** (exponent - 2 * part);
}

/** The power is the base's own: e to a product would lose the bits that the product is rounded to. */
function logOfSum(a: number, b: number, unit: number, power: (x: number) => number): number {
  if (a === b) return a + Math.LN2 / unit;
  const most = Math.max(a, b);
  return most + Math.log1p(power(Math.min(a, b) - most)) / unit;
}

const greater: Real = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));
const lesser: Real = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));

const exactly: Readonly<Record<string, Real>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  floorDivide: (a, b, _, round) => floorDivide(a, b, round),
  remainder,
  fmod: (a, b) => a % b,
  negative: (a) => -a,
  positive: (a) => a,
  abs: Math.abs,
  sign: (a) => (a === 0 ? 0 : Math.sign(a)),
  square: (a) => a * a,
  reciprocal: (a) => 1 / a,
  maximum: (a, b) => Math.max(a, b),
  minimum: (a, b) => Math.min(a, b),
  fmax: greater,
  fmin: lesser,
  clip: (x, least, most) => Math.min(Math.max(x, least), most),
  fma,
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  less: (a, b) => a < b,
  lessEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greaterEqual: (a, b) => a >= b,
  isnan: (a) => Number.isNaN(a),
  isinf: (a) => Math.abs(a) === Infinity,
  isposinf: (a) => a === Infinity,
  isneginf: (a) => a === -Infinity,
  isfinite: (a) => Number.isFinite(a),
  isreal: () => true,
  iscomplex: () => false,
  real: (a) => a,
  imag: () => 0,
  conj: (a) => a,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round: nearest,
  copysign: (a, b) => (isNegative(b) ? -Math.abs(a) : Math.abs(a)),
  signbit: isNegative,
  heaviside: (x, middle) => (Number.isNaN(x) ? x : x === 0 ? middle : x > 0 ? 1 : 0),
  ldexp: scaled,
};

/** With the units in the last place that OpenCL allows, and one for JavaScript's own function. */
const nearly: Readonly<Record<string, readonly [ulps: number, Real]>> = {
  rsqrt: [3, (a) => 1 / Math.sqrt(a)],
  cbrt: [3, Math.cbrt],
  exp: [4, Math.exp],
  exp2: [4, (a) => 2 ** a],
  exp10: [4, (a) => 10 ** a],
  expm1: [4, Math.expm1],
  log: [4, Math.log],
  log2: [4, Math.log2],
  log10: [4, Math.log10],
  log1p: [3, Math.log1p],
  sin: [5, Math.sin],
  cos: [5, Math.cos],
  tan: [6, Math.tan],
  asin: [5, Math.asin],
  acos: [5, Math.acos],
  atan: [6, Math.atan],
  sinh: [5, Math.sinh],
  cosh: [5, Math.cosh],
  tanh: [6, Math.tanh],
  asinh: [5, Math.asinh],
  acosh: [5, Math.acosh],
  atanh: [6, Math.atanh],
  deg2rad: [2, (a) => (a * Math.PI) / 180],
  rad2deg: [2, (a) => (a * 180) / Math.PI],
  angle: [7, (a) => Math.atan2(0, a)],
  atan2: [7, Math.atan2],
  hypot: [5, (a, b) => Math.hypot(a, b)],
  logaddexp: [6, (a, b) => logOfSum(a, b, 1, Math.exp)],
  logaddexp2: [6, (a, b) => logOfSum(a, b, Math.LN2, (x) => 2 ** x)],
  pow: [17, (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b)],
};

/** How floats of a dtype lie in integers. */
const LAYOUTS = { f16: [16, 10], bf16: [16, 7], f32: [32, 23], f64: [64, 52] } as const;

const view = new DataView(new ArrayBuffer(8));

/** The neighbour: one more or one less as an integer. */
function nextAfter(a: number, b: number, dtype: ArrayDType): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return NaN;
  if (a === b) return b;
  const [, digits] = LAYOUTS[dtype as keyof typeof LAYOUTS];
  const least = { f16: -14, bf16: -126, f32: -126, f64: -1022 }[dtype as keyof typeof LAYOUTS];
  if (a === 0) return (b > 0 ? 1 : -1) * 2 ** (least - digits);
  const isAway = a < b === a > 0;
  if (dtype === 'f64') {
    view.setFloat64(0, a);
    view.setBigInt64(0, view.getBigInt64(0) + (isAway ? 1n : -1n));
    return view.getFloat64(0);
  }
  const most = { f16: 65504, bf16: 0xff * 2 ** 120, f32: 0xffffff * 2 ** 104 }[dtype as 'f16'];
  if (Math.abs(a) === Infinity) return Math.sign(a) * most;
  if (isAway && Math.abs(a) === most) return Math.sign(a) * Infinity;
  // Powers of 2 have a shorter step towards 0.
  const exponent = Math.floor(Math.log2(Math.abs(a)));
  const step = 2 ** (Math.max(!isAway && 2 ** exponent === Math.abs(a) ? exponent - 1 : exponent, least) - digits);
  const next = Math.abs(a) + (isAway ? step : -step);
  return a < 0 ? -next : next;
}

function finite(a: number, dtype: ArrayDType): number {
  const most = { f16: 65504, bf16: 0xff * 2 ** 120, f32: 0xffffff * 2 ** 104, f64: Number.MAX_VALUE }[dtype as 'f16'];
  return Number.isNaN(a) ? 0 : Math.abs(a) === Infinity ? Math.sign(a) * most : a;
}
