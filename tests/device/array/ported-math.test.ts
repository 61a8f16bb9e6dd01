import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import type { Complex } from '../../../src/array/dtype.ts';
import { emptyLike } from '../../../src/array/creation/like.ts';
import { evaluate } from '../../../src/array/function/evaluate.ts';
import { fuse } from '../../../src/array/function/fuse.ts';
import { scope } from '../../../src/array/function/scope.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import type { FusedValue } from '../../../src/array/expression/fused-value.ts';
import { describeArrays } from '../../helpers/array-halves.ts';

// What PyCUDA's test_cumath and PyOpenCL's test_clmath check, by names of ours: tests/README.md has the rows.

const points = Float32Array.from({ length: 97 }, (_, i) => (i + 0.5) / 97);
const names = [
  ...['ceil', 'floor', 'abs', 'exp', 'log', 'log10', 'sqrt', 'sin', 'cos', 'tan'],
  ...['asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh'],
] as const;

/** Functions of complex numbers by their definitions. */
const { exp, hypot, cos, sin, cosh, sinh, atan2, log, sqrt } = Math;
const complexFunctions: Readonly<Record<string, (z: Complex) => Complex>> = {
  exp: ({ re, im }) => ({ re: exp(re) * cos(im), im: exp(re) * sin(im) }),
  log: ({ re, im }) => ({ re: log(hypot(re, im)), im: atan2(im, re) }),
  log10: ({ re, im }) => ({ re: log(hypot(re, im)) / Math.LN10, im: atan2(im, re) / Math.LN10 }),
  sqrt: ({ re, im }) => {
    const [r, phi] = [sqrt(hypot(re, im)), atan2(im, re) / 2];
    return { re: r * cos(phi), im: r * sin(phi) };
  },
  sin: ({ re, im }) => ({ re: sin(re) * cosh(im), im: cos(re) * sinh(im) }),
  cos: ({ re, im }) => ({ re: cos(re) * cosh(im), im: -sin(re) * sinh(im) }),
  tan: ({ re, im }) => {
    const below = cos(2 * re) + cosh(2 * im);
    return { re: sin(2 * re) / below, im: sinh(2 * im) / below };
  },
  sinh: ({ re, im }) => ({ re: sinh(re) * cos(im), im: cosh(re) * sin(im) }),
  cosh: ({ re, im }) => ({ re: cosh(re) * cos(im), im: sinh(re) * sin(im) }),
  tanh: ({ re, im }) => {
    const below = cosh(2 * re) + cos(2 * im);
    return { re: sinh(2 * re) / below, im: sin(2 * im) / below };
  },
};

/** Each of some functions of the same operand, in one kernel. */
function all(of: readonly string[]): (x: NDArray) => readonly NDArray[] {
  type Unary = Readonly<Record<string, () => FusedValue>>;
  const each = (x: FusedValue): FusedValue[] => of.map((name) => (x as unknown as Unary)[name]?.() ?? x);
  return fuse(each as (x: FusedValue) => [FusedValue, ...FusedValue[]]);
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 3e-5 * Math.max(1, Math.abs(other));

describeArrays("PyCUDA's cumath and PyOpenCL's clmath", (engine) => {
  test.each([3, 1])('functions of floats have the values of Math, with step %i', (step) => {
    scope(() => {
      const x = array(engine(), points).at(`::${step}`) as NDArray;
      const results = all(names)(x).map((result) => result.get() as Float32Array);
      const host = x.get() as Float32Array;
      const far = names.flatMap((name, f) => {
        const values = results[f] as Float32Array;
        return host.every((value, i) => isNear(values[i] ?? NaN, Math[name](value))) ? [] : [name];
      });
      expect(far).toEqual([]);
    });
  });

  test('functions of complex numbers have the values of their definitions', () => {
    scope(() => {
      const host = Array.from(points, (re, i): Complex => ({ re, im: Math.fround(0.8 - i / 60) }));
      const x = array(engine(), host);
      const complexNames = Object.keys(complexFunctions);
      const results = all(complexNames)(x).map((result) => result.toArray() as Complex[]);
      const far = complexNames.flatMap((name, f) => {
        const isRight = host.every((z, i) => {
          const { re, im } = complexFunctions[name]?.(z) ?? z;
          const found = results[f]?.[i];
          return found !== undefined && isNear(found.re, re) && isNear(found.im, im);
        });
        return isRight ? [] : [name];
      });
      expect(far).toEqual([]);
    });
  });

  test('functions of two operands: atan2, atan2 in half turns, the remainder as in C', () => {
    scope(() => {
      const [x, y] = [
        [1, -2, 3.5],
        [2, 0.5, -4],
      ] as const;
      const [a, b] = [array(engine(), x), array(engine(), y)];
      const near = (found: NDArray, of: (x: number, y: number) => number): void => {
        const values = found.get() as Float32Array;
        expect(x.map((value, i) => isNear(values[i] ?? NaN, of(value, y[i] ?? NaN)))).toEqual([true, true, true]);
      };
      near(a.atan2(b), Math.atan2);
      near(evaluate`atan2(${a}, ${b}) / pi`, (u, v) => Math.atan2(u, v) / Math.PI);
      near(a.fmod(b), (u, v) => u % v);
    });
  });

  test('fraction and integer, significand and exponent come from other functions', () => {
    scope(() => {
      const a = array(engine(), [0.75, -2.5, 48, 1000]);
      expect([a.sub(a.trunc()).toArray(), a.trunc().toArray()]).toEqual([
        [0.75, -0.5, 0, 0],
        [0, -2, 48, 1000],
      ]);
      const exponent = evaluate`floor(log2(abs(${a}))) + 1`;
      const significand = evaluate`${a} * exp2(-${exponent})`;
      expect(exponent.toArray()).toEqual([0, 2, 6, 10]);
      expect(significand.toArray()).toEqual([0.75, -0.625, 0.75, 0.9765625]);
      expect(evaluate`${significand} * exp2(${exponent})`.toArray()).toEqual(a.toArray());
    });
  });

  test('a function writes into the array that it is given, and returns it', () => {
    scope(() => {
      const a = array(engine(), points);
      const out = emptyLike(a);
      expect(a.sin({ out })).toBe(out);
      expect(isNear(Number(out.item(50)), Math.sin(points[50] ?? NaN))).toBe(true);
      expect(() => a.sin({ out: a.at(':5') })).toThrow(RangeError);
    });
  });
});
