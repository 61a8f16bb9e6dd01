import { arrayDTypes, isHeld, type ArrayDType, type WeakScalar } from '../dtype.ts';
import { ALL, REAL_OR_BOOL, type Row, isComplex } from './operation.ts';

type Sign = '<' | '<=' | '>' | '>=' | '==' | '!=';

const TURNED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' } as const;

function order(sign: Sign): Row<2, 'order'> {
  return {
    arity: 2,
    rule: 'order',
    kinds: REAL_OR_BOOL,
    advice: '; compare abs() or real() of complex numbers',
    text: ([a = '', b = ''], _, dtypes) => compared(a, sign, b, dtypes),
  };
}

function equality(sign: '==' | '!=', join: '&&' | '||'): Row<2, 'order'> {
  return {
    arity: 2,
    rule: 'order',
    kinds: ALL,
    text: ([a = '', b = ''], t, dtypes) =>
      isComplex(t) ? `(${a}.x ${sign} ${b}.x ${join} ${a}.y ${sign} ${b}.y)` : compared(a, sign, b, dtypes),
  };
}

/** No integer holds the numbers of i64 and of u64: what is negative is less, and the others are u64. */
function compared(a: string, sign: Sign, b: string, [one, other]: readonly ArrayDType[] = []): string {
  if (one === other) return `(${a} ${sign} ${b})`;
  if (one === 'u64') return compared(b, TURNED[sign], a, ['i64', 'u64']);
  const isTrueBelow = sign === '<' || sign === '<=' || sign === '!=';
  return `(${a} ${isTrueBelow ? '< 0 ||' : '>= 0 &&'} (u64)${a} ${sign} ${b})`;
}

/** A property of floats that other real numbers have always or never; of complex numbers it is that of both parts, or of one. */
function property(of: (x: string) => string, join: '||' | '&&', others: boolean): Row<1, 'bool'> {
  return {
    arity: 1,
    rule: 'bool',
    kinds: ALL,
    text: ([a = ''], t) => {
      if (isComplex(t)) return `(${of(`${a}.x`)} ${join} ${of(`${a}.y`)})`;
      return arrayDTypes[t].kind === 'float' ? of(a) : String(others);
    },
  };
}

function infinity(sign: '<' | '>'): Row<1, 'bool'> {
  return {
    arity: 1,
    rule: 'bool',
    kinds: REAL_OR_BOOL,
    text: ([a = ''], t) => (arrayDTypes[t].kind === 'float' ? `(${a} ${sign} 0 && ${a} - ${a} != 0)` : 'false'),
  };
}

/**
 * What a comparison of integers with an integer that their dtype does not hold gives, for all of them; undefined where it has
 * to be computed.
 *
 * @param isFirst - whether the scalar stands before the array
 */
export function outcomeBeyond(
  name: string,
  dtype: ArrayDType,
  scalar: WeakScalar,
  isFirst: boolean,
): boolean | undefined {
  if (typeof scalar === 'number' ? !Number.isInteger(scalar) : typeof scalar !== 'bigint') return undefined;
  const { kind } = arrayDTypes[dtype];
  const isInteger = kind === 'int' || kind === 'uint';
  // Truth values are compared with a bigint in i64, and with a number in a float where i32 does not hold it.
  if (isInteger ? isHeld(dtype, scalar) : kind !== 'bool' || typeof scalar === 'number' || isHeld('i64', scalar)) {
    return undefined;
  }
  if (name === 'equal') return false;
  if (name === 'notEqual') return true;
  return name.startsWith('less') === ((scalar as number | bigint) > 0 !== isFirst);
}

/** What gives a truth value. */
export interface ComparisonOperations {
  /** Whether two elements are equal. NaN is equal to nothing. */
  readonly equal: Row<2, 'order'>;
  /** Whether two elements differ. */
  readonly notEqual: Row<2, 'order'>;
  /** Whether the first is less than the second. */
  readonly less: Row<2, 'order'>;
  /** Whether the first is less than the second, or equal. */
  readonly lessEqual: Row<2, 'order'>;
  /** Whether the first is greater than the second. */
  readonly greater: Row<2, 'order'>;
  /** Whether the first is greater than the second, or equal. */
  readonly greaterEqual: Row<2, 'order'>;
  /** Whether it is NaN. */
  readonly isnan: Row<1, 'bool'>;
  /** Whether it is infinite. */
  readonly isinf: Row<1, 'bool'>;
  /** Whether it is infinite and positive. */
  readonly isposinf: Row<1, 'bool'>;
  /** Whether it is infinite and negative. */
  readonly isneginf: Row<1, 'bool'>;
  /** Whether it is neither infinite nor NaN. */
  readonly isfinite: Row<1, 'bool'>;
  /** Whether both are other than 0. */
  readonly logicalAnd: Row<2, 'logical'>;
  /** Whether one is other than 0. */
  readonly logicalOr: Row<2, 'logical'>;
  /** Whether exactly one is other than 0. */
  readonly logicalXor: Row<2, 'logical'>;
  /** Whether it is 0. */
  readonly logicalNot: Row<1, 'logical'>;
}

export const comparisonOperations: ComparisonOperations = {
  equal: equality('==', '&&'),
  notEqual: equality('!=', '||'),
  less: order('<'),
  lessEqual: order('<='),
  greater: order('>'),
  greaterEqual: order('>='),
  isnan: property((x) => `(${x} != ${x})`, '||', false),
  isinf: property((x) => `(${x} == ${x} && ${x} - ${x} != ${x} - ${x})`, '||', false),
  isposinf: infinity('>'),
  isneginf: infinity('<'),
  isfinite: property((x) => `(${x} - ${x} == ${x} - ${x})`, '&&', true),
  logicalAnd: { arity: 2, rule: 'logical', kinds: ALL, text: ([a = '', b = '']) => `(${a} && ${b})` },
  logicalOr: { arity: 2, rule: 'logical', kinds: ALL, text: ([a = '', b = '']) => `(${a} || ${b})` },
  logicalXor: { arity: 2, rule: 'logical', kinds: ALL, text: ([a = '', b = '']) => `(${a} != ${b})` },
  logicalNot: { arity: 1, rule: 'logical', kinds: ALL, text: ([a = '']) => `(!${a})` },
};
