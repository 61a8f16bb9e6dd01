import { nameOf } from '../../core/check.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { literal } from '../kernel/literal.ts';
import { registerType } from '../kernel/dialect.ts';
import type { Fold } from '../reduction/fold.ts';
import { checkText } from './user-text.ts';

/** What elements become one by: a number of a dtype, or a struct. */
export interface StateType {
  readonly dtype: ArrayDType;
  /** The struct's name in C, and its bytes. */
  readonly struct: { readonly name: string; readonly byteLength: number } | undefined;
}

/** What is kept while elements become one: of a half a float, of a truth value a byte. */
export function stateType({ dtype, struct }: StateType): string {
  return struct?.name ?? (dtype === 'bool' ? 'u8' : registerType(dtype));
}

/** The functions of a user's texts: what a state begins with, and the state of two, `a` and `b`. */
export function foldFunctions(name: string, state: string, neutral: string, reduce: string): string {
  return `\
FN ${state} ${name}_neutral(void) {
  const ${state} rk_neutral = ${neutral};
  return rk_neutral;
}

FN ${state} ${name}_reduce(${state} a, ${state} b) {
  return ${reduce};
}

`;
}

/** How elements become one by these functions. */
export function userFold(name: string, type: StateType, result: { dtype: ArrayDType; text: Fold['result'] }): Fold {
  const state = stateType(type);
  const dtype = type.struct === undefined ? (state as ArrayDType) : 'u8';
  const join = (a: string, b: string): string => `${name}_reduce(${a}, ${b})`;
  const { kind } = arrayDTypes[dtype];
  const field = { name: 'value', dtype, start: `${name}_neutral()` };
  return {
    fields: [type.struct === undefined ? field : { ...field, struct: type.struct }],
    state,
    isPlaced: true,
    isRounded: kind === 'float' || kind === 'complex',
    put: join,
    join,
    result: result.text,
    type: result.dtype,
  };
}

/**
 * An expression of a user, without the semicolon that may end it.
 *
 * @throws TypeError no text
 */
export function expressionText(value: unknown, what: string): string {
  checkText(value, what);
  const text = value.trim().replace(/;+$/, '').trimEnd();
  if (text === '') throw new TypeError(`${what} must be an expression in C, got an empty text`);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return last.includes('//') ? `${text}\n` : text;
}

/**
 * What a state begins with, as a text in C: of a number its literal.
 *
 * @throws TypeError neither a text nor a number
 */
export function neutralText(value: unknown, { dtype }: StateType, what: string): string {
  if (typeof value === 'string') return expressionText(value, what);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint') return integerText(value);
  if (typeof value !== 'number' || Number.isNaN(value)) {
    throw new TypeError(`${what} must be a text in C or a number, got ${nameOf(value)}`);
  }
  const { kind, part } = arrayDTypes[dtype];
  if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}INFINITY`;
  if (kind === 'complex') return `${dtype.toUpperCase()}(${literal(value, part)}, 0)`;
  return kind === 'float' ? literal(value, dtype === 'f64' ? 'f64' : 'f32') : integerText(BigInt(Math.trunc(value)));
}

function integerText(value: bigint): string {
  if (value > 0x7fff_ffff_ffff_ffffn) return `${value}u`;
  // C has no literal of the least integer.
  return value === -(1n << 63n) ? `(-${(1n << 63n) - 1n} - 1)` : String(value);
}
