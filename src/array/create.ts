import { checkOptions } from '../core/check.ts';
import { dtypes } from '../core/dtype.ts';
import { copyInto, empty as makeEmpty } from './apply.ts';
import { arrayDTypes, isComplex, readDType, type ArrayDType, type WeakScalar } from './dtype.ts';
import type { Engine, Lane, LaneOptions } from './engine.ts';
import { fill } from './function/transfer.ts';
import { dtypeOfElements, hostElements, type DTypeOfData, type DTypeOfFill } from './host-elements.ts';
import { arrayOver, engineOf, laneOf, memoryOf, NDArray, viewOf } from './ndarray.ts';
import { contiguous } from './layout.ts';
import { readNewShape, reshapeView } from './reshape.ts';
import { readShape } from './shape.ts';

/** The options of functions that make an array. */
export interface CreationOptions<D extends ArrayDType = ArrayDType> extends LaneOptions {
  /** The dtype, by rawkernel's name (`'f32'`) or NumPy's (`'float32'`). */
  readonly dtype?: D | undefined;
}

/** The options of {@link array} and {@link asarray}. */
export interface ArrayOptions<D extends ArrayDType = ArrayDType> extends CreationOptions<D> {
  /** The shape; that of the data by default. One length may be -1. */
  readonly shape?: number | readonly number[] | undefined;
}

/** The names of {@link CreationOptions}. */
export const CREATION_OPTIONS: readonly string[] = ['dtype', 'stream', 'queue'];

/** A new array whose elements are what the memory held. */
export function empty<D extends ArrayDType = 'f32'>(
  engine: Engine,
  shape: number | readonly number[],
  options?: CreationOptions<D>,
  what = 'empty',
): NDArray<D> {
  const { dtype, lane } = readCreation(engine, options, 'f32', what);
  return makeEmpty(engine, readShape(shape, `${what}: shape`), dtype as D, lane);
}

/** A new array of zeros. */
export function zeros<D extends ArrayDType = 'f32'>(
  engine: Engine,
  shape: number | readonly number[],
  options?: CreationOptions<D>,
): NDArray<D> {
  return filled(empty(engine, shape, options, 'zeros'), 0, 'zeros');
}

/** A new array of ones. */
export function ones<D extends ArrayDType = 'f32'>(
  engine: Engine,
  shape: number | readonly number[],
  options?: CreationOptions<D>,
): NDArray<D> {
  return filled(empty(engine, shape, options, 'ones'), 1, 'ones');
}

/**
 * A new array of one value. Without a dtype, a number makes f32, a bigint i64, a truth value bool, a complex number c64.
 *
 * @throws RangeError the dtype does not hold the value
 */
export function full<const V extends WeakScalar, D extends ArrayDType = DTypeOfFill<V>>(
  engine: Engine,
  shape: number | readonly number[],
  value: V,
  options?: CreationOptions<D>,
  what = 'full',
): NDArray<D> {
  const { dtype, lane } = readCreation(engine, options, dtypeOfElements([value]), what);
  checkFill(value, dtype, what);
  return filled(makeEmpty(engine, readShape(shape, `${what}: shape`), dtype as D, lane), value, what);
}

/** Give the elements of a new array one value; it is closed where that fails. */
export function filled<D extends ArrayDType>(made: NDArray<D>, value: WeakScalar, what: string): NDArray<D> {
  return closeOnError(made, () => {
    checkFill(value, made.dtype, what);
    fill(made, value, laneOf(made));
  });
}

/** Throw for a value that the dtype does not hold. */
function checkFill(value: WeakScalar, dtype: ArrayDType, what: string): void {
  const { kind, part } = arrayDTypes[dtype];
  if (kind === 'bool' || (kind === 'complex' && isComplex(value))) return;
  const number = typeof value === 'boolean' ? Number(value) : value;
  const isFloat = kind === 'float' || kind === 'complex';
  dtypes[part].check(isFloat && typeof number === 'bigint' ? Number(number) : number, `${what}: the value`);
}

/**
 * A new array of what is given: typed arrays, which keep their dtype, nested arrays, bytes, arrays of this package and of
 * others.
 *
 * Host: blocks until what is the host's has been read.
 */
export function array<const T, D extends ArrayDType = DTypeOfData<T>>(
  engine: Engine,
  data: T,
  options?: ArrayOptions<D>,
  what = 'array',
): NDArray<D> {
  return arrayFrom(engine, data, options, true, what) as unknown as NDArray<D>;
}

