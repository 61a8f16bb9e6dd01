import { checkOptions } from '../core/check.ts';
import { arrayDTypes, type ArrayDType, type WeakScalar } from './dtype.ts';
import { broadcastShapes } from './broadcast.ts';
import type { Engine, Lane, LaunchArgument } from './engine.ts';
import { fuseOperation, FusedValue } from './expression/fused-value.ts';
import { call, type Node } from './expression/node.ts';
import { contiguous } from './layout.ts';
import { arrayOver, engineOf, laneOf, NDArray, viewOf, type OutOptions } from './ndarray.ts';
import { checkArray, checkOperand, pushScalar } from './operand.ts';
import { outcomeBeyond } from './operation/comparison.ts';
import type { Operation, OperandType } from './operation/operation.ts';
import { operations } from './operation/table.ts';
import { typingOf } from './operation/typing.ts';
import { hasInternalOverlap } from './overlap.ts';
import { copyProgram, Program } from './program.ts';
import { shapeText, sizeOf } from './shape.ts';
import { mayDiffer } from './sharing.ts';
import { copyTiled } from './tiled-copy.ts';

/** An operation for operands of given dtypes, and into a given one. */
interface Plan {
  readonly program: Program;
  readonly result: ArrayDType;
  /** The dtypes that scalars are passed as, in order. */
  readonly scalars: readonly ArrayDType[];
}

const OPTIONS = ['out', 'stream', 'queue'];
const DTYPE_CODES = Object.fromEntries(Object.keys(arrayDTypes).map((name, i) => [name, i])) as Record<
  ArrayDType,
  number
>;
const DTYPE_COUNT = Object.keys(arrayDTypes).length;
/** Dtypes, and what scalars there are to the rules of promotion. */
const CODES = DTYPE_COUNT + 7;

/** Which rules of promotion apply to a scalar. */
export function scalarCode(value: WeakScalar): number {
  if (typeof value === 'number') {
    return !Number.isInteger(value) ? 1 : value === (value | 0) ? 2 : 3;
  }
  return typeof value === 'bigint' ? 4 : typeof value === 'boolean' ? 5 : 6;
}

/**
 * Apply an operation to arrays and scalars: one kernel. Kernels are kept by the dtypes of the operands.
 *
 * @throws TypeError no array among them, or dtypes that the operation does not take
 * @throws RangeError shapes that do not broadcast
 */
export class Applied {
  readonly operation: Operation;
  readonly #isOrder: boolean;
  readonly #plans = new Map<number, Plan>();

  constructor(operation: Operation) {
    this.operation = operation;
    this.#isOrder = operation.rule === 'order';
  }

  run(operands: readonly unknown[], options?: OutOptions): NDArray {
    const { name } = this.operation;
    let key = 0;
    let shape: readonly number[] | undefined;
    let first: NDArray | undefined;
    let isSame = true;
    let scalarAt = -1;
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i] as NDArray | WeakScalar;
      if (operand instanceof NDArray) {
        operand.use(name);
        key = key * CODES + DTYPE_CODES[operand.dtype];
        if (first === undefined) {
          first = operand;
          shape = operand.shape;
        } else if (isSame && !isEqual(shape as readonly number[], operand.shape)) isSame = false;
      } else {
        // In a fused function it is noted, not computed.
        if ((operand as unknown) instanceof FusedValue) {
          return fuseOperation(this.operation, operands, options) as unknown as NDArray;
        }
        checkOperand(operand, `${name}: operand ${i}`);
        if (this.#isOrder) scalarAt = i;
        key = key * CODES + DTYPE_COUNT + scalarCode(operand);
      }
    }
    if (first === undefined)
      throw new TypeError(`${name} must be given an NDArray among its operands, got numbers alone`);
    if (options !== undefined) checkOptions(options, OPTIONS, name);
    if (scalarAt >= 0) {
      const outcome = outcomeBeyond(name, first.dtype, operands[scalarAt] as WeakScalar, scalarAt === 0);
      if (outcome !== undefined) return constant(outcome).run([first, first], options);
    }
    const out = options?.out;
    if (out !== undefined) checkArray(out, `${name}: out`);
    key = key * CODES + (out === undefined ? DTYPE_COUNT : DTYPE_CODES[out.dtype]);
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = planOf(this.operation, operands, out?.dtype);
      this.#plans.set(key, plan);
    }
    const arrays: NDArray[] = [];
    const scalars: LaunchArgument[] = [];
    let at = 0;
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i] as NDArray | WeakScalar;
      if (operand instanceof NDArray) arrays.push(operand);
      else pushScalar(scalars, operand, plan.scalars[at++] as ArrayDType);
    }
    const common = isSame ? (shape as readonly number[]) : broadcastShapes(arrays.map((array) => array.shape));
    return runInto(plan.program, plan.result, common, arrays, scalars, options, name);
  }
}

