import { nameOf } from '../../core/check.ts';
import type { GraphStructure } from './graph-structure.ts';

/** A value that kernels set by `cudaGraphSetConditional(handle, value)` and conditional nodes go by. */
export interface GraphCondition {
  /** The kernel's argument, an `unsigned long long`. */
  readonly handle: bigint;
  readonly graph: GraphStructure;
}

/** The driver's number of each condition. The driver does not check it: a wrong number ends the process. */
const conditions = new WeakMap<object, bigint>();

/** A condition that the driver has made. */
export function newCondition(handle: bigint, graph: GraphStructure): GraphCondition {
  const condition = { handle, graph };
  conditions.set(condition, handle);
  return condition;
}

/** The number of a condition; an object of the same look is refused. */
export function conditionHandle(condition: unknown): bigint {
  const handle = conditions.get(condition as object);
  if (handle !== undefined) return handle;
  throw new TypeError(`A conditional node takes what createCondition() made, got ${nameOf(condition)}`);
}
