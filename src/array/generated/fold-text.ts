import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { registerType } from '../kernel/dialect.ts';
import type { Fold } from '../reduction/fold.ts';

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
