import { describe, expect, test } from '@jest/globals';
import { describeArray, formatArray } from '../../../src/array/format.ts';
import { shownRanges } from '../../../src/array/printable.ts';
import { expectPrinted, printable, type Case } from '../../helpers/printed.ts';

// Of NumPy 2.4.
const CASES: readonly Case[] = [
  ['i32', [3], [1, -20, 300], {}, '[  1 -20 300]', 'NDArray([  1, -20, 300], dtype=i32)'],
  ['i8', [2], [-128, 127], {}, '[-128  127]', 'NDArray([-128,  127], dtype=i8)'],
  [
    'u8',
    [2, 2],
    [1, 255, 0, 10],
    {},
    ['[[  1 255]', ' [  0  10]]'],
    ['NDArray([[  1, 255],', '         [  0,  10]], dtype=u8)'],
  ],
  [
    'i64',
    [2],
    [-9223372036854775808n, 9223372036854775807n],
    {},
    '[-9223372036854775808  9223372036854775807]',
    'NDArray([-9223372036854775808,  9223372036854775807], dtype=i64)',
  ],
  [
    'u64',
    [2],
    [18446744073709551615n, 0n],
    {},
    '[18446744073709551615                    0]',
    'NDArray([18446744073709551615,                    0], dtype=u64)',
  ],
  ['bool', [3], [true, false, true], {}, '[ True False  True]', 'NDArray([ True, False,  True], dtype=bool)'],
  ['bool', [2], [true, true], {}, '[ True  True]', 'NDArray([ True,  True], dtype=bool)'],
  [
    'bool',
    [2, 2],
    [true, false, false, false],
    {},
    ['[[ True False]', ' [False False]]'],
    ['NDArray([[ True, False],', '         [False, False]], dtype=bool)'],
  ],
  [
    'c128',
    [2],
    [
      { re: 1, im: 2 },
      { re: -0.5, im: -3 },
    ],
    {},
    '[ 1. +2.j -0.5-3.j]',
    'NDArray([ 1. +2.j, -0.5-3.j], dtype=c128)',
  ],
  [
    'c64',
    [2],
    [
      { re: 0.1, im: 0.2 },
      { re: 1, im: -10.5 },
    ],
    {},
    '[0.1 +0.2j 1. -10.5j]',
    'NDArray([0.1 +0.2j, 1. -10.5j], dtype=c64)',
  ],
  [
    'c128',
    [2],
    [
      { re: 1, im: NaN },
      { re: -Infinity, im: Infinity },
    ],
    {},
    '[  1.+nanj -inf+infj]',
    'NDArray([  1.+nanj, -inf+infj], dtype=c128)',
  ],
  [
    'c64',
    [2],
    [
      { re: 1e-7, im: 1 },
      { re: 2, im: 1000000000 },
    ],
    {},
    '[1.e-07+1.e+00j 2.e+00+1.e+09j]',
    'NDArray([1.e-07+1.e+00j, 2.e+00+1.e+09j], dtype=c64)',
  ],
  [
    'c128',
    [2],
    [
      { re: 0, im: -0 },
      { re: NaN, im: 1.25 },
    ],
    {},
    '[ 0.-0.j   nan+1.25j]',
    'NDArray([ 0.-0.j  , nan+1.25j], dtype=c128)',
  ],
  [
    'i32',
    [2, 2, 2],
    [0, 1, 2, 3, 4, 5, 6, 7],
    {},
    ['[[[0 1]', '  [2 3]]', '', ' [[4 5]', '  [6 7]]]'],
    ['NDArray([[[0, 1],', '          [2, 3]],', '', '         [[4, 5],', '          [6, 7]]], dtype=i32)'],
  ],
  [
    'i32',
    [1, 2, 1, 2],
    [1, 2, 3, 4],
    {},
    ['[[[[1 2]]', '', '  [[3 4]]]]'],
    ['NDArray([[[[1, 2]],', '', '          [[3, 4]]]], dtype=i32)'],
  ],
  ['i32', [1, 1, 1, 1], [7], {}, '[[[[7]]]]', 'NDArray([[[[7]]]], dtype=i32)'],
  [
    'i32',
    [30],
    (i) => i,
    {},
    ['[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23', ' 24 25 26 27 28 29]'],
    [
      'NDArray([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,',
      '         16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],',
      '        dtype=i32)',
    ],
  ],
  [
    'f64',
    [2, 12],
    (i) => i / 8,
    {},
    [
      '[[0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375]',
      ' [1.5   1.625 1.75  1.875 2.    2.125 2.25  2.375 2.5   2.625 2.75  2.875]]',
    ],
    [
      'NDArray([[0.   , 0.125, 0.25 , 0.375, 0.5  , 0.625, 0.75 , 0.875, 1.   ,',
      '          1.125, 1.25 , 1.375],',
      '         [1.5  , 1.625, 1.75 , 1.875, 2.   , 2.125, 2.25 , 2.375, 2.5  ,',
      '          2.625, 2.75 , 2.875]], dtype=f64)',
    ],
  ],
  [
    'i32',
    [1001],
    (i) => i,
    {},
    '[   0    1    2 ...  998  999 1000]',
    ['NDArray([   0,    1,    2, ...,  998,  999, 1000],', '        shape=(1001,), dtype=i32)'],
  ],
  [
    'f32',
    [40, 50],
    (i) => i / 4,
    {},
    [
      '[[0.0000e+00 2.5000e-01 5.0000e-01 ... 1.1750e+01 1.2000e+01 1.2250e+01]',
      ' [1.2500e+01 1.2750e+01 1.3000e+01 ... 2.4250e+01 2.4500e+01 2.4750e+01]',
      ' [2.5000e+01 2.5250e+01 2.5500e+01 ... 3.6750e+01 3.7000e+01 3.7250e+01]',
      ' ...',
      ' [4.6250e+02 4.6275e+02 4.6300e+02 ... 4.7425e+02 4.7450e+02 4.7475e+02]',
      ' [4.7500e+02 4.7525e+02 4.7550e+02 ... 4.8675e+02 4.8700e+02 4.8725e+02]',
      ' [4.8750e+02 4.8775e+02 4.8800e+02 ... 4.9925e+02 4.9950e+02 4.9975e+02]]',
    ],
    [
      'NDArray([[0.0000e+00, 2.5000e-01, 5.0000e-01, ..., 1.1750e+01,',
      '          1.2000e+01, 1.2250e+01],',
      '         [1.2500e+01, 1.2750e+01, 1.3000e+01, ..., 2.4250e+01,',
      '          2.4500e+01, 2.4750e+01],',
      '         [2.5000e+01, 2.5250e+01, 2.5500e+01, ..., 3.6750e+01,',
      '          3.7000e+01, 3.7250e+01],',
      '         ...,',
      '         [4.6250e+02, 4.6275e+02, 4.6300e+02, ..., 4.7425e+02,',
      '          4.7450e+02, 4.7475e+02],',
      '         [4.7500e+02, 4.7525e+02, 4.7550e+02, ..., 4.8675e+02,',
      '          4.8700e+02, 4.8725e+02],',
      '         [4.8750e+02, 4.8775e+02, 4.8800e+02, ..., 4.9925e+02,',
      '          4.9950e+02, 4.9975e+02]], shape=(40, 50), dtype=f32)',
    ],
  ],
  [
    'i32',
    [3, 400],
    (i) => i,
    {},
    [
      '[[   0    1    2 ...  397  398  399]',
      ' [ 400  401  402 ...  797  798  799]',
      ' [ 800  801  802 ... 1197 1198 1199]]',
    ],
    [
      'NDArray([[   0,    1,    2, ...,  397,  398,  399],',
      '         [ 400,  401,  402, ...,  797,  798,  799],',
      '         [ 800,  801,  802, ..., 1197, 1198, 1199]],',
      '        shape=(3, 400), dtype=i32)',
    ],
  ],
  [
    'i32',
    [400, 3],
    (i) => i,
    {},
    [
      '[[   0    1    2]',
      ' [   3    4    5]',
      ' [   6    7    8]',
      ' ...',
      ' [1191 1192 1193]',
      ' [1194 1195 1196]',
      ' [1197 1198 1199]]',
    ],
    [
      'NDArray([[   0,    1,    2],',
      '         [   3,    4,    5],',
      '         [   6,    7,    8],',
      '         ...,',
      '         [1191, 1192, 1193],',
      '         [1194, 1195, 1196],',
      '         [1197, 1198, 1199]], shape=(400, 3), dtype=i32)',
    ],
  ],
  [
    'u8',
    [12, 10, 9],
    (i) => i % 7,
    { edgeItems: 1 },
    ['[[[0 ... 1]', '  ...', '  [4 ... 5]]', '', ' ...', '', ' [[3 ... 4]', '  ...', '  [0 ... 1]]]'],
    [
      'NDArray([[[0, ..., 1],',
      '          ...,',
      '          [4, ..., 5]],',
      '',
      '         ...,',
      '',
      '         [[3, ..., 4],',
      '          ...,',
      '          [0, ..., 1]]], shape=(12, 10, 9), dtype=u8)',
    ],
  ],
  [
    'i32',
    [12],
    (i) => i,
    { threshold: 10 },
    '[ 0  1  2 ...  9 10 11]',
    'NDArray([ 0,  1,  2, ...,  9, 10, 11], shape=(12,), dtype=i32)',
  ],
  [
    'i32',
    [12],
    (i) => i,
    { threshold: 10, edgeItems: 1 },
    '[ 0 ... 11]',
    'NDArray([ 0, ..., 11], shape=(12,), dtype=i32)',
  ],
  ['i32', [5], (i) => i, { threshold: 0 }, '[0 1 2 3 4]', 'NDArray([0, 1, 2, 3, 4], shape=(5,), dtype=i32)'],
  [
    'i32',
    [20],
    (i) => i,
    { lineWidth: 20 },
    ['[ 0  1  2  3  4  5', '  6  7  8  9 10 11', ' 12 13 14 15 16 17', ' 18 19]'],
    [
      'NDArray([ 0,  1,',
      '          2,  3,',
      '          4,  5,',
      '          6,  7,',
      '          8,  9,',
      '         10, 11,',
      '         12, 13,',
      '         14, 15,',
      '         16, 17,',
      '         18, 19],',
      '        dtype=i32)',
    ],
  ],
  [
    'i32',
    [3],
    [100, 200, 300],
    { lineWidth: 1 },
    ['[100', ' 200', ' 300]'],
    ['NDArray([100,', '         200,', '         300],', '        dtype=i32)'],
  ],
  [
    'f64',
    [2, 3],
    [1, 2.5, 3, 4, 5, 6.25],
    { lineWidth: 12 },
    ['[[1.', '  2.5', '  3.  ]', ' [4.', '  5.', '  6.25]]'],
    [
      'NDArray([[1.  ,',
      '          2.5 ,',
      '          3.  ],',
      '         [4.  ,',
      '          5.  ,',
      '          6.25]],',
      '        dtype=f64)',
    ],
  ],
  ['f32', [0], [], {}, '[]', 'NDArray([], dtype=f32)'],
  ['f32', [0, 3], [], {}, '[]', 'NDArray([], shape=(0, 3), dtype=f32)'],
  ['i32', [2, 0, 3], [], {}, '[]', 'NDArray([], shape=(2, 0, 3), dtype=i32)'],
  ['f32', [], [0.1], {}, '0.1', 'NDArray(0.1, dtype=f32)'],
  ['f64', [], [3], {}, '3.0', 'NDArray(3., dtype=f64)'],
  ['f64', [], [0.3333333333333333], {}, '0.3333333333333333', 'NDArray(0.33333333, dtype=f64)'],
  ['f64', [], [1e16], {}, '1e+16', 'NDArray(1.e+16, dtype=f64)'],
  ['f64', [], [1000000000000000.0], {}, '1000000000000000.0', 'NDArray(1.e+15, dtype=f64)'],
  ['f64', [], [1.5e-5], {}, '1.5e-05', 'NDArray(1.5e-05, dtype=f64)'],
  ['f32', [], [1000000], {}, '1e+06', 'NDArray(1.e+06, dtype=f32)'],
  ['f16', [], [65504], {}, '6.55e+04', 'NDArray(6.55e+04, dtype=f16)'],
  ['f32', [], [-0], {}, '-0.0', 'NDArray(-0., dtype=f32)'],
  ['f64', [], [NaN], {}, 'nan', 'NDArray(nan, dtype=f64)'],
  ['i64', [], [5n], {}, '5', 'NDArray(5, dtype=i64)'],
  ['bool', [], [true], {}, 'True', 'NDArray(True, dtype=bool)'],
  ['c128', [], [{ re: 1, im: 2 }], {}, '(1+2j)', 'NDArray(1.+2.j, dtype=c128)'],
  ['c64', [], [{ re: 0, im: -1.5 }], {}, '-1.5j', 'NDArray(0.-1.5j, dtype=c64)'],
  ['c128', [], [{ re: -0, im: NaN }], {}, '(-0+nanj)', 'NDArray(-0.+nanj, dtype=c128)'],
];

