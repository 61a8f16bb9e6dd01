import { nameOf } from '../core/check.ts';
import { isFloatPart, type FloatPart } from './decimal.ts';
import { arrayDTypes, isComplex, type ArrayDType, type Complex } from './dtype.ts';
import { formatFloat, formatFloats, formatPlain } from './format-float.ts';
import type { PrintedElement } from './printable.ts';
import type { PrintOptions } from './print-options.ts';

/** The texts of an array's elements, all of one width. */
export function formatElements(
  elements: readonly PrintedElement[],
  dtype: ArrayDType,
  options: PrintOptions,
): readonly string[] {
  const { kind } = arrayDTypes[dtype];
  if (kind === 'complex') return formatComplexes(elements, dtype, options);
  const part = floatPart(dtype);
  if (part === undefined) {
    const texts = elements.map((value) => formatWhole(value, dtype));
    return alignRight(texts, kind === 'bool' ? 'False'.length : 0);
  }
  const numbers = elements.map((value) => numberIn(value, dtype));
  return formatFloats(numbers, { part, options, plus: false });
}

/** The text of an element that stands alone: the whole number, not rounded to the options' precision. */
export function formatScalar(value: PrintedElement, dtype: ArrayDType): string {
  const part = floatPart(dtype);
  if (part === undefined) return formatWhole(value, dtype);
  if (arrayDTypes[dtype].kind === 'float') return formatFloat(numberIn(value, dtype), part);
  const { re, im } = complexIn(value, dtype);
  const imaginary = `${formatPlain(im, part)}j`;
  if (Object.is(re, 0)) return imaginary;
  return `(${formatPlain(re, part)}${imaginary.startsWith('-') ? '' : '+'}${imaginary})`;
}

function formatComplexes(
  elements: readonly PrintedElement[],
  dtype: ArrayDType,
  options: PrintOptions,
): readonly string[] {
  const part = floatPart(dtype) ?? 'f64';
  const numbers = elements.map((value) => complexIn(value, dtype));
  const real = formatFloats(
    numbers.map(({ re }) => re),
    { part, options, plus: false },
  );
  const imaginary = formatFloats(
    numbers.map(({ im }) => im),
    { part, options, plus: true },
  );
  return real.map((text, i) => text + (imaginary[i] ?? '').replace(/ *$/, (spaces) => `j${spaces}`));
}

/** An integer, or a boolean in Python's spelling: the text is NumPy's throughout. */
function formatWhole(value: PrintedElement, dtype: ArrayDType): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  throw new TypeError(`An element of dtype ${dtype} must be a number, a bigint or a boolean, got ${nameOf(value)}`);
}

function alignRight(texts: readonly string[], least: number): readonly string[] {
  const width = texts.reduce((most, text) => Math.max(most, text.length), least);
  return texts.map((text) => text.padStart(width));
}

/** What the floats of a dtype are, or the parts of its complex numbers. */
function floatPart(dtype: ArrayDType): FloatPart | undefined {
  const { part } = arrayDTypes[dtype];
  return isFloatPart(part) ? part : undefined;
}

function numberIn(value: PrintedElement, dtype: ArrayDType): number {
  if (typeof value === 'number') return value;
  throw new TypeError(`An element of dtype ${dtype} must be a number, got ${nameOf(value)}`);
}

function complexIn(value: PrintedElement, dtype: ArrayDType): Complex {
  if (isComplex(value)) return value;
  throw new TypeError(`An element of dtype ${dtype} must have re and im, got ${nameOf(value)}`);
}
