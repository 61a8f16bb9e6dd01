import { empty } from '../apply.ts';
import { checkHolds, arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaunchArgument } from '../engine.ts';
import { call, type Node } from '../expression/node.ts';
import type { NDArray } from '../ndarray.ts';
import { operations, type OperationName } from '../operation/table.ts';
import { typingOf } from '../operation/typing.ts';
import { Program } from '../program.ts';
import { closeOnError } from '../create.ts';

/** Nodes of an expression whose numbers are all of one dtype. */
export class SequenceText {
  readonly dtype: ArrayDType;
  /** The place of an element, in {@link SequenceText.dtype}. */
  readonly place: Node;
  #scalars = 0;

  constructor(dtype: ArrayDType) {
    this.dtype = dtype;
    this.place = { kind: 'index', dtype };
  }

  /** The next number that the kernel takes. */
  scalar(): Node {
    return { kind: 'scalar', index: this.#scalars++, dtype: this.dtype };
  }

  get scalars(): readonly ArrayDType[] {
    return Array.from({ length: this.#scalars }, () => this.dtype);
  }

  /** An operation applied. */
  apply(name: OperationName, ...operands: readonly Node[]): Node {
    const operation = operations[name];
    return call(operation, operands, typingOf(operation, operands));
  }
}

/** What a sequence computes, by the place of each element. */
export interface Sequence {
  readonly name: string;
  /** The element, of which a text and its numbers are made in the same order. */
  readonly build: (text: SequenceText) => Node;
  /** What it is computed in, where the dtype of the elements does not tell; floats of 32 bits where there are no others. */
  readonly inner?: 'f64' | 'i64';
}

const programs = new Map<string, Program>();

/**
 * A new array whose elements are computed of their places, in floats of 64 bits where the device has them, or in integers of
 * 64 bits.
 *
 * @param numbers - in the order in which the sequence takes them
 */
export function sequence<D extends ArrayDType>(
  engine: Engine,
  shape: readonly number[],
  dtype: D,
  lane: Lane,
  { name, build, inner: given }: Sequence,
  numbers: readonly (number | bigint)[],
): NDArray<D> {
  const inner = computedIn(engine, given ?? dtype);
  const key = `${name}_${dtype}${inner === 'f32' ? '_single' : ''}`;
  let program = programs.get(key);
  if (program === undefined) {
    const text = new SequenceText(inner);
    const node = build(text);
    program = new Program({ name: key, inputs: [], scalars: text.scalars, outputs: [{ dtype, node }] });
    programs.set(key, program);
  }
  const made = empty(engine, shape, dtype, lane);
  return closeOnError(made, () => {
    const args = numbers.map((number): LaunchArgument => asArgument(number, inner));
    program.run(engine, lane, [made], args);
  });
}

/** The dtype that a sequence is computed in. */
function computedIn(engine: Engine, dtype: ArrayDType): 'f64' | 'f32' | 'i64' | 'u64' {
  const { kind } = arrayDTypes[dtype];
  if (dtype === 'u64') return 'u64';
  if (kind === 'int' || kind === 'uint') return 'i64';
  return engine.facts.hasDoubles ? 'f64' : 'f32';
}

function asArgument(number: number | bigint, dtype: ArrayDType): number | bigint {
  // A negative step of unsigned integers wraps around.
  if (dtype === 'u64') return BigInt.asUintN(64, BigInt(number));
  return dtype === 'i64' ? BigInt.asIntN(64, BigInt(number)) : Number(number);
}

/** Throw where the first or the last element is not in a dtype of integers. */
export function checkEnds(dtype: ArrayDType, ends: readonly (number | bigint)[]): void {
  const { kind } = arrayDTypes[dtype];
  if (kind === 'int' || kind === 'uint') for (const end of ends) checkHolds(dtype, end);
}

/** Throw for truth values, of which there is no sequence. */
export function checkNumbers(dtype: ArrayDType, what: string): void {
  if (dtype !== 'bool') return;
  throw new TypeError(`${what}: dtype must be one of numbers, got bool; compare the numbers to get truth values`);
}