let always: readonly [never: Applied, ever: Applied] | undefined;

/** What is never true, or always, of integers and themselves. */
function constant(outcome: boolean): Applied {
  always ??= [new Applied(operations.notEqual), new Applied(operations.equal)];
  return always[outcome ? 1 : 0];
}

/**
 * Run a program of one output over arrays of a common shape, into a new array or the one that was given.
 *
 * @param arrays - its inputs
 * @param what - the operation, for errors
 */
export function runInto(
  program: Program,
  result: ArrayDType,
  shape: readonly number[],
  arrays: NDArray[],
  scalars: readonly LaunchArgument[],
  options: OutOptions | undefined,
  what: string,
): NDArray {
  const first = arrays[0] as NDArray;
  const engine = engineOf(first);
  for (let i = 1; i < arrays.length; i++) checkEngine(arrays[i] as NDArray, engine, what);
  const lane = engine.laneOf(options, what) ?? laneOf(first);
  const out = options?.out;
  if (out === undefined) {
    const made = empty(engine, shape, result, lane);
    try {
      program.run(engine, lane, [made, ...arrays], scalars);
    } catch (error) {
      made.close();
      throw error;
    }
    return made;
  }
  checkOut(out, shape, engine, what);
  if (arrays.some((array) => mayDiffer(out, array))) {
    // Elements that are read later must not be written before: they are computed elsewhere first.
    using result = empty(engine, shape, out.dtype, lane);
    program.run(engine, lane, [result, ...arrays], scalars);
    copyInto(out, result, lane);
    return out;
  }
  program.run(engine, lane, [out, ...arrays], scalars);
  return out;
}

/** Copy the elements of an array to another one of the same dtype and shape, or to which its shape broadcasts. */
export function copyInto(out: NDArray, from: NDArray, lane: Lane): void {
  const { dtype } = out;
  if (from.dtype === dtype && copyTiled(out, from, lane)) return;
  copyProgram(from.dtype, dtype).run(engineOf(out), lane, [out, from], []);
}

/**
 * What is written into a new array without gaps, or that array's elements in `out` where it is given.
 *
 * @param write - sets every element of the new array
 */
export function writtenAside(
  like: { readonly engine: Engine; readonly shape: readonly number[]; readonly dtype: ArrayDType },
  out: NDArray | undefined,
  lane: Lane,
  write: (made: NDArray) => void,
): NDArray {
  const made = empty(like.engine, like.shape, like.dtype, lane);
  try {
    write(made);
    if (out === undefined) return made;
    copyInto(out, made, lane);
  } catch (error) {
    made.close();
    throw error;
  }
  made.close();
  return out;
}

