import { describe, expect, test } from '@jest/globals';
import type { FloatPart } from '../../../src/array/decimal.ts';
import { formatFloat, formatPlain } from '../../../src/array/format-float.ts';
import { formatArray } from '../../../src/array/format.ts';
import { expectPrinted, printable, type Case } from '../../helpers/printed.ts';

// Of NumPy 2.4.
const CASES: readonly Case[] = [
  ['f32', [3], [1, 2, 3], {}, '[1. 2. 3.]', 'NDArray([1., 2., 3.], dtype=f32)'],
  ['f64', [3], [0.5, 1, 2.25], {}, '[0.5  1.   2.25]', 'NDArray([0.5 , 1.  , 2.25], dtype=f64)'],
  ['f32', [3], [0.1, 0.2, 0.3], {}, '[0.1 0.2 0.3]', 'NDArray([0.1, 0.2, 0.3], dtype=f32)'],
  [
    'f16',
    [3],
    [0.1, 0.3333333333333333, 3.14159],
    {},
    '[0.1    0.3333 3.14  ]',
    'NDArray([0.1   , 0.3333, 3.14  ], dtype=f16)',
  ],
  [
    'f64',
    [2],
    [0.3333333333333333, 0.6666666666666666],
    {},
    '[0.33333333 0.66666667]',
    'NDArray([0.33333333, 0.66666667], dtype=f64)',
  ],
  [
    'f32',
    [2],
    [0.3333333333333333, 0.6666666666666666],
    {},
    '[0.33333334 0.6666667 ]',
    'NDArray([0.33333334, 0.6666667 ], dtype=f32)',
  ],
  ['f64', [3], [-1.5, 0, -0], {}, '[-1.5  0.  -0. ]', 'NDArray([-1.5,  0. , -0. ], dtype=f64)'],
  ['f64', [4], [1, NaN, 2.5, Infinity], {}, '[1.  nan 2.5 inf]', 'NDArray([1. , nan, 2.5, inf], dtype=f64)'],
  ['f64', [4], [1, -Infinity, 2.5, NaN], {}, '[ 1.  -inf  2.5  nan]', 'NDArray([ 1. , -inf,  2.5,  nan], dtype=f64)'],
  ['f64', [2], [NaN, NaN], {}, '[nan nan]', 'NDArray([nan, nan], dtype=f64)'],
  ['f32', [3], [NaN, Infinity, -Infinity], {}, '[ nan  inf -inf]', 'NDArray([ nan,  inf, -inf], dtype=f32)'],
  ['f64', [2], [99999999, 10000000], {}, '[99999999. 10000000.]', 'NDArray([99999999., 10000000.], dtype=f64)'],
  ['f64', [2], [100000000, 1], {}, '[1.e+08 1.e+00]', 'NDArray([1.e+08, 1.e+00], dtype=f64)'],
  ['f32', [2], [999999, 100000], {}, '[999999. 100000.]', 'NDArray([999999., 100000.], dtype=f32)'],
  ['f32', [2], [1000000, 1], {}, '[1.e+06 1.e+00]', 'NDArray([1.e+06, 1.e+00], dtype=f32)'],
  // Their quotient is more than 1000, but not in f16.
  ['f16', [2], [106.9375, 0.10693359375], {}, '[106.94      0.10693]', 'NDArray([106.94   ,   0.10693], dtype=f16)'],
  ['f16', [2], [999, 1], {}, '[999.   1.]', 'NDArray([999.,   1.], dtype=f16)'],
  ['f16', [2], [1000, 1], {}, '[1.e+03 1.e+00]', 'NDArray([1.e+03, 1.e+00], dtype=f16)'],
  ['f64', [2], [0.0001, 0.01], {}, '[0.0001 0.01  ]', 'NDArray([0.0001, 0.01  ], dtype=f64)'],
  ['f64', [2], [9e-5, 0.01], {}, '[9.e-05 1.e-02]', 'NDArray([9.e-05, 1.e-02], dtype=f64)'],
  ['f32', [2], [0.0001, 0.01], {}, '[0.0001 0.01  ]', 'NDArray([0.0001, 0.01  ], dtype=f32)'],
  ['f64', [2], [1, 1000], {}, '[   1. 1000.]', 'NDArray([   1., 1000.], dtype=f64)'],
  ['f64', [2], [1, 1001], {}, '[1.000e+00 1.001e+03]', 'NDArray([1.000e+00, 1.001e+03], dtype=f64)'],
  ['f64', [3], [0.5, 600, 0], {}, '[5.e-01 6.e+02 0.e+00]', 'NDArray([5.e-01, 6.e+02, 0.e+00], dtype=f64)'],
  ['f64', [2], [1e100, 1.5], {}, '[1.0e+100 1.5e+000]', 'NDArray([1.0e+100, 1.5e+000], dtype=f64)'],
  ['f64', [2], [1e-10, NaN], {}, '[1.e-10    nan]', 'NDArray([1.e-10,    nan], dtype=f64)'],
  [
    'f64',
    [3],
    [1e-10, -Infinity, 100000],
    {},
    '[1.e-10   -inf 1.e+05]',
    'NDArray([1.e-10,   -inf, 1.e+05], dtype=f64)',
  ],
  [
    'f64',
    [2],
    [5e-324, 1.7976931348623157e308],
    {},
    '[4.94065646e-324 1.79769313e+308]',
    'NDArray([4.94065646e-324, 1.79769313e+308], dtype=f64)',
  ],
  [
    'f32',
    [2],
    [1.401298464324817e-45, 3.4028234663852886e38],
    {},
    '[1.4012985e-45 3.4028235e+38]',
    'NDArray([1.4012985e-45, 3.4028235e+38], dtype=f32)',
  ],
  [
    'f32',
    [2],
    [1.2379400392853803e27, 1],
    {},
    '[1.2379401e+27 1.0000000e+00]',
    'NDArray([1.2379401e+27, 1.0000000e+00], dtype=f32)',
  ],
  ['f64', [2], [1e-9, 1], { suppress: true }, '[0. 1.]', 'NDArray([0., 1.], dtype=f64)'],
  ['f64', [2], [-1e-9, 10000], { suppress: true }, '[   -0. 10000.]', 'NDArray([   -0., 10000.], dtype=f64)'],
  ['f64', [2], [100000000, 0.001], { suppress: true }, '[1.e+08 1.e-03]', 'NDArray([1.e+08, 1.e-03], dtype=f64)'],
  [
    'f64',
    [3],
    [1.23456789012, 2.5, 3],
    { precision: 3 },
    '[1.235 2.5   3.   ]',
    'NDArray([1.235, 2.5  , 3.   ], dtype=f64)',
  ],
  ['f64', [3], [0.5, 1.5, 2.5], { precision: 0 }, '[0. 2. 2.]', 'NDArray([0., 2., 2.], dtype=f64)'],
  ['f64', [3], [0.125, 0.375, 0.9996], { precision: 2 }, '[0.12 0.38 1.  ]', 'NDArray([0.12, 0.38, 1.  ], dtype=f64)'],
  [
    'f64',
    [2],
    [0.3333333333333333, 0.6666666666666666],
    { precision: 20 },
    '[0.3333333333333333 0.6666666666666666]',
    'NDArray([0.3333333333333333, 0.6666666666666666], dtype=f64)',
  ],
  ['f32', [2], [0.1, 1e-7], { precision: 20 }, '[1.e-01 1.e-07]', 'NDArray([1.e-01, 1.e-07], dtype=f32)'],
  [
    'f64',
    [2],
    [1234567890.123, 9.99999e-5],
    { precision: 2 },
    '[1.23e+09 1.00e-04]',
    'NDArray([1.23e+09, 1.00e-04], dtype=f64)',
  ],
  [
    'f32',
    [2, 2],
    [1, 2, 3, 4.5],
    {},
    ['[[1.  2. ]', ' [3.  4.5]]'],
    ['NDArray([[1. , 2. ],', '         [3. , 4.5]], dtype=f32)'],
  ],
];

