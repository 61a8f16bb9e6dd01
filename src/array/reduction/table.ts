import { arrayDTypes, floatOf, type ArrayDType, type DTypeKind } from '../dtype.ts';
import { call, type Node } from '../expression/node.ts';
import { registerType } from '../kernel/dialect.ts';
import { ALL, NUMBERS, REAL, REAL_OR_BOOL, type Operation } from '../operation/operation.ts';
import { operations } from '../operation/table.ts';
import type { CountType, Fold } from './fold.ts';
import {
  countFold,
  extremeFold,
  meanFold,
  momentsFold,
  numberFold,
  placeFold,
  productFold,
  rangeFold,
  rootFold,
  sumFold,
  truthFold,
} from './folds.ts';

/**
 * How the dtype of a result follows from that of the elements.
 *
 * - `wide`: of integers and truth values i64, of unsigned ones u64; others stay
 * - `same`: the same
 * - `float`: the one of quotients
 * - `real`: the same, and the parts' of complex numbers
 * - `bool`: a truth value
 * - `count`: i64
 */
export type ReductionRule = 'wide' | 'same' | 'float' | 'real' | 'bool' | 'count';

/** One row of the table of reductions. */
export interface ReductionRow<R extends ReductionRule = ReductionRule> {
  readonly rule: R;
  /** What elements may be. */
  readonly kinds: readonly DTypeKind[];
  /** What to write instead, for an error about another kind. */
  readonly advice?: string;
  /** Whether it has no result without an element. */
  readonly needsElements?: boolean;
  /** Whether its result is a place, which is one along an axis. */
  readonly isPlaced?: boolean;
  /** Options besides `axis`, `keepdims`, `out` and the line. */
  readonly options: readonly string[];
  /** What is computed of each element first. */
  readonly map?: Operation;
  /** The dtype that elements are converted to, where it is neither the one that was asked for nor the result's. */
  readonly element?: (dtype: ArrayDType) => ArrayDType;
  /**
   * How elements become one.
   *
   * @param t - their dtype, as it is computed with: halves are f32
   * @param type - the dtype of the result, as it is computed with
   */
  readonly fold: (t: ArrayDType, count: CountType, type: ArrayDType) => Fold;
}

const noOrder = '; complex numbers have no order: reduce abs() or real()';
const kindOf = (t: ArrayDType): DTypeKind => arrayDTypes[t].kind;
const bytes = (dtype: ArrayDType): ArrayDType => (dtype === 'bool' ? 'u8' : dtype);
const truth = (): ArrayDType => 'bool';

/** Operations of reductions alone. */
const absSquare: Operation = {
  name: 'absSquare',
  arity: 1,
  rule: 'real',
  kinds: NUMBERS,
  text: ([a = ''], t) => (kindOf(t) === 'complex' ? `(${a}.x * ${a}.x + ${a}.y * ${a}.y)` : `(${a} * ${a})`),
};
const zeroForNaN: Operation = {
  name: 'zeroForNaN',
  arity: 1,
  rule: 'same',
  kinds: ALL,
  text: ([a = ''], t) => {
    if (kindOf(t) === 'complex') return `(${a}.x != ${a}.x || ${a}.y != ${a}.y ? ${t.toUpperCase()}(0, 0) : ${a})`;
    return kindOf(t) === 'float' ? `(${a} != ${a} ? 0 : ${a})` : a;
  },
};
const isNotZero: Operation = {
  name: 'isNotZero',
  arity: 1,
  rule: 'bool',
  kinds: ALL,
  text: ([a = ''], t) => (kindOf(t) === 'complex' ? `(${a}.x != 0 || ${a}.y != 0)` : `(${a} != 0)`),
};

/** Reductions that are methods of arrays and functions. */
export interface ReductionRows {
  /** The sum. Integers are added in 64 bits. */
  readonly sum: ReductionRow<'wide'>;
  /** The product. Integers are multiplied in 64 bits. */
  readonly prod: ReductionRow<'wide'>;
  /** The greatest element; NaN where there is one. */
  readonly max: ReductionRow<'same'>;
  /** The least element; NaN where there is one. */
  readonly min: ReductionRow<'same'>;
  /** The greatest less the least element. */
  readonly ptp: ReductionRow<'same'>;
  /** The mean, in floats. */
  readonly mean: ReductionRow<'float'>;
  /** The variance, in floats; it is divided by the number of elements less `correction`. */
  readonly var: ReductionRow<'real'>;
  /** The standard deviation: the root of the variance. */
  readonly std: ReductionRow<'real'>;
  /** Whether an element is other than 0. */
  readonly any: ReductionRow<'bool'>;
  /** Whether every element is other than 0. */
  readonly all: ReductionRow<'bool'>;
  /** The place of the greatest element; of the first NaN where there is one. */
  readonly argmax: ReductionRow<'count'>;
  /** The place of the least element; of the first NaN where there is one. */
  readonly argmin: ReductionRow<'count'>;
  /** How many elements are other than 0. */
  readonly countNonzero: ReductionRow<'count'>;
  /** The sum without NaN. */
  readonly nansum: ReductionRow<'wide'>;
  /** The greatest element that is not NaN. */
  readonly nanmax: ReductionRow<'same'>;
  /** The least element that is not NaN. */
  readonly nanmin: ReductionRow<'same'>;
}

