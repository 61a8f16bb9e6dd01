import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { NDArray } from '../ndarray.ts';
import { binomial } from './binomial.ts';
import { choice, type ChoiceOptions } from './choice.ts';
import { exponential } from './exponential.ts';
import { beta, gamma } from './gamma.ts';
import { integers, type IntegerLimit, type IntegerOptions } from './integers.ts';
import { lognormal, normal } from './normal.ts';
import type { RandomParameter } from './parameter.ts';
import { permuted, PLACES, shuffled } from './permutation.ts';
import { poisson } from './poisson.ts';
import { readSeed } from './seed.ts';
import { PhiloxStream, type GeneratorState } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';
import { uniform } from './uniform.ts';
import { words } from './words.ts';

/** The options of {@link RandomGenerator.shuffle} and {@link RandomGenerator.permutation}. */
export interface ShuffleOptions extends LaneOptions {
  /** The axis along which elements change places, the first by default. */
  readonly axis?: number | undefined;
}

/** The options of a permutation of integers. */
export interface PermutationOptions<D extends ArrayDType = ArrayDType> extends LaneOptions {
  /** The dtype: i64 by default, or i32. */
  readonly dtype?: D | undefined;
}

/**
 * Random numbers: the words of Philox4x32-10, a function of a seed and a counter (J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel
 * random numbers: as easy as 1, 2, 3, 2011), as numbers of distributions. They depend on the seed and on the calls before alone: the
 * same come from every device, in every layout. Calls do not block the host. A call that is refused draws nothing.
 *
 * Parameters may be arrays, which broadcast to the shape. What is in them is not looked at: numbers that a distribution does not allow
 * give NaN, or 0 among integers.
 */
export class RandomGenerator {
  readonly #find: FindEngine;
  readonly #like: (seed: bigint) => RandomGenerator;
  readonly #stream: PhiloxStream;

  /**
   * @param like - another generator of the same class
   * @internal
   */
  constructor(find: FindEngine, seed: number | bigint | undefined, like?: (seed: bigint) => RandomGenerator) {
    this.#find = find;
    this.#like = like ?? ((key) => new RandomGenerator(find, key));
    this.#stream = new PhiloxStream(readSeed(seed));
  }

  /** Where the generator is: JSON keeps it. Assign it to go on from there. */
  get state(): GeneratorState {
    return this.#stream.state;
  }

  set state(state: GeneratorState) {
    this.#stream.state = state;
  }

  /** Go on by so many blocks of four words, or back. */
  advance(blocks: number | bigint): this {
    const count = typeof blocks === 'bigint' ? blocks : BigInt(checkInteger(blocks, 'advance: blocks', -(2 ** 53) + 1));
    this.#stream.skip(count);
    return this;
  }

  /** Go on by 2^96 blocks, or several times as many: numbers that no other call comes to. */
  jump(times = 1): this {
    this.#stream.jump(checkInteger(times, 'jump: times', 0, 2 ** 32 - 1));
    return this;
  }

