import { checkGiven, checkInteger, nameOf } from '../../core/check.ts';
import { dtypes } from '../../core/dtype.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { struct, type StructType } from '../../core/struct.ts';
import type { Creation } from '../../array/creation/creation.ts';
import type { LaneOptions } from '../../array/engine.ts';
import { lanesOf } from '../../array/lane-options.ts';
import type { NDArray } from '../../array/ndarray.ts';
import type { KernelStructs } from '../kernel-array.ts';
import { StructArray } from '../struct-array.ts';
import { subsequences } from './subsequence.ts';

/** The two words of a state of xoroshiro128+. */
export type Xoroshiro128pFields = { readonly s0: 'u64'; readonly s1: 'u64' };

/** The state of a generator: Numba's `xoroshiro128p_dtype`. For signatures, and for arrays of states in a kernel. */
export const Xoroshiro128pState: StructType<Xoroshiro128pFields> = struct({ s0: 'u64', s1: 'u64' });

/** States of generators as a kernel sees them: what `cuda.random` is given. */
export type Xoroshiro128p = KernelStructs<Xoroshiro128pFields>;

/** The options of {@link RandomStates.createXoroshiro128pStates}. */
export interface Xoroshiro128pOptions extends LaneOptions {
  /** An integer from 0, below 2^64: numbers up to 2^53 - 1, or bigints. */
  readonly seed: number | bigint;
  /** How many subsequences of 2^64 numbers before that of the first state are left out: 0 by default. */
  readonly subsequenceStart?: number | bigint | undefined;
}

/** States of generators on the device: made by `createXoroshiro128pStates`. */
export class Xoroshiro128pStates extends StructArray<Xoroshiro128pFields> implements Disposable {
  /** The words of the states, in rows of two. `states.memory.get()` copies them to the host. */
  declare readonly memory: NDArray<'u64'>;

  /** @internal */
  constructor(maker: Maker, memory: NDArray<'u64'>) {
    checkMade(maker === MAKER, 'Xoroshiro128pStates', 'write createXoroshiro128pStates(n, { seed })');
    super(maker, Xoroshiro128pState, memory);
  }

  /** How many states there are. */
  get length(): number {
    return this.memory.shape[0] as number;
  }

  /** Whether the memory was given back. */
  get closed(): boolean {
    return this.memory.closed;
  }

  /** Give the memory back. */
  close(): void {
    this.memory.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Numba's functions of `numba.cuda.random` for the host. */
export interface RandomStates {
  /**
   * States of `n` generators on the device, for `cuda.random` in kernels: Numba's `create_xoroshiro128p_states`, with the same states.
   * The numbers of each generator are 2^64 steps behind those of the one before, so that none are drawn twice.
   *
   * Host: blocks until the states are made, about 0.2 µs each, and have been read.
   *
   * @param n - generators: as a rule one for each thread
   * @throws RangeError a seed or a start that is not an integer from 0 below 2^64
   * @example
   * ```ts
   * import { createXoroshiro128pStates, cuda, jit, type F32, type Xoroshiro128p } from 'rawkernel/cuda/jit';
   * import 'rawkernel/cuda/autoinit';
   *
   * const draw = jit((states: Xoroshiro128p, out: F32) => {
   *   const i = cuda.grid(1);
   *   if (i < out.length) out[i] = cuda.random.xoroshiro128pUniformFloat32(states, i);
   * });
   * using states = createXoroshiro128pStates(1000, { seed: 1 });
   * const out = new Float32Array(1000);
   * draw.forAll(1000)(states, out);
   * ```
   */
  readonly createXoroshiro128pStates: (n: number, options: Xoroshiro128pOptions) => Xoroshiro128pStates;
  /**
   * Put states that are there back to where a seed begins: Numba's `init_xoroshiro128p_states`.
   *
   * Host: blocks until the states are made and have been read.
   *
   * @throws TypeError what `createXoroshiro128pStates` has not made
   * @throws RangeError a seed or a start that is not an integer from 0 below 2^64
   */
  readonly initXoroshiro128pStates: (states: Xoroshiro128pStates, options: Xoroshiro128pOptions) => void;
}

/** The functions of a half. */
export function randomStatesOf({ array }: Pick<Creation, 'array'>): RandomStates {
  return {
    createXoroshiro128pStates: (n, options) => {
      checkInteger(n, 'createXoroshiro128pStates: n');
      const words = wordsFor(n, options, 'createXoroshiro128pStates');
      const flat = array(words, lanesOf(options));
      try {
        return new Xoroshiro128pStates(MAKER, flat.reshape([n, 2]));
      } finally {
        flat.close();
      }
    },
    initXoroshiro128pStates: (states, options) => {
      if (!((states as unknown) instanceof Xoroshiro128pStates))
        throw new TypeError(
          `initXoroshiro128pStates must be given states of createXoroshiro128pStates, got ${nameOf(states)}`,
        );
      const words = wordsFor(states.length, options, 'initXoroshiro128pStates');
      const flat = states.memory.reshape(words.length);
      try {
        flat.set(words, lanesOf(options));
      } finally {
        flat.close();
      }
    },
  };
}

function wordsFor(n: number, options: Xoroshiro128pOptions, what: string): BigUint64Array<ArrayBuffer> {
  checkGiven(options, ['seed', 'subsequenceStart', 'stream', 'queue'], what);
  const { seed, subsequenceStart = 0 } = options;
  return subsequences(n, wordOf(seed, `${what}: seed`), wordOf(subsequenceStart, `${what}: subsequenceStart`));
}

function wordOf(value: unknown, what: string): bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw new TypeError(`${what} must be an integer or a bigint, got ${nameOf(value)}`);
  return BigInt(dtypes.u64.check(value, what));
}
