import { isNameIn } from '../core/choice.ts';
import { nameOf } from '../core/check.ts';
import { Handle } from '../core/handle.ts';
import { checkMade } from '../core/maker.ts';
import { handleOf, Resource } from '../core/resource.ts';
import type { CallArguments } from './call-arguments.ts';
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

/** Check the reduction of a call against the elements that it is for. */
export function readReduction(args: CallArguments, element: ElementRow): ReadReduction {
  const { what, size } = args;
  const op: unknown = args.options['op'] ?? 'sum';
  if (op instanceof PreMulSum) return preMulSum(op, element, args);
  if (!isNameIn(OPERATIONS, op)) {
    const names = Object.keys(OPERATIONS).map((name) => `'${name}'`);
    throw new TypeError(`${what}: op must be ${names.join(', ')} or a PreMulSum, got ${nameOf(op)}`);
  }
  if (element.parts === 2 && op !== 'sum' && op !== 'avg') {
    throw new TypeError(
      `${what}: complex numbers are reduced part by part, so op must be 'sum' or 'avg' for ${element.name}, got '${op}'`,
    );
  }
  // NCCL 2.28 refuses the mean of 8-bit floats of one rank, and all calls after it.
  const value = op === 'avg' && size === 1 ? RedOp.SUM : OPERATIONS[op];
  return { value, name: op, handle: undefined };
}

function preMulSum(op: PreMulSum, element: ElementRow, { what, state, size }: CallArguments): ReadReduction {
  const handle = handleOf(op, what);
  if (!op.isOf(state)) {
    throw new TypeError(`${what}: op must be a PreMulSum of this communicator, got one of another communicator`);
  }
  if (op.dtype !== element.name) {
    throw new TypeError(
      `${what}: op must be a PreMulSum of ${element.name}, the elements' dtype, got one of ${op.dtype}; make it with createPreMulSum(scalar, '${element.name}')`,
    );
  }
  if (size === 1 && element.name.startsWith('f8')) {
    throw new TypeError(
      `${what}: op must not be a PreMulSum of ${element.name} where there is one rank: NCCL has no such kernel, and refuses all calls after it; multiply x`,
    );
  }
  return { value: handle.value, name: 'preMulSum', handle };
}
