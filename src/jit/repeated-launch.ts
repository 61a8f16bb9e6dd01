import { SHARED_MEMORY, type Engine, type GridSizes, type Lane, type UserArgument } from '../array/engine.ts';
import { NARROW, strideAt } from '../array/layout.ts';
import { memoryOf, NDArray } from '../array/ndarray.ts';
import { fitsInt, isFraction, type Given } from './argument.ts';
import type { KernelPart } from './emit/c-source.ts';
import { SCALARS, type ArrayType, type KernelType, type ScalarType } from './kernel-type.ts';
import { sizesOf, writtenMemories, type Specialization } from './specialization.ts';

/** Whether an argument is of the kind that another one was. */
type Test = (value: unknown) => boolean;

/** Writes one argument of the C from those of the call. */
type Part = (args: readonly unknown[]) => UserArgument;

/**
 * Launches with arguments of the same kinds as those of an earlier launch: arrays of the device and numbers. Nothing is made for one
 * of them, and no type is written down to be compared.
 */
export class RepeatedLaunch {
  readonly specialization: Specialization;
  readonly #engine: Engine;
  readonly #tests: readonly Test[];
  readonly #parts: readonly Part[];
  readonly #list: UserArgument[];
  readonly #isWritten: readonly boolean[];

  /** @param tests - of the arguments: that each has the same kind as at first */
  constructor(specialization: Specialization, engine: Engine, tests: readonly Test[]) {
    const { source } = specialization;
    this.specialization = specialization;
    this.#engine = engine;
    this.#tests = tests;
    this.#parts = source.parts.map(partOf);
    this.#list = new Array<UserArgument>(source.parts.length).fill(0);
    this.#isWritten = writtenMemories(source);
  }

  /** Whether arguments are of the kinds that this is for. */
  fits(engine: Engine, args: readonly unknown[]): boolean {
    const tests = this.#tests;
    if (engine !== this.#engine || args.length !== tests.length) return false;
    for (let i = 0; i < tests.length; i++) if (!(tests[i] as Test)(args[i])) return false;
    return true;
  }

  /** Launch with arguments that fit. Host: does not block. */
  launch(lane: Lane, sizes: GridSizes, args: readonly unknown[]): void {
    const list = this.#list;
    const parts = this.#parts;
    for (let i = 0; i < parts.length; i++) list[i] = (parts[i] as Part)(args);
    try {
      const { kernel, source } = this.specialization;
      kernel.launchGrid(lane, sizesOf(source, sizes), list, this.#isWritten);
    } finally {
      // Nothing keeps the memory of the last call.
      list.fill(0);
    }
  }
}

/**
 * Tests for arguments of the same kinds as these.
 *
 * @param hasSignature - whether numbers have the types of a signature, whatever their values are
 * @returns undefined where an argument is something else than an array of the device or a number
 */
export function testsOf(
  engine: Engine,
  args: readonly unknown[],
  given: readonly Given[],
  hasSignature: boolean,
): readonly Test[] | undefined {
  const tests: Test[] = [];
  for (const [i, one] of given.entries()) {
    const test = testOf(one, args[i], engine, hasSignature);
    if (test === undefined) return undefined;
    tests.push(test);
  }
  return tests;
}

function testOf(given: Given, value: unknown, engine: Engine, hasSignature: boolean): Test | undefined {
  if (given.kind === 'value') return typeof value === 'number' ? testOfNumber(given.type, hasSignature) : undefined;
  if (!(value instanceof NDArray) || value.shape.length === 0) return undefined;
  const { type } = given;
  return (other) => other instanceof NDArray && isLike(other as NDArray, type, engine);
}

function isLike(array: NDArray, { element, rank, isFlat }: ArrayType, engine: Engine): boolean {
  const memory = memoryOf(array);
  return (
    array.dtype === element &&
    array.shape.length === rank &&
    memory.engine === engine &&
    (array.isFlat && array.offset === 0) === isFlat &&
    // Then no place needs 64 bits, whatever the strides are.
    array.size <= NARROW &&
    memory.byteLength <= NARROW &&
    !array.closed
  );
}

function testOfNumber(type: KernelType, hasSignature: boolean): Test | undefined {
  if (type.kind !== 'scalar') return undefined;
  if (hasSignature) return testOfNamed(type);
  switch (type.name) {
    case 'i32':
      return fitsInt;
    case 'f32':
    case 'f64':
      return isFraction;
    default:
      return undefined;
  }
}

/** Numbers that a type of a signature holds as they are; a truth value is made of a number at each call. */
function testOfNamed({ name }: ScalarType): Test | undefined {
  const { kind, bits, signed } = SCALARS[name];
  if (kind === 'float') return (value) => typeof value === 'number';
  if (kind !== 'int') return undefined;
  const least = signed ? -(2 ** (bits - 1)) : 0;
  const end = signed ? 2 ** (bits - 1) : 2 ** bits;
  return (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value < end;
}

function partOf(part: KernelPart): Part {
  if (part.kind === 'shared') return () => SHARED_MEMORY;
  const { index } = part;
  const array = (args: readonly unknown[]): NDArray => args[index] as NDArray;
  switch (part.kind) {
    case 'value':
      return (args) => args[index] as number;
    case 'extent':
      return (args) => array(args).shape[part.axis] as number;
    case 'stride':
      return (args) => strideAt(array(args).strides, part.axis);
    case 'offset':
      return (args) => array(args).offset;
    case 'memory':
      return (args) => memoryOf(array(args));
  }
}