  /** New generators, whose keys follow from this one's and from how many it has made: they have nothing in common with it. */
  split(count: number): this[] {
    const keys = this.#stream.split(checkInteger(count, 'split: count'));
    return keys.map((key) => this.#like(key) as this);
  }

  /** The words as they are, 32 or 64 bits of them, or the highest 8 or 16. */
  bits<D extends ArrayDType = 'u32'>(shape?: number | readonly number[], options?: RandomOptions<D>): NDArray<D>;
  /** The same, of a shape among the options. */
  bits<D extends ArrayDType = 'u32'>(options: RandomOptions<D>): NDArray<D>;
  bits(...args: readonly unknown[]): NDArray {
    return words(this.#find, this.#stream, shaped(args, 'bits'));
  }

  /** Numbers from 0 below 1. f32 has the highest 24 bits of a word as a fraction, f64 53 bits of two, f16 11 and bf16 8 bits of one. */
  random<D extends ArrayDType = 'f32'>(shape?: number | readonly number[], options?: RandomOptions<D>): NDArray<D>;
  /** The same, of a shape among the options. */
  random<D extends ArrayDType = 'f32'>(options: RandomOptions<D>): NDArray<D>;
  random(...args: readonly unknown[]): NDArray {
    return uniform(this.#find, this.#stream, [0, 1], shaped(args, 'random'), 'random');
  }

  /** Numbers from `low` below `high`, by default 0 and 1. A product and a sum that are rounded may give `high`. */
  uniform<D extends ArrayDType = 'f32'>(options?: RandomOptions<D>): NDArray<D>;
  uniform<D extends ArrayDType = 'f32'>(
    low: RandomParameter,
    high: RandomParameter,
    options?: RandomOptions<D>,
  ): NDArray<D>;
  uniform(...args: readonly unknown[]): NDArray {
    const { values, options } = readArguments(args, [0, 1], 'uniform');
    return uniform(this.#find, this.#stream, values as [number, number], options);
  }

  /** Numbers of the normal distribution of mean 0 and deviation 1, by the method of Box and Muller. */
  standardNormal<D extends ArrayDType = 'f32'>(
    shape?: number | readonly number[],
    options?: RandomOptions<D>,
  ): NDArray<D>;
  /** The same, of a shape among the options. */
  standardNormal<D extends ArrayDType = 'f32'>(options: RandomOptions<D>): NDArray<D>;
  standardNormal(...args: readonly unknown[]): NDArray {
    return normal(this.#find, this.#stream, [0, 1], shaped(args, 'standardNormal'), 'standardNormal');
  }

  /** Numbers of a normal distribution, of mean 0 and deviation 1 by default. */
  normal<D extends ArrayDType = 'f32'>(options?: RandomOptions<D>): NDArray<D>;
  normal<D extends ArrayDType = 'f32'>(
    loc: RandomParameter,
    scale: RandomParameter,
    options?: RandomOptions<D>,
  ): NDArray<D>;
  normal(...args: readonly unknown[]): NDArray {
    const { values, options } = readArguments(args, [0, 1], 'normal');
    return normal(this.#find, this.#stream, values as [number, number], options);
  }

  /** Numbers whose logarithms have a normal distribution, of mean 0 and deviation 1 by default. */
  lognormal<D extends ArrayDType = 'f32'>(options?: RandomOptions<D>): NDArray<D>;
  lognormal<D extends ArrayDType = 'f32'>(
    mean: RandomParameter,
    sigma: RandomParameter,
    options?: RandomOptions<D>,
  ): NDArray<D>;
  lognormal(...args: readonly unknown[]): NDArray {
    const { values, options } = readArguments(args, [0, 1], 'lognormal');
    return lognormal(this.#find, this.#stream, values as [number, number], options);
  }

  /** Numbers of an exponential distribution, of mean 1 by default. */
  exponential<D extends ArrayDType = 'f32'>(options?: RandomOptions<D>): NDArray<D>;
  exponential<D extends ArrayDType = 'f32'>(scale: RandomParameter, options?: RandomOptions<D>): NDArray<D>;
  exponential(...args: readonly unknown[]): NDArray {
    const { values, options } = readArguments(args, [1], 'exponential');
    return exponential(this.#find, this.#stream, values[0] as number, options);
  }

  /** Numbers of a gamma distribution, of scale 1 by default, by the method of Marsaglia and Tsang. */
  gamma<D extends ArrayDType = 'f32'>(shape: RandomParameter, options?: RandomOptions<D>): NDArray<D>;
  gamma<D extends ArrayDType = 'f32'>(
    shape: RandomParameter,
    scale: RandomParameter,
    options?: RandomOptions<D>,
  ): NDArray<D>;
  gamma(...args: readonly unknown[]): NDArray {
    const { values, options } = readArguments(args, [undefined, 1], 'gamma');
    return gamma(this.#find, this.#stream, values as [number, number], options);
  }

  /** Numbers of a beta distribution, of two gamma numbers. */
  beta<D extends ArrayDType = 'f32'>(a: RandomParameter, b: RandomParameter, options?: RandomOptions<D>): NDArray<D> {
    return beta(this.#find, this.#stream, [a, b], options) as unknown as NDArray<D>;
  }

  /** Counts of a Poisson distribution of mean `lam`, 1 by default. The device must have 64-bit floats. */
  poisson<D extends ArrayDType = 'i64'>(options?: RandomOptions<D>): NDArray<D>;
  poisson<D extends ArrayDType = 'i64'>(lam: RandomParameter, options?: RandomOptions<D>): NDArray<D>;
  poisson(...args: readonly unknown[]): NDArray {
    const { values, options } = readArguments(args, [1], 'poisson');
    return poisson(this.#find, this.#stream, values[0] as number, options);
  }

  /** Counts of successes among `n`, each of probability `p`. The device must have 64-bit floats. */
  binomial<D extends ArrayDType = 'i64'>(
    n: RandomParameter,
    p: RandomParameter,
    options?: RandomOptions<D>,
  ): NDArray<D> {
    return binomial(this.#find, this.#stream, [n, p], options) as unknown as NDArray<D>;
  }

  /** Integers from 0 below `high`; all have the same probability. */
  integers<D extends ArrayDType = 'i64'>(high: IntegerLimit, options?: IntegerOptions<D>): NDArray<D>;
  /** Integers from `low` below `high`, or up to it with `endpoint`. */
  integers<D extends ArrayDType = 'i64'>(
    low: IntegerLimit,
    high: IntegerLimit,
    options?: IntegerOptions<D>,
  ): NDArray<D>;
  integers(first: IntegerLimit, ...args: readonly unknown[]): NDArray {
    const [second] = args;
    const isPair = typeof second === 'number' || typeof second === 'bigint';
    const limits = isPair ? ([first, second] as const) : ([0, first] as const);
    return integers(this.#find, this.#stream, limits, args[isPair ? 1 : 0] as IntegerOptions | undefined);
  }

  /** The integers from 0 below a number, in random order. */
  permutation<D extends ArrayDType = 'i64'>(length: number, options?: PermutationOptions<D>): NDArray<D>;
  /** The elements of an array in random order along an axis, in a new array. */
  permutation<D extends ArrayDType>(array: NDArray<D>, options?: ShuffleOptions): NDArray<D>;
  permutation(from: unknown, options?: ShuffleOptions & PermutationOptions): NDArray {
    const what = 'permutation';
    if (from instanceof NDArray) {
      from.use(what);
      checkOptions(options, ['axis', 'stream', 'queue'], what);
      const { axis = 0, ...lanes } = options ?? {};
      return shuffled(this.#stream, from as NDArray, axis, what, lanes);
    }
    checkOptions(options, ['dtype', 'stream', 'queue'], what);
    if (typeof from !== 'number') {
      throw new TypeError(`${what} must be given an integer or an NDArray, got ${nameOf(from)}`);
    }
    const length = checkInteger(from, `${what}: length`);
    const target = targetOf(this.#find, what, { ...options, shape: length }, PLACES);
    if (length > 2 ** 31 && target.dtype === 'i32') {
      throw new RangeError(`${what}: length must be at most ${2 ** 31} for ${target.dtype}, got ${length}`);
    }
    return permuted(this.#stream, target, length);
  }

  /** Bring the elements of an array into random order along an axis, in place. */
  shuffle<D extends ArrayDType>(array: NDArray<D>, options?: ShuffleOptions): NDArray<D> {
    if (!(array instanceof NDArray)) throw new TypeError(`shuffle must be given an NDArray, got ${nameOf(array)}`);
    array.use('shuffle');
    checkOptions(options, ['axis', 'stream', 'queue'], 'shuffle');
    const { axis = 0, ...lanes } = options ?? {};
    shuffled(this.#stream, array, axis, 'shuffle', { ...lanes, out: array });
    return array;
  }

  /** Integers from 0 below a number. */
  choice(length: number, options?: ChoiceOptions): NDArray<'i64'>;
  /** Elements of an array along an axis, which the shape takes the place of. */
  choice<D extends ArrayDType>(array: NDArray<D>, options?: ChoiceOptions): NDArray<D>;
  choice(from: unknown, options?: ChoiceOptions): NDArray {
    return choice(this.#find, this.#stream, from, options);
  }
}

/** A shape, or options that have one. */
function shaped([first, second]: readonly unknown[], what: string): RandomOptions | undefined {
  const isShape = typeof first === 'number' || typeof first === 'bigint' || Array.isArray(first);
  if (!isShape) {
    if (second !== undefined && first !== undefined) {
      throw new TypeError(`${what}: shape must be an integer or a list of them, got ${nameOf(first)}`);
    }
    return (first ?? second) as RandomOptions | undefined;
  }
  checkOptions(second, ['dtype', 'out', 'stream', 'queue'], what);
  return { ...(second as RandomOptions | undefined), shape: first as number | readonly number[] };
}

/** Parameters, and options behind them. Those that are left out have their defaults; one that has none must be given. */
function readArguments(
  args: readonly unknown[],
  defaults: readonly (number | undefined)[],
  what: string,
): { readonly values: readonly unknown[]; readonly options: RandomOptions | undefined } {
  const isParameter = (value: unknown): boolean => typeof value !== 'object' || value instanceof NDArray;
  const values: unknown[] = [];
  for (const arg of args) {
    if (values.length === defaults.length || arg === undefined || !isParameter(arg)) break;
    values.push(arg);
  }
  const [options] = args.slice(values.length).filter((arg) => arg !== undefined);
  const missing = defaults.slice(values.length);
  if (args.length > defaults.length + 1) {
    throw new TypeError(
      `${what} must be given at most ${defaults.length} numbers and options, got ${args.length} arguments`,
    );
  }
  return {
    values: [...values, ...missing],
    options: options as RandomOptions | undefined,
  };
}
