import { Handle } from '../core/handle.ts';
import { tags, type ElementTag } from '../core/element-tag.ts';
import { describeFacts } from '../core/public-object.ts';
import { Resource } from '../core/resource.ts';
import { checkMade } from '../core/maker.ts';
import type { Known } from '../core/typed/element.ts';
import { arrayDTypes, type ArrayDType, type WeakScalar } from './dtype.ts';
import type { ArrayMemory, Engine, Lane, LaneOptions } from './engine.ts';
import type { ArrayData } from './host-data.ts';
import { isColumnMajor, isContiguous, type Layout } from './layout.ts';
import type { Nested } from './nested.ts';
import type { shortNames } from './operation/alias.ts';
import type { OperationRows } from './operation/table.ts';
import type { Row, Rule } from './operation/operation.ts';
import type { PrintedElement } from './printable.ts';
import type { PrintOptions } from './print-options.ts';
import type { ProductMethods } from './product-methods.ts';
import type { FloatOf, Promote, RealOf, WideOf } from './promotion.ts';
import type { ReductionRows, ReductionRule } from './reduction/table.ts';
import { openScope } from './open-scope.ts';
import type { ShapeMethods } from './shape-methods.ts';
import type { ScanMethods } from './scan-methods.ts';
import { sizeOf } from './shape.ts';

/** What elementwise operations take: an array, or a scalar, whose dtype follows the arrays'. */
export type Operand<D extends ArrayDType = ArrayDType> = NDArray<D> | WeakScalar;

/** The options of operations that give an array. */
export interface OutOptions extends LaneOptions {
  /** Write the result into this array, of the result's shape: no memory is allocated. It may be an operand. */
  readonly out?: NDArray | undefined;
}

/** The dtype of a result whose operands have one in common. */
export type ResultOf<R extends Rule, D extends ArrayDType> = {
  same: D;
  float: FloatOf<D>;
  part: RealOf<FloatOf<D>>;
  real: RealOf<D>;
  bool: 'bool';
  order: 'bool';
  logical: 'bool';
  count: 'u8';
  scale: ArrayDType;
  choice: D;
}[R];

/** The dtype of an array together with a scalar: of integers a fraction makes floats. */
export type WithScalar<D extends ArrayDType> = D extends 'f16' | 'bf16' | 'f32' | 'f64' ? D : ArrayDType;

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

/** The dtype of a reduction's results. */
export type ReducedDType<R extends ReductionRule, D extends ArrayDType> = {
  wide: WideOf<D>;
  same: D;
  float: FloatOf<D>;
  real: RealOf<FloatOf<D>>;
  bool: 'bool';
  count: 'i64';
}[R];

/** The options of reductions. */
export interface ReductionOptions<E extends ArrayDType = ArrayDType> extends OutOptions {
  /** The axis that is reduced, or several; all by default. */
  readonly axis?: number | readonly number[] | undefined;
  /** Whether reduced axes stay, with length 1. */
  readonly keepdims?: boolean | undefined;
  /** The dtype that is computed in, and that of the result. */
  readonly dtype?: E | undefined;
}

/** The options of variances. */
export interface VarianceOptions {
  /** What is taken from the number of elements that is divided by: 0 by default, 1 of a sample. */
  readonly correction?: number | undefined;
}

/** The options of {@link NDArray.norm}. */
export interface NormOptions {
  /** The order: 2 by default, 1, Infinity, -Infinity or 0. */
  readonly ord?: number | undefined;
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

/** Operations are installed from their tables by `methods.ts`. */
export interface NDArray<out D extends ArrayDType = ArrayDType>
  extends ProductMethods<D>, ScanMethods<D>, Methods<D>, ShortMethods<D>, Reductions<D>, ShapeMethods<D> {
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

/** How an array lies in its memory. */
export interface ArrayFlags {
  /** Elements follow each other in row-major order. */
  readonly cContiguous: boolean;
  /** Elements follow each other in column-major order. */
  readonly fContiguous: boolean;
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
  /** For the type checker alone: see {@link Holds}. */
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
  constructor(memory: ArrayMemory, dtype: D, { shape, strides, offset }: Layout) {
    checkMade(Handle.isRecord((memory as ArrayMemory | undefined)?.handle), 'NDArray', 'write xp.array(data)');
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

/** An array of the same memory with another layout. */
export function viewOf<D extends ArrayDType>(array: NDArray<D>, layout: Layout): NDArray<D> {
  const memory = memoryOf(array);
  memory.handle.retain();
  return memory.engine.wrap(memory, array.dtype, layout);
}

/** An array of the same memory with elements of another dtype; strides and offset count those. */
export function viewAs<D extends ArrayDType>(array: NDArray, dtype: D, layout: Layout): NDArray<D> {
  const memory = memoryOf(array);
  memory.handle.retain();
  return memory.engine.wrap(memory, dtype, layout);
}