/** The elements in a new array without gaps, as another dtype where it is given. */
export function duplicate(array: NDArray, lane: Lane, dtype: ArrayDType = array.dtype): NDArray {
  const made = empty(engineOf(array), array.shape, dtype, lane);
  try {
    copyInto(made, array, lane);
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}

/** A view of an array without gaps, else a copy. Both are to be closed. */
export function withoutGaps(array: NDArray, lane: Lane): NDArray {
  return array.isFlat ? viewOf(array, array) : duplicate(array, lane);
}

/** A new array without gaps, whose elements are what the memory held. */
export function empty<D extends ArrayDType>(
  engine: Engine,
  shape: readonly number[],
  dtype: D,
  lane: Lane,
): NDArray<D> {
  checkDType(engine, dtype);
  // Whole words: atomic operations on small elements change the word that has them.
  const bytes = Math.ceil((Math.max(sizeOf(shape), 1) * arrayDTypes[dtype].size) / 4) * 4;
  return arrayOver(engine.allocate(bytes, lane), dtype, contiguous(shape));
}

/** Throw for a dtype that the device has no arithmetic of. */
export function checkDType(engine: Engine, dtype: ArrayDType): void {
  if (engine.facts.hasDoubles || (dtype !== 'f64' && dtype !== 'c128')) return;
  throw new TypeError(`The dtype must be one that ${engine.facts.name} has, got ${dtype}; it has no 64-bit floats`);
}

/** Throw for an array of another context or device. */
export function checkEngine(array: NDArray, engine: Engine, what: string): void {
  if (engineOf(array) === engine) return;
  throw new TypeError(
    `${what}: the arrays must be of one context, got one of ${engine.facts.name} and one of another context (${engineOf(array).facts.name}); copy with get() and asarray()`,
  );
}

/** Throw for an array that cannot take a result of a shape. */
export function checkOut(out: NDArray, shape: readonly number[], engine: Engine, what: string): void {
  out.use(what);
  checkEngine(out, engine, what);
  if (!isEqual(out.shape, shape)) {
    throw new RangeError(`${what}: out must have the shape ${shapeText(shape)}, got ${shapeText(out.shape)}`);
  }
  if (!out.isFlat && hasInternalOverlap(out)) {
    throw new RangeError(`${what}: out must have an element of its own for each index, got a view that repeats some`);
  }
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function planOf(operation: Operation, operands: readonly unknown[], into: ArrayDType | undefined): Plan {
  const types = operands.map((operand): OperandType => {
    return operand instanceof NDArray ? { dtype: (operand as NDArray).dtype } : { scalar: operand as WeakScalar };
  });
  const typing = typingOf(operation, types);
  const inputs: ArrayDType[] = [];
  const scalars: ArrayDType[] = [];
  const nodes = types.map((type, i): Node => {
    if ('dtype' in type) return { kind: 'input', index: inputs.push(type.dtype) - 1, dtype: type.dtype };
    const dtype = typing.operands[i] as ArrayDType;
    return { kind: 'scalar', index: scalars.push(dtype) - 1, dtype };
  });
  const result = into ?? typing.result;
  checkCast(typing.result, result, operation.name);
  const names = types.map((type, i) => ('dtype' in type ? type.dtype : `s${typing.operands[i]}`));
  const name = [operation.name, ...names, ...(result === typing.result ? [] : ['to', result])].join('_');
  const node = call(operation, nodes, typing);
  return { program: new Program({ name, inputs, scalars, outputs: [{ dtype: result, node }] }), result, scalars };
}

const LEVELS = { bool: 0, uint: 1, int: 1, float: 2, complex: 3 } as const;

/** Throw where a result would lose its kind in the array that it is written to, as NumPy's `same_kind` has it. */
export function checkCast(from: ArrayDType, to: ArrayDType, what: string): void {
  const [one, other] = [arrayDTypes[from], arrayDTypes[to]];
  const isNegativeLost = one.kind === 'int' && other.kind === 'uint';
  if (LEVELS[one.kind] <= LEVELS[other.kind] && !isNegativeLost) return;
  throw new TypeError(`${what}: out must have a dtype that holds ${from}, got ${to}; write astype() for a conversion`);
}
