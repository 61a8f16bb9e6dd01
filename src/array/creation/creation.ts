import { checkOneList, checkOneListBefore } from '../one-list.ts';
import { array, asarray, empty, full, ones, zeros, type ArrayOptions, type CreationOptions } from '../create.ts';
import type { ArrayDType, WeakScalar } from '../dtype.ts';
import type { Engine, LaneOptions } from '../engine.ts';
import type { DTypeOfData, DTypeOfFill } from '../host-elements.ts';
import type { NDArray } from '../ndarray.ts';
import { fromNpy, fromNpz, type FromNpyOptions } from '../npy-array.ts';
import type { Inflate } from '../npz.ts';
import { arange, type DTypeOfSequence, type SequenceNumber } from './arange.ts';
import { eye, identity, type EyeOptions } from './diagonal.ts';
import { fromFunction } from './from-function.ts';
import { geomspace, linspace, logspace, type LogspaceOptions, type SpaceOptions } from './space.ts';
import { tri, type TriOptions } from './triangle.ts';

type Shape = number | readonly number[];

/** Functions that make arrays from nothing, or of what the host or another library has. */
export interface Creation {
  /**
   * A new array of numbers in nested arrays, a typed array, or what other libraries have. Numbers are f32, typed arrays keep their
   * dtype.
   *
   * Host: blocks until the data has been read.
   */
  readonly array: <const T, D extends ArrayDType = DTypeOfData<T>>(data: T, options?: ArrayOptions<D>) => NDArray<D>;
  /** The same; of an array a view, and memory of the device as it is. What has been given must stay alive as long. */
  readonly asarray: <const T, D extends ArrayDType = DTypeOfData<T>>(data: T, options?: ArrayOptions<D>) => NDArray<D>;
  /** A new array whose elements are not set. */
  readonly empty: <D extends ArrayDType = 'f32'>(shape: Shape, options?: CreationOptions<D>) => NDArray<D>;
  /** A new array of zeros. */
  readonly zeros: <D extends ArrayDType = 'f32'>(shape: Shape, options?: CreationOptions<D>) => NDArray<D>;
  /** A new array of ones. */
  readonly ones: <D extends ArrayDType = 'f32'>(shape: Shape, options?: CreationOptions<D>) => NDArray<D>;
  /** A new array of one value. */
  readonly full: <const V extends WeakScalar, D extends ArrayDType = DTypeOfFill<V>>(
    shape: Shape,
    value: V,
    options?: CreationOptions<D>,
  ) => NDArray<D>;
  /** Numbers from 0 up to, without it, a stop; or from a start, and by a step. */
  readonly arange: {
    <N extends SequenceNumber, D extends ArrayDType = DTypeOfSequence<N>>(
      stop: N,
      options?: CreationOptions<D>,
    ): NDArray<D>;
    <N extends SequenceNumber, D extends ArrayDType = DTypeOfSequence<N>>(
      start: N,
      stop: N,
      options?: CreationOptions<D>,
    ): NDArray<D>;
    <N extends SequenceNumber, D extends ArrayDType = DTypeOfSequence<N>>(
      start: N,
      stop: N,
      step: N,
      options?: CreationOptions<D>,
    ): NDArray<D>;
  };
  /** Numbers at equal distances, from a start to a stop: 50 of them by default. */
  readonly linspace: <D extends ArrayDType = 'f32'>(
    start: number,
    stop: number,
    num?: number | SpaceOptions<D>,
    options?: SpaceOptions<D>,
  ) => NDArray<D>;
  /** Powers of a base at equal distances of their exponents. */
  readonly logspace: <D extends ArrayDType = 'f32'>(
    start: number,
    stop: number,
    num?: number | LogspaceOptions<D>,
    options?: LogspaceOptions<D>,
  ) => NDArray<D>;
  /** Numbers at equal ratios, from a start to a stop. */
  readonly geomspace: <D extends ArrayDType = 'f32'>(
    start: number,
    stop: number,
    num?: number | SpaceOptions<D>,
    options?: SpaceOptions<D>,
  ) => NDArray<D>;
  /** Ones on a diagonal, zeros elsewhere. */
  readonly eye: <D extends ArrayDType = 'f32'>(
    rows: number,
    columns?: number | EyeOptions<D>,
    options?: EyeOptions<D>,
  ) => NDArray<D>;
  /** The square matrix with ones on its diagonal. */
  readonly identity: <D extends ArrayDType = 'f32'>(length: number, options?: CreationOptions<D>) => NDArray<D>;
  /** Ones at and below a diagonal, zeros above. */
  readonly tri: <D extends ArrayDType = 'f32'>(
    rows: number,
    columns?: number | TriOptions<D>,
    options?: TriOptions<D>,
  ) => NDArray<D>;
  /** A new array of what a function returns for the index of each element; it runs on the host. */
  readonly fromFunction: <V extends WeakScalar, D extends ArrayDType = DTypeOfFill<V>>(
    shape: Shape,
    element: (...index: number[]) => V,
    options?: CreationOptions<D>,
  ) => NDArray<D>;
  /** The array of the bytes of a `.npy` file. */
  readonly fromNpy: (bytes: Uint8Array, options?: FromNpyOptions) => NDArray;
  /** The arrays of the bytes of a `.npz` file, by name. */
  readonly fromNpz: (bytes: Uint8Array, inflate: Inflate, options?: FromNpyOptions) => Record<string, NDArray>;
}

type Make = (engine: Engine, ...args: never[]) => unknown;

const makers: Readonly<Record<keyof Creation, Make>> = {
  ...{ array, asarray, empty, zeros, ones, full, arange, linspace, logspace, geomspace },
  ...{ eye, identity, tri, fromFunction, fromNpy, fromNpz },
};

const CHECKS: Readonly<Record<string, (name: string, args: readonly unknown[]) => void>> = {
  empty: checkOneList,
  zeros: checkOneList,
  ones: checkOneList,
  full: checkOneListBefore,
};

/**
 * The functions for one half.
 *
 * @param find - where the arrays of a call go, by its options and what they are made of
 */
export function creationOf(find: (options: LaneOptions | undefined, data: unknown) => Engine): Creation {
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [
      name,
      (...args: never[]): unknown => {
        CHECKS[name]?.(name, args);
        return make(find(optionsAmong(args), args[0]), ...args);
      },
    ]),
  ) as unknown as Creation;
}

/** Options come last. Data, an index or a function in their place have neither a stream nor a queue. */
function optionsAmong(args: readonly unknown[]): LaneOptions | undefined {
  const last = args.at(-1);
  return args.length > 1 && typeof last === 'object' && last !== null ? last : undefined;
}
