import { isNameIn } from '../core/choice.ts';
import { nameOf } from '../core/check.ts';
import { Handle } from '../core/handle.ts';
import { checkMade } from '../core/maker.ts';
import { handleOf, Resource } from '../core/resource.ts';
import type { ElementRow, NcclDType } from './elements.ts';
import { RedOp } from './sys/enums.ts';

/** How elements of several ranks become one. `'avg'` is the sum over the number of ranks. */
export type ReductionName = 'sum' | 'prod' | 'max' | 'min' | 'avg';

const OPERATIONS: Readonly<Record<ReductionName, number>> = {
  sum: RedOp.SUM,
  prod: RedOp.PROD,
  max: RedOp.MAX,
  min: RedOp.MIN,
  avg: RedOp.AVG,
};

/** A sum of products with a scalar: `communicator.createPreMulSum(0.5, 'f32')`. It goes with its communicator and dtype alone. */
export class PreMulSum extends Resource<number> {
  readonly dtype: NcclDType;
  readonly #communicator: unknown;

  /** @internal */
  constructor(handle: Handle<number>, dtype: NcclDType, communicator: unknown) {
    checkMade(Handle.isRecord(handle), new.target, 'call communicator.createPreMulSum(scalar, dtype)');
    super(handle);
    this.dtype = dtype;
    this.#communicator = communicator;
  }

  /** Whether a communicator has made it. @internal */
  isOf(communicator: unknown): boolean {
    return this.#communicator === communicator;
  }
}

/** What a reduction does. */
export type Reduction = ReductionName | PreMulSum;

/** A reduction as NCCL has it. */
export interface ReadReduction {
  readonly value: number;
  /** For records of what was called. */
  readonly name: string;
  readonly handle: Handle<number> | undefined;
}

/**
 * Check a reduction against the elements that it is for.
 *
 * @param communicator - the record of the communicator
 */
export function readReduction(op: unknown, element: ElementRow, communicator: unknown, what: string): ReadReduction {
  if (op instanceof PreMulSum) return preMulSum(op, element, communicator, what);
  if (!isNameIn(OPERATIONS, op)) {
    const names = Object.keys(OPERATIONS).map((name) => `'${name}'`);
    throw new TypeError(`${what}: op must be ${names.join(', ')} or a PreMulSum, got ${nameOf(op)}`);
  }
  if (element.parts === 2 && op !== 'sum' && op !== 'avg') {
    throw new TypeError(
      `${what}: complex numbers are reduced part by part, so op must be 'sum' or 'avg' for ${element.name}, got '${op}'`,
    );
  }
  return { value: OPERATIONS[op], name: op, handle: undefined };
}

function preMulSum(op: PreMulSum, element: ElementRow, communicator: unknown, what: string): ReadReduction {
  const handle = handleOf(op, what);
  if (!op.isOf(communicator)) {
    throw new TypeError(`${what}: op must be a PreMulSum of this communicator, got one of another communicator`);
  }
  if (op.dtype !== element.name) {
    throw new TypeError(
      `${what}: op must be a PreMulSum of ${element.name}, the elements' dtype, got one of ${op.dtype}; make it with createPreMulSum(scalar, '${element.name}')`,
    );
  }
  return { value: handle.value, name: 'preMulSum', handle };
}