const extreme = (sign: '>' | '<'): ReductionRow<'same'> => ({
  rule: 'same',
  kinds: REAL_OR_BOOL,
  advice: noOrder,
  needsElements: true,
  options: ['dtype'],
  element: bytes,
  fold: (t) => extremeFold(t, sign),
});
const number = (sign: '>' | '<'): ReductionRow<'same'> => ({ ...extreme(sign), fold: (t) => numberFold(t, sign) });
const place = (sign: '>' | '<'): ReductionRow<'count'> => ({
  rule: 'count',
  kinds: REAL_OR_BOOL,
  advice: noOrder,
  needsElements: true,
  isPlaced: true,
  options: [],
  element: bytes,
  fold: (t, count) => placeFold(t, sign, count),
});
const sum: ReductionRow<'wide'> = { rule: 'wide', kinds: ALL, options: ['dtype'], fold: (t) => sumFold(t) };
const variance = (isRoot: boolean): ReductionRow<'real'> => ({
  rule: 'real',
  kinds: ALL,
  options: ['dtype', 'correction'],
  element: floatOf,
  fold: (t, count) => momentsFold(t, count, isRoot),
});

/** Every reduction by its name. */
export const reductions: ReductionRows = {
  sum,
  prod: { ...sum, fold: (t) => productFold(t) },
  max: extreme('>'),
  min: extreme('<'),
  ptp: { ...extreme('>'), kinds: REAL, fold: (t) => rangeFold(t) },
  mean: {
    rule: 'float',
    kinds: ALL,
    options: ['dtype'],
    // Integers up to 32 bits are added exactly.
    element: (dtype) => {
      const { kind, size } = arrayDTypes[dtype];
      if (kind === 'int' && size <= 4) return 'i64';
      return (kind === 'uint' || kind === 'bool') && size <= 4 ? 'u64' : floatOf(dtype);
    },
    fold: (t, _, type) => meanFold(t, type),
  },
  var: variance(false),
  std: variance(true),
  any: { rule: 'bool', kinds: ALL, options: [], element: truth, fold: () => truthFold('|') },
  all: { rule: 'bool', kinds: ALL, options: [], element: truth, fold: () => truthFold('&') },
  argmax: place('>'),
  argmin: place('<'),
  countNonzero: { rule: 'count', kinds: ALL, options: [], element: truth, fold: (_, count) => countFold(count, 'i64') },
  nansum: { ...sum, map: zeroForNaN },
  nanmax: number('>'),
  nanmin: number('<'),
};

const norm = (map: Operation, fold: (t: 'f32' | 'f64') => Fold, needsElements = false): ReductionRow<'real'> => ({
  rule: 'real',
  kinds: ALL,
  options: ['dtype', 'ord'],
  map,
  needsElements,
  element: floatOf,
  fold: (t) => fold(t as 'f32' | 'f64'),
});

/** Norms of vectors by their order. */
export const norms: ReadonlyMap<number, ReductionRow<'real'>> = new Map([
  [2, norm(absSquare, rootFold)],
  [1, norm(operations.abs, sumFold)],
  [
    Infinity,
    norm(operations.abs, (t) => ({ ...extremeFold(t, '>'), fields: [{ name: 'value', dtype: t, start: '0' }] })),
  ],
  [-Infinity, norm(operations.abs, (t) => extremeFold(t, '<'), true)],
  [0, norm({ ...isNotZero, rule: 'real' }, sumFold)],
]);

/** The dtypes of one reduction. */
export interface ReductionTyping {
  /** What elements are converted to before anything is computed. */
  readonly operand: ArrayDType;
  /** What is folded. */
  readonly element: ArrayDType;
  readonly result: ArrayDType;
}

/** The dtypes of a reduction of elements; `asked` is the dtype that it is to be computed in. */
export function reductionTyping(
  { rule, element, map }: ReductionRow,
  dtype: ArrayDType,
  asked: ArrayDType | undefined,
): ReductionTyping {
  const operand = asked === undefined ? dtype : asked;
  const folded =
    asked !== undefined && kindOf(asked) !== 'bool' ? asked : (element?.(operand) ?? resultOf(rule, operand));
  const result = asked !== undefined && rule === 'wide' ? asked : resultOf(rule, operand);
  if (map === undefined) return { operand: folded, element: folded, result };
  return { operand: folded, element: rule === 'real' ? realOf(folded) : folded, result };
}

/** An expression of the elements of one array, as the map of a reduction has it. */
export function mappedValue(map: Operation | undefined, input: Node, { operand, element }: ReductionTyping): Node {
  return map === undefined ? input : call(map, [input], { operands: [operand], result: element });
}

/** The dtype of a result. */
function resultOf(rule: ReductionRule, dtype: ArrayDType): ArrayDType {
  switch (rule) {
    case 'wide': {
      const kind = kindOf(dtype);
      return kind === 'int' || kind === 'bool' ? 'i64' : kind === 'uint' ? 'u64' : dtype;
    }
    case 'same':
      return dtype;
    case 'float':
      return floatOf(dtype);
    case 'real':
      return realOf(floatOf(dtype));
    case 'bool':
      return 'bool';
    case 'count':
      return 'i64';
    default:
      return rule satisfies never;
  }
}

function realOf(dtype: ArrayDType): ArrayDType {
  return kindOf(dtype) === 'complex' ? arrayDTypes[dtype].part : dtype;
}

/** The fold of a row for dtypes. */
export function foldOf(row: ReductionRow, { element, result }: ReductionTyping, count: CountType): Fold {
  return row.fold(registerType(element) as ArrayDType, count, registerType(result) as ArrayDType);
}
