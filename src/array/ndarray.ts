import { Handle } from '../core/handle.ts';
import { tags, type ElementTag } from '../core/element-tag.ts';
import { describeFacts } from '../core/public-object.ts';
import { Resource } from '../core/resource.ts';
import { checkMade } from '../core/maker.ts';
import type { Known } from '../core/typed/element.ts';
import { arrayDTypes, type ArrayDType, type WeakScalar } from './dtype.ts';
import type { ArrayMemory, Engine, Lane, LaneOptions } from './engine.ts';
import type { ArrayData } from './host-data.ts';
import type { IndexKey } from './index-key.ts';
import { isColumnMajor, isContiguous, type ArrayFlags, type Layout } from './layout.ts';
import type {
  CompressOptions,
  DiagonalOptions,
  ModeOptions,
  NormOptions,
  PutOptions,
  ReshapeOptions,
  QuantileRule,
  ScatterOptions,
  SelectOrder,
  SortOrder,
  VarianceOptions,
} from './method-options.ts';
import type { Nested } from './nested.ts';
import { openScope } from './open-scope.ts';
import type { shortNames } from './operation/alias.ts';
import type { OperationRows } from './operation/table.ts';
import type { Row } from './operation/operation.ts';
import type { PrintedElement } from './printable.ts';
import type { PrintOptions } from './print-options.ts';
import type { FloatOf, Promote } from './promotion.ts';
import type { ReductionRows, ReductionRule } from './reduction/table.ts';
import type { ReducedDType, ResultOf, WithScalar } from './result-dtype.ts';
import { sizeOf } from './shape.ts';

/** What elementwise operations take: an array, or a scalar, whose dtype follows the arrays'. */
export type Operand<D extends ArrayDType = ArrayDType> = NDArray<D> | WeakScalar;

/** The options of operations that give an array. */
export interface OutOptions extends LaneOptions {
  /** Write the result into this array, of the result's shape: no memory is allocated. It may be an operand. */
  readonly out?: NDArray | undefined;
}

/** An operation as a method of an array: the array is its first operand. */
type Method<D extends ArrayDType, R extends Row> = R['arity'] extends 1
  ? (options?: OutOptions) => NDArray<ResultOf<R['rule'], D>>
  : R['arity'] extends 2
    ? {
        <E extends ArrayDType>(other: NDArray<E>, options?: OutOptions): NDArray<ResultOf<R['rule'], Promote<D, E>>>;
        (other: Operand, options?: OutOptions): NDArray<ResultOf<R['rule'], WithScalar<D>>>;
      }
    : (second: Operand, third: Operand, options?: OutOptions) => NDArray;

type Methods<D extends ArrayDType> = { [Name in keyof OperationRows]: Method<D, OperationRows[Name]> };

/** The options of reductions. */
export interface ReductionOptions<E extends ArrayDType = ArrayDType> extends OutOptions {
  /** The axis that is reduced, or several; all by default. */
  readonly axis?: number | readonly number[] | undefined;
  /** Whether reduced axes stay, with length 1. */
  readonly keepdims?: boolean | undefined;
  /** The dtype that is computed in, and that of the result. */
  readonly dtype?: E | undefined;
}

/** A reduction as a method of an array. */
type Reduce<D extends ArrayDType, R extends ReductionRule, Options = object> = <
  E extends ArrayDType = ReducedDType<R, D>,
>(
  options?: ReductionOptions<E> & Options,
) => NDArray<E>;

type Reductions<D extends ArrayDType> = {
  [Name in keyof ReductionRows]: Reduce<
    D,
    ReductionRows[Name]['rule'],
    Name extends 'var' | 'std' ? VarianceOptions : object
  >;
};

type ShortMethods<D extends ArrayDType> = {
  [Name in keyof typeof shortNames]: Methods<D>[(typeof shortNames)[Name]];
};

/** One of the keys of `at()`: what gives a view, or an array of integers or a mask, which chooses elements. */
export type ArrayKey = IndexKey | NDArray;

/** The options of {@link NDArray.take}. Devices do not raise: an index out of range is read as `mode` says. */
export interface TakeOptions extends OutOptions, ModeOptions {
  /** The axis; by default the elements are taken as if they were along one. */
  readonly axis?: number | undefined;
}

/** The options of functions along one axis that give an array. */
export interface AlongAxisOptions extends OutOptions {
  /** The axis, the last by default. */
  readonly axis?: number | undefined;
}

/** The options of {@link repeat}. */
export interface RepeatOptions extends OutOptions {
  /** The axis; by default the elements are repeated as if they were along one. */
  readonly axis?: number | undefined;
}

