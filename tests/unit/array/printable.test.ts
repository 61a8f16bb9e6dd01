import { describe, expect, test } from '@jest/globals';
import { describeArray, formatArray } from '../../../src/array/format.ts';
import { formatHtml } from '../../../src/array/format-html.ts';
import { toNested } from '../../../src/array/nested.ts';
import { shownRanges, type Printable } from '../../../src/array/printable.ts';
import type { PrintOptions } from '../../../src/array/print-options.ts';
import { randomOf } from '../../helpers/math-points.ts';
import { printable } from '../../helpers/printed.ts';

function html(array: Printable, options: Partial<PrintOptions>): string {
  return formatHtml(array, '', options);
}

describe('shownRanges()', () => {
  test('has all indices of a small array', () => {
    expect(shownRanges([2, 3])).toEqual([
      [0, 1],
      [0, 1, 2],
    ]);
    expect(shownRanges([])).toEqual([]);
  });

  test('has the ends of the long axes of a large array', () => {
    expect(shownRanges([6, 7, 1e9])).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 4, 5, 6],
      [0, 1, 2, 999999997, 999999998, 999999999],
    ]);
    expect(shownRanges([8], { threshold: 7, edgeItems: 1 })).toEqual([[0, 7]]);
  });

  test('has no index of an array without elements', () => {
    expect(shownRanges([1e9, 0])).toEqual([[], []]);
  });

  test('tells what printing reads, each element once', () => {
    const random = randomOf(5);
    const below = (limit: number): number => Math.floor(random() * limit);
    for (let run = 0; run < 200; run++) {
      const shape = Array.from({ length: below(4) }, () => below(9));
      const options = { threshold: below(80), edgeItems: 1 + below(4) };
      const told = shownRanges(shape, options).reduce<string[]>(
        (all, indices) => all.flatMap((before) => indices.map((index) => `${before} ${index}`)),
        shape.includes(0) ? [] : [''],
      );
      for (const print of [formatArray, describeArray, html]) {
        const asked: string[] = [];
        const element = (indices: readonly number[]): number => {
          asked.push(indices.map((index) => ` ${index}`).join(''));
          return 0;
        };
        print({ dtype: 'f32', shape, element }, options);
        expect(asked).toEqual(told);
      }
    }
  });
});

describe('toNested()', () => {
  test('nests as deep as the rank', () => {
    expect(toNested(printable('i32', [2, 1, 2], [1, 2, 3, 4]))).toEqual([[[1, 2]], [[3, 4]]]);
    expect(toNested(printable('i64', [2], [1n, 2n]))).toEqual([1n, 2n]);
  });

  test('gives the element of rank 0, as it is', () => {
    expect(toNested(printable('bool', [], [true]))).toBe(true);
    expect(toNested(printable('c64', [], [{ re: 1, im: 2 }]))).toEqual({ re: 1, im: 2 });
  });

  test('keeps the axes around an empty one', () => {
    expect(toNested(printable('f32', [2, 0], []))).toEqual([[], []]);
    expect(toNested(printable('f32', [0, 2], []))).toEqual([]);
  });

  test('leaves nothing out', () => {
    expect(toNested(printable('i32', [3000], (place) => place))).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });
});
