/** What an operation gives of plain numbers. */
export type NumberFold = (a: number, b: number, c: number) => number | boolean;

/** What is left of a quotient that is rounded down. */
function remainder(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 || Object.is(b, -0) ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

function floorDivide(a: number, b: number): number {
  const rest = remainder(a, b);
  // Rounded before: the quotient itself may have been rounded up to an integer.
  return b === 0 || !Number.isFinite(rest) ? Math.floor(a / b) : Math.round((a - rest) / b);
}

/** C's: JavaScript gives NaN for powers of 1 to NaN and to the infinite. */
function pow(a: number, b: number): number {
  return a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b;
}

/** To the nearest integer; of two to the even one. */
function round(a: number): number {
  const low = Math.floor(a);
  const rest = a - low;
  if (rest === 0.5) return low % 2 === 0 ? low : low + 1;
  return rest < 0.5 ? low : low + 1;
}

function isNegative(a: number): boolean {
  return a < 0 || Object.is(a, -0);
}

function logaddexp(a: number, b: number): number {
  if (a === b) return a + Math.LN2;
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}

/** Operations of numbers alone, at JavaScript's precision. Those without a function there are not here. */
export const numberFolds: Readonly<Record<string, NumberFold>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  floorDivide,
  remainder,
  fmod: (a, b) => a % b,
  pow,
  negative: (a) => -a,
  positive: (a) => a,
  abs: Math.abs,
  sign: Math.sign,
  square: (a) => a * a,
  reciprocal: (a) => 1 / a,
  maximum: (a, b) => Math.max(a, b),
  minimum: (a, b) => Math.min(a, b),
  clip: (x, least, most) => Math.min(Math.max(x, least), most),
  sqrt: Math.sqrt,
  rsqrt: (a) => 1 / Math.sqrt(a),
  cbrt: Math.cbrt,
  exp: Math.exp,
  exp2: (a) => 2 ** a,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  deg2rad: (a) => (a * Math.PI) / 180,
  rad2deg: (a) => (a * 180) / Math.PI,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round,
  atan2: Math.atan2,
  hypot: (a, b) => Math.hypot(a, b),
  copysign: (a, b) => (isNegative(b) ? -Math.abs(a) : Math.abs(a)),
  logaddexp,
  signbit: isNegative,
  real: (a) => a,
  imag: () => 0,
  conj: (a) => a,
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  less: (a, b) => a < b,
  lessEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greaterEqual: (a, b) => a >= b,
  fmax: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  fmin: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  exp10: (a) => 10 ** a,
  ldexp: (a, b) => a * 2 ** b,
  sinc: (a) => (a === 0 ? 1 : Math.sin(Math.PI * a) / (Math.PI * a)),
  angle: (a) => Math.atan2(0, a),
  isreal: () => true,
  iscomplex: () => false,
  isposinf: (a) => a === Infinity,
  isneginf: (a) => a === -Infinity,
  isnan: Number.isNaN,
  isinf: (a) => Math.abs(a) === Infinity,
  isfinite: Number.isFinite,
};
