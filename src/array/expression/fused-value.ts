import { nameOf } from '../../core/check.ts';
import { dtypeOfScalar, isWeakScalar, readDType, type ArrayDType, type WeakScalar } from '../dtype.ts';
import { shortNames } from '../operation/alias.ts';
import { outcomeBeyond } from '../operation/comparison.ts';
import type { Operation, OperandType, Row } from '../operation/operation.ts';
import { operations, type OperationRows } from '../operation/table.ts';
import { typingOf } from '../operation/typing.ts';
import { fold } from './fold.ts';
import type { Formula } from './formula.ts';

/** What operations of fused functions take. */
export type FusedOperand = FusedValue | WeakScalar;

type FusedMethod<R extends Row> = R['arity'] extends 1
  ? () => FusedValue
  : R['arity'] extends 2
    ? (other: FusedOperand) => FusedValue
    : (second: FusedOperand, third: FusedOperand) => FusedValue;

type FusedMethods = {
  [Name in Exclude<keyof OperationRows, 'clip'>]: FusedMethod<OperationRows[Name]>;
} & { [Name in keyof typeof shortNames]: FusedMethod<OperationRows[(typeof shortNames)[Name]]> };

/** One call of a function that is fused: its values are worth nothing after it, nor in another one. */
export interface Trace {
  isOpen: boolean;
  operations: number;
}

const MOST_OPERATIONS = 1000;

let readValue: (value: FusedValue) => Traced;

interface Traced {
  readonly trace: Trace;
  readonly formula: Formula;
  readonly type: OperandType;
}

/** Operations are installed from their tables. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- installed below */
export interface FusedValue extends FusedMethods {
  /** The value, or the limit that it exceeds; null is no limit. */
  clip(least: FusedOperand | null | undefined, most: FusedOperand | null | undefined): FusedValue;
}

/**
 * What a fused function is called with, once for each set of dtypes: it stands for the elements of an array, or for a scalar. It
 * has the elementwise operations of arrays, as methods and in the free functions, and nothing else.
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- installed below */
export class FusedValue {
  readonly #traced: Traced;

  /** @internal */
  constructor(trace: Trace, formula: Formula, type: OperandType) {
    this.#traced = { trace, formula, type };
  }

  /** The dtype of the elements; of a scalar the one that it has among scalars. */
  get dtype(): ArrayDType {
    const { type } = this.#traced;
    return 'dtype' in type ? type.dtype : dtypeOfScalar(type.scalar);
  }

  /** The elements as another dtype. */
  astype(dtype: ArrayDType): FusedValue {
    const { trace, formula } = openTrace(this, 'astype');
    const to = readDType(dtype, 'astype: dtype');
    return new FusedValue(trace, { kind: 'cast', operand: formula, dtype: to }, { dtype: to });
  }

  static {
    readValue = (value) => value.#traced;
  }
}

/** An operation in a fused function: it is noted, and its dtype is known at once. */
export function fuseOperation(operation: Operation, operands: readonly unknown[], options?: unknown): FusedValue {
  const { name } = operation;
  if (options !== undefined) {
    throw new TypeError(`${name} must have no options in a fused function; give them where that is called`);
  }
  let trace: Trace | undefined;
  const read = operands.map((operand): { readonly formula: Formula; readonly type: OperandType } => {
    if (operand instanceof FusedValue) {
      const traced = openTrace(operand, name);
      if (trace !== undefined && trace !== traced.trace) throw foreign(name);
      trace = traced.trace;
      return traced;
    }
    if (!isWeakScalar(operand)) throw new TypeError(refusal(name, operand));
    return { formula: { kind: 'constant', value: operand }, type: { scalar: operand } };
  });
  if (trace === undefined) throw foreign(name);
  if (++trace.operations > MOST_OPERATIONS) {
    throw new RangeError(`A fused function must have at most ${MOST_OPERATIONS} operations, got more; split it`);
  }
  const types = read.map(({ type }) => type);
  const formula: Formula = { kind: 'call', operation, operands: read.map((each) => each.formula) };
  const scalars = types.flatMap((type) => ('scalar' in type ? [type.scalar] : []));
  if (scalars.length === types.length) return new FusedValue(trace, formula, { scalar: fold(operation, scalars) });
  return new FusedValue(trace, formula, {
    dtype: isBeyond(operation, types) ? 'bool' : typingOf(operation, types).result,
  });
}

/** Whether a comparison needs no kernel: see {@link outcomeBeyond}. */
function isBeyond({ name, rule }: Operation, [a, b]: readonly OperandType[]): boolean {
  if (rule !== 'order' || a === undefined || b === undefined) return false;
  if ('scalar' in a) return 'dtype' in b && outcomeBeyond(name, b.dtype, a.scalar, true) !== undefined;
  return 'scalar' in b && outcomeBeyond(name, a.dtype, b.scalar, false) !== undefined;
}

/** The formula of a value that a fused function returns. */
export function formulaOf(value: FusedValue, trace: Trace): Formula {
  const traced = openTrace(value, 'fuse');
  if (traced.trace !== trace) throw foreign('fuse');
  return traced.formula;
}

/** A clip without one of its limits, or without both. */
export function withoutLimits(
  least: unknown,
  most: unknown,
): { readonly operation: Operation; readonly limits: readonly unknown[] } {
  if (least === undefined || least === null) {
    if (most === undefined || most === null) return { operation: operations.positive, limits: [] };
    return { operation: operations.minimum, limits: [most] };
  }
  if (most === undefined || most === null) return { operation: operations.maximum, limits: [least] };
  return { operation: operations.clip, limits: [least, most] };
}

function openTrace(value: FusedValue, name: string): Traced {
  const traced = readValue(value);
  if (!traced.trace.isOpen) throw foreign(name);
  return traced;
}

function foreign(name: string): TypeError {
  return new TypeError(`${name}: a value of a fused function must be used in that call of it, got one of another call`);
}

function refusal(name: string, operand: unknown): string {
  return `${name} must be given values of the fused function and numbers, got ${nameOf(operand)}; pass arrays as operands of the function`;
}

for (const [name, operation] of [
  ...Object.entries(operations),
  ...Object.entries(shortNames).map(([short, long]) => [short, operations[long]] as const),
]) {
  const { arity } = operation;
  Object.defineProperty(FusedValue.prototype, name, {
    configurable: true,
    writable: true,
    value: function method(this: FusedValue, ...args: unknown[]): FusedValue {
      if (name !== 'clip') return fuseOperation(operation, [this, ...args.slice(0, arity - 1)], args[arity - 1]);
      const clip = withoutLimits(args[0], args[1]);
      return fuseOperation(clip.operation, [this, ...clip.limits], args[2]);
    },
  });
}
