import type { ArrayDType, Complex } from '../../src/array/dtype.ts';
import type { Expected, Value } from './elementwise-reference.ts';

/** What arithmetic of complex numbers gives. Functions have tables in their tests. */
export function complexReference(name: string, [a = ZERO, b = ZERO]: readonly Complex[], dtype: ArrayDType): Expected {
  const exact = exactly[name]?.(a, b);
  if (exact !== undefined) return { value: exact, ulps: 0 };
  const about = nearly[name]?.(a, b, dtype === 'c64' ? Math.fround : (x) => x);
  if (about === undefined) throw new Error(`no reference for ${name} of ${dtype}`);
  const scale =
    name === 'multiply'
      ? Math.hypot(a.re, a.im) * Math.hypot(b.re, b.im)
      : name === 'square'
        ? a.re * a.re + a.im * a.im
        : 0;
  return { value: about, ulps: 6, scale };
}

const ZERO: Complex = { re: 0, im: 0 };

const exactly: Readonly<Record<string, (a: Complex, b: Complex) => Value>> = {
  add: (a, b) => ({ re: a.re + b.re, im: a.im + b.im }),
  subtract: (a, b) => ({ re: a.re - b.re, im: a.im - b.im }),
  negative: ({ re, im }) => ({ re: -re, im: -im }),
  positive: (a) => a,
  conj: ({ re, im }) => ({ re, im: -im }),
  real: ({ re }) => re,
  imag: ({ im }) => im,
  equal: (a, b) => a.re === b.re && a.im === b.im,
  notEqual: (a, b) => a.re !== b.re || a.im !== b.im,
  isnan: ({ re, im }) => Number.isNaN(re) || Number.isNaN(im),
  isinf: ({ re, im }) => Math.abs(re) === Infinity || Math.abs(im) === Infinity,
  isfinite: ({ re, im }) => Number.isFinite(re) && Number.isFinite(im),
  isreal: ({ im }) => im === 0,
  iscomplex: ({ im }) => im !== 0,
};

const nearly: Readonly<Record<string, (a: Complex, b: Complex, round: (x: number) => number) => Value>> = {
  multiply: product,
  square: (a, _, round) => product(a, a, round),
  divide: quotient,
  abs: ({ re, im }) => Math.hypot(re, im),
  angle: ({ re, im }) => Math.atan2(im, re),
};

/** Products that overflow in f32 do so here. */
function product(a: Complex, b: Complex, round: (x: number) => number): Complex {
  return {
    re: round(a.re * b.re) - round(a.im * b.im),
    im: round(a.re * b.im) + round(a.im * b.re),
  };
}

/** The larger part of the divisor is divided by first. */
function quotient(a: Complex, b: Complex): Complex {
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    if (b.re === 0 && b.im === 0) return { re: a.re / Math.abs(b.re), im: a.im / Math.abs(b.re) };
    const ratio = b.im / b.re;
    const scale = 1 / (b.re + b.im * ratio);
    return { re: (a.re + a.im * ratio) * scale, im: (a.im - a.re * ratio) * scale };
  }
  const ratio = b.re / b.im;
  const scale = 1 / (b.im + b.re * ratio);
  return { re: (a.re * ratio + a.im) * scale, im: (a.im * ratio - a.re) * scale };
}
