import type { Complex } from '../dtype.ts';

/** What an operation gives of complex numbers. */
export type ComplexFold = (a: Complex, b: Complex) => Complex | number | boolean;

const I_POWERS = 64;

function of(re: number, im: number): Complex {
  return { re, im };
}

function multiply(a: Complex, b: Complex): Complex {
  return of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/** Smith's way: no square overflows that the quotient would not. */
function divide(a: Complex, b: Complex): Complex {
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im === 0 ? b.im : b.im / b.re;
    const scale = b.re + b.im * ratio;
    return of((a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale);
  }
  const ratio = b.re / b.im;
  const scale = b.re * ratio + b.im;
  return of((a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale);
}

function abs(a: Complex): number {
  return Math.hypot(a.re, a.im);
}

function exp(a: Complex): Complex {
  const size = Math.exp(a.re);
  return a.im === 0 ? of(size, a.im) : of(size * Math.cos(a.im), size * Math.sin(a.im));
}

function log(a: Complex): Complex {
  return of(Math.log(abs(a)), Math.atan2(a.im, a.re));
}

function sqrt(a: Complex): Complex {
  const size = abs(a);
  if (size === 0) return of(0, a.im);
  const root = Math.sqrt((size + Math.abs(a.re)) / 2);
  const other = a.im / (2 * root);
  return a.re >= 0 ? of(root, other) : of(Math.abs(other), a.im < 0 || Object.is(a.im, -0) ? -root : root);
}

function pow(a: Complex, b: Complex): Complex {
  if (b.im === 0 && Number.isInteger(b.re) && Math.abs(b.re) <= I_POWERS) {
    let power = of(1, 0);
    for (let i = 0; i < Math.abs(b.re); i++) power = multiply(power, a);
    return b.re < 0 ? divide(of(1, 0), power) : power;
  }
  return a.re === 0 && a.im === 0 ? of(0, 0) : exp(multiply(b, log(a)));
}

/** Operations of scalars alone of which one is complex. Those that are rarely written so are not here. */
export const complexFolds: Readonly<Record<string, ComplexFold>> = {
  add: (a, b) => of(a.re + b.re, a.im + b.im),
  subtract: (a, b) => of(a.re - b.re, a.im - b.im),
  multiply,
  divide,
  pow,
  negative: (a) => of(-a.re, -a.im),
  positive: (a) => a,
  square: (a) => multiply(a, a),
  reciprocal: (a) => divide(of(1, 0), a),
  abs,
  sqrt,
  exp,
  log,
  real: (a) => a.re,
  imag: (a) => a.im,
  conj: (a) => of(a.re, -a.im),
  equal: (a, b) => a.re === b.re && a.im === b.im,
  notEqual: (a, b) => a.re !== b.re || a.im !== b.im,
  angle: (a) => Math.atan2(a.im, a.re),
  isreal: (a) => a.im === 0,
  iscomplex: (a) => a.im !== 0,
  isnan: (a) => Number.isNaN(a.re) || Number.isNaN(a.im),
  isinf: (a) => Math.abs(a.re) === Infinity || Math.abs(a.im) === Infinity,
  isfinite: (a) => Number.isFinite(a.re) && Number.isFinite(a.im),
};