/** The options of {@link cummax} and {@link cummin}. */
export interface ScanOptions<E extends ArrayDType = ArrayDType> extends OutOptions {
  /** The axis to go along; by default all elements in row-major order, in one axis. */
  readonly axis?: number | undefined;
  /** The dtype to compute in, and of the result. */
  readonly dtype?: E | undefined;
}

/** The options of {@link cumsum} and {@link cumprod}. */
export interface SumScanOptions<E extends ArrayDType = ArrayDType> extends ScanOptions<E> {
  /** Begin with the sum, or product, of no element: the axis becomes longer by one. */
  readonly includeInitial?: boolean | undefined;
}

/** The options of {@link sort} and {@link argsort}. */
export interface SortOptions extends OutOptions, SortOrder {}

/** What {@link topk} gives. */
export interface Topk<D extends ArrayDType> {
  readonly values: NDArray<D>;
  readonly indices: NDArray<'i64'>;
}

/** The options of {@link topk}. */
export interface TopkOptions extends LaneOptions, SelectOrder {}

/** The options of {@link quantile}, {@link percentile} and {@link median}. */
export interface QuantileOptions extends OutOptions, QuantileRule {}

/** The options of {@link trace}. */
export interface TraceOptions<E extends ArrayDType = ArrayDType> extends DiagonalOptions, OutOptions {
  /** The dtype that is computed in, and that of the result. */
  readonly dtype?: E | undefined;
}

