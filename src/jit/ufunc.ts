import { nameOf } from '../core/check.ts';
import { jitVariable } from '../core/environment.ts';
import { Callable } from '../core/callable.ts';
import type { ArrayDType } from '../array/dtype.ts';
import type { LaneOptions } from '../array/engine.ts';
import { ElementwiseKernel } from '../array/generated/elementwise-kernel.ts';
import type { Neutral } from '../array/generated/expression-text.ts';
import { ReductionKernel } from '../array/generated/reduction-kernel.ts';
import { engineOf, NDArray, type OutOptions, type ReductionOptions } from '../array/ndarray.ts';
import { lookAt, releaseAll, type Given } from './argument.ts';
import { checkDoubles } from './doubles.ts';
import { cFunction } from './emit/c-source.ts';
import type { JitHalf } from './jit-function.ts';
import { identityOf } from './identity.ts';
import { readDevice } from './read/kernel-tree.ts';
import type { Source } from './read/source.ts';
import { simulateElements, simulateReduction } from './simulated-arrays.ts';
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

/** A kernel, and the dtype of its result. */
interface Elementwise {
  readonly kernel: ElementwiseKernel<string>;
  readonly dtype: ArrayDType;
}

/** One operand: its dtype in the kernel's list, the type that the function sees, and what its kernel is known by. */
interface Operand {
  readonly dtype: ArrayDType;
  readonly type: ScalarType;
  readonly key: string;
}

function operandOf(one: Given, position: number, what: string): Operand {
  const { type } = one;
  if (one.kind !== 'array' && type.kind === 'scalar') return { dtype: type.name, type, key: keyOf(type) };
  if (type.kind === 'array' && typeof type.element === 'string') {
    return { dtype: type.element, type: valueOf(type.element), key: type.element };
  }
  throw new TypeError(`${what}: argument ${position} must be an array or a number, got ${typeText(type)}`);
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
  readonly #kernels = new Map<string, Elementwise>();

  /** @internal */
  constructor(half: JitHalf, source: Source) {
    const { name } = source.text;
    const isSimulated = jitVariable() === 'js';
    const count = source.text.parameters.length - (source.constants === undefined ? 0 : 1);
    super((...list: unknown[]) => {
      const args = [...list];
      const options = optionsOf(args, count) as OutOptions | undefined;
      if (args.length !== count)
        throw new TypeError(`${name} must be given ${count} operand${count === 1 ? '' : 's'}, got ${args.length}`);
      const made: NDArray[] = [];
      try {
        const operands = placed(half, args, options, made);
        const { kernel, dtype } = this.#kernelFor(half, source, operands, options);
        const all = [...operands, ...(options === undefined ? [] : [options])] as never[];
        if (!isSimulated) return kernel(...all);
        // What is wrong with the operands is found without a run.
        kernel.sourceFor(...all);
        const engine = half.engineFor(options, operands);
        return simulateElements({ half, source, engine, dtype, options }, operands, options);
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
  ): Elementwise {
    const { name } = source.text;
    const engine = half.engineFor(options, operands);
    const given = lookAt(operands, { engine, lane: engine.defaultLane, what: name });
    try {
      const list = given.map((one, i) => operandOf(one, i + 1, name));
      const key = list.map((operand) => operand.key).join();
      const known = this.#kernels.get(key);
      if (known) return known;
      const tree = readDevice(
        source,
        list.map((operand) => operand.type),
      );
      checkDoubles(tree, engine.facts);
      if (tree.result.kind !== 'scalar') {
        throw new TypeError(`vectorize: ${name} must return a number, got ${typeText(tree.result)}`);
      }
      const names = list.map((_, i) => `operand${i}`);
      const kernel = new ElementwiseKernel<string>({
        in: list.map((operand, i) => `${operand.dtype} ${names[i] ?? ''}`),
        out: [`${dtypeOf(tree.result)} result`],
        op: `result = ${tree.name}(${names.join(', ')})`,
        preamble: cFunction(tree, half.words),
        options: [...half.exactOptions],
        name: `vectorize_${name}`,
      });
      const made = { kernel, dtype: dtypeOf(tree.result) };
      this.#kernels.set(key, made);
      return made;
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
  readonly #kernels = new Map<string, { readonly kernel: ReductionKernel; readonly dtype: ArrayDType }>();
  /** `RAWKERNEL_JIT=js`, as it was when the function was made. */
  readonly #isSimulated: boolean = jitVariable() === 'js';

  /** @internal */
  constructor(half: JitHalf, source: Source, identity: Neutral | undefined) {
    const { name } = source.text;
    const call = (given: unknown, options?: ReducedOptions): NDArray => {
      const made: NDArray[] = [];
      try {
        const [array] = placed(half, [given], options, made);
        if (!(array instanceof NDArray)) throw new TypeError(`${name} must be given an array, got ${nameOf(given)}`);
        const { kernel, dtype } = self.#kernelFor(half, source, identity, array as NDArray);
        const result = kernel(array as NDArray, ...(options === undefined ? [] : [options as never]));
        if (!self.#isSimulated) return result;
        const engine = half.engineFor(options, [array]);
        simulateReduction({ half, source, engine, dtype, options }, array as NDArray, result, options ?? {});
        return result;
      } finally {
        for (const array of made) array.close();
      }
    };
    super(call, name);
    const self = this as Reduced;
  }

  #kernelFor(
    half: JitHalf,
    source: Source,
    identity: Neutral | undefined,
    array: NDArray,
  ): { readonly kernel: ReductionKernel; readonly dtype: ArrayDType } {
    const known = this.#kernels.get(array.dtype);
    if (known) return known;
    const { name } = source.text;
    const type = settled(valueOf(array.dtype as never));
    let tree = readDevice(source, [type, type]);
    // A sum of small integers is wider than they are: so are both of its sides.
    if (!isSame(tree.result, type)) tree = readDevice(source, [tree.result, tree.result]);
    checkDoubles(tree, engineOf(array).facts);
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
      // In the simulator it finds what is wrong with a call, and makes the array for the result.
      reduce: this.#isSimulated ? 'a' : `${tree.name}(a, b)`,
      identity: neutral,
      reduceType: dtype,
      preamble: this.#isSimulated ? '' : cFunction(tree, half.words),
      options: [...half.exactOptions],
      name: `reduce_${name}`,
    });
    const made = { kernel, dtype };
    this.#kernels.set(array.dtype, made);
    return made;
  }
}
