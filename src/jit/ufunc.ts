import { nameOf } from '../core/check.ts';
import { Callable } from '../core/callable.ts';
import type { ArrayDType } from '../array/dtype.ts';
import type { LaneOptions } from '../array/engine.ts';
import { ElementwiseKernel } from '../array/generated/elementwise-kernel.ts';
import type { Neutral } from '../array/generated/expression-text.ts';
import { ReductionKernel } from '../array/generated/reduction-kernel.ts';
import { NDArray, type OutOptions, type ReductionOptions } from '../array/ndarray.ts';
import { lookAt, releaseAll, type Given } from './argument.ts';
import { cFunction } from './emit/c-source.ts';
import type { JitHalf } from './jit-function.ts';
import { identityOf } from './identity.ts';
import { readDevice } from './read/kernel-tree.ts';
import type { Source } from './read/function-reader.ts';
import { isSame, keyOf, settled, typeText, valueOf, type KernelType, type ScalarType } from './kernel-type.ts';

/** What elementwise functions take: arrays of the device or the host, numbers. */
export type UfuncOperand = NDArray | HostElements | number | bigint | boolean;

/** Elements of the host: a typed array, or nested lists of numbers. */
export type HostElements = ArrayBufferView | readonly unknown[];

/** The dtype of a scalar type in the lists of generated kernels. */
function dtypeOf(type: KernelType): ArrayDType {
  return (type as ScalarType).name;
}

/** Arrays stay as they are; lists and typed arrays go to the device for the call. */
export function placed(
  half: JitHalf,
  args: readonly unknown[],
  options: LaneOptions | undefined,
  made: NDArray[],
): unknown[] {
  return args.map((arg) => {
    if (arg instanceof NDArray || typeof arg !== 'object' || arg === null) return arg;
    const array = half.creation.asarray(arg, options);
    made.push(array);
    return array;
  });
}

function optionsOf(args: unknown[], count: number): object | undefined {
  if (args.length <= count) return undefined;
  return args.pop() as object;
}

/** Types of the elements that a function sees of what is given. */
function elementTypes(given: readonly Given[], what: string): readonly ScalarType[] {
  return given.map((one, i) => {
    const type = one.kind === 'array' ? valueOf(one.type.element) : one.type;
    if (type.kind === 'scalar') return type;
    throw new TypeError(`${what}: argument ${i + 1} must be an array or a number, got ${typeText(type)}`);
  });
}

/** Calls. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export interface Vectorized {
  /**
   * Compute each element of the result from those of the operands, which broadcast.
   *
   * Host: does not block, but for the first call of each kind, which compiles.
   *
   * @param args - the operands; then, if there are any, options
   */
  (...args: readonly (UfuncOperand | OutOptions)[]): NDArray;
}