/** The methods of arrays for shapes, copies, and parts. Each is the function of its name. */
export interface ShapeMethods<D extends ArrayDType> {
  /**
   * A view of a part; see `IndexKey`. Arrays of integers and masks copy what they choose: negative integers count from the end,
   * those out of range are the nearest, and masks have the host wait for their number.
   */
  at(...keys: readonly ArrayKey[]): NDArray<D>;
  /** Assign to a part, by the keys of `at()`: one, or a list of them. The value is what `set()` takes. */
  setAt(keys: ArrayKey | readonly ArrayKey[], value: unknown, options?: LaneOptions): this;
  /** The elements in a new array without gaps. */
  copy(options?: OutOptions): NDArray<D>;
  /** A view where the elements follow each other, else a copy. Both are to be closed. */
  contiguous(options?: LaneOptions): NDArray<D>;
  /** The elements as another dtype, in a new array. */
  astype<E extends ArrayDType>(dtype: E, options?: OutOptions): NDArray<E>;
  /** The same bytes as elements of another dtype. Of another size, the last axis becomes longer or shorter. */
  view<E extends ArrayDType>(dtype: E): NDArray<E>;
  /** The same elements in another shape: a view where one can have it, else a copy. One length may be -1. */
  reshape(shape: number | readonly number[], options?: ReshapeOptions): NDArray<D>;
  /** The elements along one axis: a view where one can have them, else a copy. */
  ravel(options?: LaneOptions): NDArray<D>;
  /** The view without axes of length 1: the given ones, or all. */
  squeeze(axis?: number | readonly number[]): NDArray<D>;
  /** The view with axes of length 1 added, which are named by their place in the result. */
  expandDims(axis: number | readonly number[]): NDArray<D>;
  /** The view whose axes are the given ones of the array; by default in reverse. */
  permuteDims(axes?: readonly number[]): NDArray<D>;
  /** The same. */
  transpose(axes?: readonly number[]): NDArray<D>;
  /** The view with axes moved to other places. */
  moveaxis(from: number | readonly number[], to: number | readonly number[]): NDArray<D>;
  /** The view with two axes swapped. */
  swapaxes(first: number, second: number): NDArray<D>;
  /** The view that runs backwards along the given axes, or along all. */
  flip(axis?: number | readonly number[]): NDArray<D>;
  /** The view in a larger shape that repeats elements. */
  broadcastTo(shape: number | readonly number[]): NDArray<D>;
  /** Each element of an axis several times in a row. */
  repeat(counts: number | readonly number[], options?: RepeatOptions): NDArray<D>;
  /** The elements of an axis that an array of integers names. */
  take(indices: NDArray, options?: TakeOptions): NDArray<D>;
  /** The elements that indices name along an axis, for each row its own. */
  takeAlongAxis(indices: NDArray, options?: AlongAxisOptions): NDArray<D>;
  /** Assign to the elements that an array of integers names in row-major order. */
  put(indices: NDArray, values: NDArray | WeakScalar, options?: PutOptions): this;
  /** Assign to the elements that indices name along an axis, for each row its own. */
  putAlongAxis(indices: NDArray, values: NDArray | WeakScalar, options?: AlongAxisOptions): this;
  /** Assign to the elements of an axis that an array of integers names. */
  scatterSet(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** Add to them, also several values to one. */
  scatterAdd(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** Raise them to values that are greater. */
  scatterMax(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** Lower them to values that are less. */
  scatterMin(indices: NDArray, values: NDArray | WeakScalar, options?: ScatterOptions): this;
  /** The indices of the elements that are not 0: an array for each axis. Host: blocks. */
  nonzero(options?: LaneOptions): NDArray<'i64'>[];
  /** The elements of an axis for which a condition holds. Host: blocks. */
  compress(condition: NDArray, options?: CompressOptions): NDArray<D>;
  /** The view with axes reversed. */
  readonly T: NDArray<D>;
  /** The view with the last two axes swapped. */
  readonly mT: NDArray<D>;
}

/** The methods of arrays that accumulate along an axis. Each is the function of its name. */
export interface ScanMethods<D extends ArrayDType> {
  /** The sums of the elements up to each one. Integers are added in 64 bits. */
  cumsum<E extends ArrayDType = ReducedDType<'wide', D>>(options?: SumScanOptions<E>): NDArray<E>;
  /** The products of the elements up to each one. Integers are multiplied in 64 bits. */
  cumprod<E extends ArrayDType = ReducedDType<'wide', D>>(options?: SumScanOptions<E>): NDArray<E>;
  /** The greatest of the elements up to each one. */
  cummax<E extends ArrayDType = D>(options?: ScanOptions<E>): NDArray<E>;
  /** The least of the elements up to each one. */
  cummin<E extends ArrayDType = D>(options?: ScanOptions<E>): NDArray<E>;
}

/** The methods of arrays that put elements in order. Each is the function of its name. */
export interface SortMethods<D extends ArrayDType> {
  /** The elements of each line along an axis in order, the last by default. NaN is last. */
  sort(options?: SortOptions): NDArray<D>;
  /** The places of the elements of each line along an axis, in their order. */
  argsort(options?: SortOptions): NDArray<'i64'>;
  /** The greatest elements of each line along an axis, or the least, and their places. */
  topk(k: number, options?: TopkOptions): Topk<D>;
  /** The elements of each line so that those at the given places are where a sort has them. */
  partition(kth: number | readonly number[], options?: AlongAxisOptions): NDArray<D>;
  /** The places of the elements in such an order. */
  argpartition(kth: number | readonly number[], options?: AlongAxisOptions): NDArray<'i64'>;
  /** Quantiles of the elements along axes, in floats; `q` is in 0 to 1. */
  quantile(q: number | readonly number[], options?: QuantileOptions): NDArray<FloatOf<D>>;
  /** The same with `q` in 0 to 100. */
  percentile(q: number | readonly number[], options?: QuantileOptions): NDArray<FloatOf<D>>;
  /** The middle of the elements along axes, in floats. */
  median(options?: Omit<QuantileOptions, 'method'>): NDArray<FloatOf<D>>;
}

/** The methods of arrays for products of matrices. Each is the function of its name. */
export interface ProductMethods<D extends ArrayDType> {
  /** The products of matrices: of the last two axes of both, along the other axes, which broadcast. */
  matmul<E extends ArrayDType>(other: NDArray<E>, options?: OutOptions): NDArray<Promote<D, E>>;
  /** The product of vectors or matrices, as NumPy's `dot` has it. */
  dot<E extends ArrayDType>(other: NDArray<E>, options?: OutOptions): NDArray<Promote<D, E>>;
  /** The view of a diagonal of each matrix, along the last axis. */
  diagonal(options?: DiagonalOptions): NDArray<D>;
  /** The sums of diagonals. Integers are added in 64 bits. */
  trace<E extends ArrayDType = ReducedDType<'wide', D>>(options?: TraceOptions<E>): NDArray<E>;
}

/** Operations are installed from their tables by `methods.ts`. */
export interface NDArray<out D extends ArrayDType = ArrayDType>
  extends
    ProductMethods<D>,
    ScanMethods<D>,
    SortMethods<D>,
    Methods<D>,
    ShortMethods<D>,
    Reductions<D>,
    ShapeMethods<D> {
  /**
   * Copy the elements to the host, in row-major order. Half floats are their bits, complex numbers pairs.
   *
   * Host: blocks.
   *
   * @param out - the array to fill; a new one by default
   */
  get(out?: ArrayData<D>): ArrayData<D>;
  /** The same. Host: does not block. */
  read(out?: ArrayData<D>): Promise<ArrayData<D>>;
  /**
   * CUDA: the address of the first element, borrowed until the array is closed. OpenCL has no addresses: pass the array itself.
   *
   * @throws TypeError the elements do not follow each other, or the array is OpenCL's
   */
  readonly ptr: bigint;
  /** One element, by its index, or the only one. Host: blocks. */
  item(...indices: readonly number[]): PrintedElement;
  /** The elements in nested arrays. Host: blocks. */
  toArray(): Nested;
  /** The text of the elements, as NumPy's `str` has it; of a large array the corners. Host: blocks. */
  toString(options?: Partial<PrintOptions>): string;
  /**
   * Assign elements: of an array, whose shape broadcasts to this one, of a typed array or nested arrays of the same shape, or one
   * number to all. Host: blocks until what is the host's has been read.
   */
  set(value: unknown, options?: LaneOptions): this;
  /** The number, or the limit that it exceeds; null is no limit. */
  clip(least: Operand | null | undefined, most: Operand | null | undefined, options?: OutOptions): NDArray;
  /** Its text for a template; there is no other value before it is read: `item()`, `await read()`. */
  [Symbol.toPrimitive](hint: 'string'): string;
  /** The views along the first axis. */
  [Symbol.iterator](): IterableIterator<NDArray<D>>;
  /** The norm of vectors: by `ord` of squares, absolute values, the greatest or least of them, or those that are not 0. */
  norm: Reduce<D, 'real', NormOptions>;
}

/** The memory of an array, for this package. */
export let memoryOf: (array: NDArray) => ArrayMemory;

/**
 * Elements of one dtype in device memory, along any number of axes: NumPy's array. Views share memory: it is given back once the
 * last of them is closed, or collected.
 *
 * @typeParam D - the dtype, where it is known
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- methods.ts installs the interface's */
export abstract class NDArray<out D extends ArrayDType = ArrayDType> extends Resource<bigint> implements Layout {
  /** For the type checker alone: no value has the property. */
  declare readonly '~elements': Known<D>;
  readonly dtype: D;
  /** The length of each axis. */
  readonly shape: readonly number[];
  /** From one element to the next along each axis, in elements. NumPy counts bytes. */
  readonly strides: readonly number[];
  /** The place of the first element in the memory, in elements. */
  readonly offset: number;
  /** The number of elements. */
  readonly size: number;
  /** What kernels compare with their pointers' types. @internal */
  readonly elementTag: ElementTag;
  /** Whether elements follow each other in row-major order. @internal */
  readonly isFlat: boolean;
  readonly #memory: ArrayMemory;

  /** @internal */
  constructor(memory: ArrayMemory, dtype: D, layout: Layout) {
    checkMade(Handle.isRecord((memory as ArrayMemory | undefined)?.handle), 'NDArray', 'write xp.array(data)');
    const { shape, strides, offset } = layout;
    super(memory.handle as unknown as Handle<bigint>, true);
    this.#memory = memory;
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
    this.size = sizeOf(shape);
    this.elementTag = tags[dtype];
    this.isFlat = isContiguous(this);
    openScope.add?.(this);
  }

  /** The number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** Bytes of one element. */
  get itemsize(): number {
    return arrayDTypes[this.dtype].size;
  }

  /** Bytes of all elements. */
  get nbytes(): number {
    return this.size * this.itemsize;
  }

  /** How it lies in its memory. */
  get flags(): ArrayFlags {
    return { cContiguous: this.isFlat, fContiguous: isColumnMajor(this) };
  }

  static {
    memoryOf = (array) => array.#memory;
  }
}

// What can be seen without a wait for the device.
describeFacts(NDArray, ({ shape, dtype }) => ({ shape, dtype }));

/** Where arrays live. */
export function engineOf(array: NDArray): Engine {
  return memoryOf(array).engine;
}

/** The line of an array's last writer. */
export function laneOf(array: NDArray): Lane {
  return memoryOf(array).lane;
}

/** An array over memory, whose reference it takes over. */
export function arrayOver<D extends ArrayDType>(memory: ArrayMemory, dtype: D, layout: Layout): NDArray<D> {
  return memory.engine.wrap(memory, dtype, layout) as NDArray<D>;
}

/** An array of the same memory with another layout. */
export function viewOf<D extends ArrayDType>(array: NDArray<D>, layout: Layout): NDArray<D> {
  const memory = memoryOf(array);
  memory.handle.retain();
  return arrayOver(memory, array.dtype, layout);
}

/** An array of the same memory with elements of another dtype; strides and offset count those. */
export function viewAs<D extends ArrayDType>(array: NDArray, dtype: D, layout: Layout): NDArray<D> {
  const memory = memoryOf(array);
  memory.handle.retain();
  return arrayOver(memory, dtype, layout);
}
