import { nameOf } from '../../core/check.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { literal } from '../kernel/literal.ts';
import { checkText } from './user-text.ts';

/** The element that changes nothing: a text in C, or a number. */
export type Neutral = string | number | bigint | boolean;

/**
 * An expression of a user, without the semicolon that may end it, before a comment or without one.
 *
 * @throws TypeError no text
 */
export function expressionText(value: unknown, what: string): string {
  checkText(value, what);
  const text = value
    .trim()
    .replace(/;+(?=\s*(?:\/\/.*)?$)/, '')
    .trimEnd();
  if (text === '') throw new TypeError(`${what} must be an expression in C, got an empty text`);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return last.includes('//') ? `${text}\n` : text;
}

/**
 * The element that changes nothing, as a text in C: of a number its literal.
 *
 * @param dtype - undefined of a struct, which a number does not stand for
 * @throws TypeError neither a text nor a number
 * @throws RangeError a number that integers do not have
 */
export function neutralText(value: unknown, dtype: ArrayDType | undefined, what: string): string {
  if (typeof value === 'string') return expressionText(value, what);
  const isNumber = typeof value === 'number' ? !Number.isNaN(value) : ['bigint', 'boolean'].includes(typeof value);
  if (!isNumber || dtype === undefined) {
    throw new TypeError(
      `${what} must be a text in C${dtype === undefined ? '' : ' or a number'}, got ${nameOf(value)}`,
    );
  }
  const { kind, part } = arrayDTypes[dtype];
  if (kind === 'complex') return `${dtype.toUpperCase()}(${floatText(Number(value), part)}, 0)`;
  if (kind === 'float') return floatText(Number(value), dtype === 'f64' ? 'f64' : 'f32');
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new RangeError(`${what} must be an integer for ${dtype}, got ${value}`);
  }
  return integerText(BigInt(value as number | bigint | boolean));
}

function floatText(value: number, dtype: ArrayDType): string {
  return Number.isFinite(value) ? literal(value, dtype) : `${value < 0 ? '-' : ''}INFINITY`;
}

function integerText(value: bigint): string {
  if (value > 0x7fff_ffff_ffff_ffffn) return `${value}u`;
  // C has no literal of the least integer.
  return value === -(1n << 63n) ? `(-${(1n << 63n) - 1n} - 1)` : String(value);
}