/** A function of numbers that became one of arrays: made by `vectorize`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class Vectorized extends Callable {
  readonly #kernels = new Map<string, ElementwiseKernel<string>>();

  /** @internal */
  constructor(half: JitHalf, source: Source) {
    const { name } = source.text;
    const count = source.text.parameters.length - (source.constants === undefined ? 0 : 1);
    super((...list: unknown[]) => {
      const args = [...list];
      const options = optionsOf(args, count) as OutOptions | undefined;
      if (args.length !== count)
        throw new TypeError(`${name} must be given ${count} operand${count === 1 ? '' : 's'}, got ${args.length}`);
      const made: NDArray[] = [];
      try {
        const operands = placed(half, args, options, made);
        const kernel = this.#kernelFor(half, source, operands, options);
        return kernel(...(operands as never[]), ...(options === undefined ? [] : [options as never]));
      } finally {
        for (const array of made) array.close();
      }
    }, name);
  }

  #kernelFor(
    half: JitHalf,
    source: Source,
    operands: readonly unknown[],
    options: OutOptions | undefined,
  ): ElementwiseKernel<string> {
    const { name } = source.text;
    const engine = half.engineFor(options, operands);
    const given = lookAt(operands, { engine, lane: engine.defaultLane, what: name });
    try {
      const types = elementTypes(given, name);
      const key = given.map((one) => (one.kind === 'array' ? one.type.element : keyOf(one.type))).join();
      const known = this.#kernels.get(key);
      if (known) return known;
      const tree = readDevice(source, types);
      if (tree.result.kind !== 'scalar') {
        throw new TypeError(`vectorize: ${name} must return a number, got ${typeText(tree.result)}`);
      }
      const names = types.map((_, i) => `operand${i}`);
      const list = given.map(
        (one, i) => `${one.kind === 'array' ? one.type.element : dtypeOf(one.type)} ${names[i] ?? ''}`,
      );
      const kernel = new ElementwiseKernel<string>({
        in: list,
        out: [`${dtypeOf(tree.result)} result`],
        op: `result = ${tree.name}(${names.join(', ')})`,
        preamble: cFunction(tree, half.words),
        options: [...half.exactOptions],
        name: `vectorize_${name}`,
      });
      this.#kernels.set(key, kernel);
      return kernel;
    } finally {
      releaseAll(given);
    }
  }
}

/** The options of a call of {@link Reduced}. */
export type ReducedOptions = ReductionOptions;

/** Calls. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export interface Reduced {
  /**
   * Make one element of many.
   *
   * Host: does not block, but for the first call of each kind, which compiles.
   *
   * @param array - on the device or the host
   * @param options - `axis`, `keepdims`, `out` and the line
   * @returns an array without an axis, or with those that stay
   */
  (array: NDArray | HostElements, options?: ReducedOptions): NDArray;
}

/** A function of two numbers that became a reduction: made by `reduce`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class Reduced extends Callable {
  readonly #kernels = new Map<string, ReductionKernel>();

  /** @internal */
  constructor(half: JitHalf, source: Source, identity: Neutral | undefined) {
    const { name } = source.text;
    const call = (given: unknown, options?: ReducedOptions): NDArray => {
      const made: NDArray[] = [];
      try {
        const [array] = placed(half, [given], options, made);
        if (!(array instanceof NDArray)) throw new TypeError(`${name} must be given an array, got ${nameOf(given)}`);
        const kernel = self.#kernelFor(half, source, identity, array as NDArray);
        return kernel(array as NDArray, ...(options === undefined ? [] : [options as never]));
      } finally {
        for (const array of made) array.close();
      }
    };
    super(call, name);
    const self = this as Reduced;
  }

  #kernelFor(half: JitHalf, source: Source, identity: Neutral | undefined, array: NDArray): ReductionKernel {
    const known = this.#kernels.get(array.dtype);
    if (known) return known;
    const { name } = source.text;
    const type = settled(valueOf(array.dtype as never));
    let tree = readDevice(source, [type, type]);
    // A sum of small integers is wider than they are: so are both of its sides.
    if (!isSame(tree.result, type)) tree = readDevice(source, [tree.result, tree.result]);
    if (tree.result.kind !== 'scalar')
      throw new TypeError(`reduce: ${name} must return a number, got ${typeText(tree.result)}`);
    const dtype = dtypeOf(tree.result);
    const neutral = identity ?? identityOf(tree, dtype);
    if (neutral === undefined) {
      throw new TypeError(
        `reduce: { identity } must be given for ${name}: what changes nothing when it is joined, as 0 for a sum`,
      );
    }
    const kernel = new ReductionKernel({
      in: `${array.dtype} x`,
      out: `${dtype} result`,
      map: 'x',
      reduce: `${tree.name}(a, b)`,
      identity: neutral,
      reduceType: dtype,
      preamble: cFunction(tree, half.words),
      options: [...half.exactOptions],
      name: `reduce_${name}`,
    });
    this.#kernels.set(array.dtype, kernel);
    return kernel;
  }
}
