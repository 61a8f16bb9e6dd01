import { expect } from '@jest/globals';
import type { ArrayDType } from '../../src/array/dtype.ts';
import { describeArray, formatArray } from '../../src/array/format.ts';
import type { Printable, PrintedElement } from '../../src/array/printable.ts';
import type { PrintOptions } from '../../src/array/print-options.ts';

/** The elements of an array, row-major, or what makes them out of their place. */
export type Elements = readonly PrintedElement[] | ((place: number) => PrintedElement);

/** An array, and what NumPy prints for it: its str and, with the dtype always shown, its repr. Several strings are lines. */
export type Case = readonly [
  dtype: ArrayDType,
  shape: readonly number[],
  elements: Elements,
  options: Partial<PrintOptions>,
  text: string | readonly string[],
  description: string | readonly string[],
];

/** An array to print. */
export function printable(dtype: ArrayDType, shape: readonly number[], elements: Elements): Printable {
  const at = typeof elements === 'function' ? elements : (place: number) => elements[place];
  const element = (indices: readonly number[]): PrintedElement => {
    expect(indices).toHaveLength(shape.length);
    const found = at(indices.reduce((place, index, axis) => place * (shape[axis] ?? 0) + index, 0));
    if (found === undefined) throw new RangeError(`no element at ${indices.join(', ')}`);
    return found;
  };
  return { dtype, shape, element };
}

/** Expect both texts of a case. */
export function expectPrinted([dtype, shape, elements, options, text, description]: Case): void {
  const array = printable(dtype, shape, elements);
  expect(formatArray(array, options).split('\n')).toEqual([text].flat());
  expect(describeArray(array, options).split('\n')).toEqual([description].flat());
}