/**
 * The same without a copy where there is an array already: a view of an array of this context, an array over device memory
 * that another object owns, which it keeps alive.
 */
export function asarray<const T, D extends ArrayDType = DTypeOfData<T>>(
  engine: Engine,
  data: T,
  options?: ArrayOptions<D>,
  what = 'asarray',
): NDArray<D> {
  return arrayFrom(engine, data, options, false, what) as unknown as NDArray<D>;
}

function arrayFrom(
  engine: Engine,
  data: unknown,
  options: ArrayOptions | undefined,
  isCopied: boolean,
  what: string,
): NDArray {
  if (options !== undefined) checkOptions(options, ['shape', ...CREATION_OPTIONS], what);
  const dtype = options?.dtype === undefined ? undefined : readDType(options.dtype, `${what}: dtype`);
  const shape = options?.shape;
  const lane = engine.laneOf(options, what);
  const found = onDevice(engine, data, { dtype, shape, lane }, what);
  if (found !== undefined) {
    try {
      return derived(found, dtype ?? found.dtype, shape, lane ?? laneOf(found), isCopied, what);
    } finally {
      found.close();
    }
  }
  const source = data instanceof NDArray ? (data as NDArray) : undefined;
  // An array of another context comes by way of the host.
  const asked = dtype ?? source?.dtype;
  const elements = hostElements(source ? source.get() : data, asked, what);
  const target = shape === undefined ? (source?.shape ?? elements.shape) : shape;
  const to = readNewShape(elements.shape, target, `${what}: shape`);
  const made = makeEmpty(engine, to, elements.dtype, lane ?? engine.defaultLane);
  return closeOnError(made, () => {
    if (elements.bytes.length > 0) engine.write(memoryOf(made), 0, elements.bytes, laneOf(made));
  });
}

interface Wanted {
  readonly dtype: ArrayDType | undefined;
  readonly shape: number | readonly number[] | undefined;
  readonly lane: Lane | undefined;
}

/** What is in the memory of the engine's device already, as an array of its own. */
function onDevice(engine: Engine, data: unknown, wanted: Wanted, what: string): NDArray | undefined {
  if (data instanceof NDArray) {
    const given = data as NDArray;
    given.use(what);
    return engineOf(given) === engine ? viewOf(given, given) : undefined;
  }
  const adopted = engine.adopt?.(data, wanted, what);
  return adopted && arrayOver(adopted.memory, adopted.dtype, adopted.layout);
}

/** An array in another dtype or shape: a view where that has the elements, and where no copy is wanted. */
function derived(
  found: NDArray,
  dtype: ArrayDType,
  shape: Wanted['shape'],
  lane: Lane,
  isCopied: boolean,
  what: string,
): NDArray {
  const [from, to] = [arrayDTypes[found.dtype].kind, arrayDTypes[dtype].kind];
  if (from === 'complex' && to !== 'complex' && to !== 'bool') {
    throw new TypeError(
      `${what}: dtype must be complex or bool for elements of ${found.dtype}, got ${dtype}; write real() or abs() first`,
    );
  }
  const target = shape === undefined ? found.shape : readNewShape(found.shape, shape, `${what}: shape`);
  const view = shape === undefined ? found : reshapeView(found, target);
  if (!isCopied && dtype === found.dtype && view !== undefined) return viewOf(found, view);
  const copy = makeEmpty(engineOf(found), found.shape, dtype, lane);
  try {
    copyInto(copy, found, lane);
    return viewOf(copy, contiguous(target));
  } finally {
    copy.close();
  }
}

/** Do something to a new array, and close it where that fails. */
export function closeOnError<D extends ArrayDType>(made: NDArray<D>, run: () => void): NDArray<D> {
  try {
    run();
    return made;
  } catch (error) {
    made.close();
    throw error;
  }
}

/** The dtype and the line that options ask for. */
export function readCreation(
  engine: Engine,
  options: CreationOptions | undefined,
  dtype: ArrayDType,
  what: string,
  more: readonly string[] = [],
): { readonly dtype: ArrayDType; readonly lane: Lane } {
  if (options !== undefined) checkOptions(options, [...more, ...CREATION_OPTIONS], what);
  return {
    dtype: options?.dtype === undefined ? dtype : readDType(options.dtype, `${what}: dtype`),
    lane: engine.laneOf(options, what) ?? engine.defaultLane,
  };
}