test.each(CASES)('floats are printed as NumPy does: %s %j %j %j', (...row) => {
  expectPrinted(row);
});

describe('bf16, which NumPy does not have', () => {
  test('prints the shortest decimals that name its numbers', () => {
    expect(formatArray(printable('bf16', [4], [0.1, 1 / 3, 3.14159, 99]))).toBe('[ 0.1    0.334  3.14  99.   ]');
  });

  test('has an exponent where two digits do not name its integers', () => {
    expect(formatArray(printable('bf16', [2], [99.5, 1]))).toBe('[99.5  1. ]');
    expect(formatArray(printable('bf16', [2], [992, 256]))).toBe('[9.92e+02 2.56e+02]');
  });
});

test.each<[number, FloatPart, string, string]>([
  [0, 'f64', '0.0', '0'],
  [-0, 'f64', '-0.0', '-0'],
  [9999999999999998, 'f64', '9999999999999998.0', '9999999999999998'],
  [1e16, 'f64', '1e+16', '1e+16'],
  [1.5e300, 'f64', '1.5e+300', '1.5e+300'],
  [0.0001, 'f64', '0.0001', '0.0001'],
  [0.00009, 'f64', '9e-05', '9e-05'],
  [999999.9, 'f32', '999999.9', '999999.9'],
  [1000001, 'f32', '1.000001e+06', '1.000001e+06'],
  // The float nearest to 0.0001 is less than it.
  [0.0001, 'f32', '1e-04', '1e-04'],
  [999.5, 'f16', '999.5', '999.5'],
  [1001, 'f16', '1.001e+03', '1.001e+03'],
  [-Infinity, 'f32', '-inf', '-inf'],
  [NaN, 'f32', 'nan', 'nan'],
])('%d of %s alone is %s, in a complex number %s', (value, part, alone, plain) => {
  expect([formatFloat(value, part), formatPlain(value, part)]).toEqual([alone, plain]);
});