test.each(CASES)('arrays are printed as NumPy does: %s %j %j %j', (...row) => {
  expectPrinted(row);
});

describe('options', () => {
  const array = printable('f64', [2000], (place) => place / 7);

  test('Infinity shows all, and breaks no line', () => {
    const text = formatArray(array, { threshold: Infinity, lineWidth: Infinity });
    expect(text.split(/ +/)).toHaveLength(2000);
    expect(text).not.toContain('\n');
  });

  test('an option that is undefined is the default', () => {
    const given: object = { precision: undefined, threshold: undefined, edgeItems: undefined, lineWidth: undefined };
    expect(formatArray(array, { ...given, ...({ suppress: undefined } as object) })).toBe(formatArray(array));
  });

  test.each<[object, typeof TypeError | typeof RangeError, string]>([
    [
      { digits: 3 },
      TypeError,
      "PrintOptions has no option 'digits'; it knows precision, threshold, edgeItems, lineWidth, suppress",
    ],
    [{ precision: '3' }, TypeError, 'precision must be a number, got the string "3"'],
    [{ precision: -1 }, RangeError, 'precision must be an integer >= 0, got -1'],
    [{ precision: Infinity }, RangeError, 'precision must be an integer >= 0, got Infinity'],
    [{ threshold: 0.5 }, RangeError, 'threshold must be an integer >= 0, got 0.5'],
    [{ threshold: NaN }, RangeError, 'threshold must be an integer >= 0, got NaN'],
    [{ edgeItems: 0 }, RangeError, 'edgeItems must be an integer >= 1, got 0'],
    [{ lineWidth: 0 }, RangeError, 'lineWidth must be an integer >= 1, got 0'],
    [{ lineWidth: null }, TypeError, 'lineWidth must be a number, got null'],
    [{ suppress: 1 }, TypeError, 'suppress must be true or false, got 1'],
  ])('%j is an error', (options, type, message) => {
    for (const print of [formatArray, describeArray]) {
      expect(() => print(array, options)).toThrow(type);
      expect(() => print(array, options)).toThrow(message);
    }
    expect(() => shownRanges([2], options)).toThrow(message);
  });
});

test.each<[Parameters<typeof printable>, string]>([
  [['f32', [1], [1n]], 'An element of dtype f32 must be a number, got 1n'],
  [['c64', [1], [1]], 'An element of dtype c64 must have re and im, got 1'],
  [['i32', [1], [{ re: 1, im: 0 }]], 'An element of dtype i32 must be a number, a bigint or a boolean, got an Object'],
])('an element that does not belong to the dtype is an error: %j', (array, message) => {
  expect(() => formatArray(printable(...array))).toThrow(new TypeError(message));
});
