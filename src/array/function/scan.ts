import { checkOptions } from '../../core/check.ts';
import { checkCast, checkOut, writtenAside } from '../apply.ts';
import { mayDiffer } from '../sharing.ts';
import { normalizeAxis } from '../axes.ts';
import { arrayDTypes, readDType, type ArrayDType } from '../dtype.ts';
import { lengthAt, strideAt, type Layout } from '../layout.ts';
import { engineOf, laneOf, viewOf, type NDArray, type ScanOptions, type SumScanOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { checkKind } from '../operation/typing.ts';
import { scanLines } from '../scan/scan-lines.ts';
import { scanOf } from '../scan/scan.ts';
import { accumulatorOf, scanOperations, sumDType, type ScanOperation } from '../scan/scan-operation.ts';
import { inOneAxis } from './in-one-axis.ts';
import { fill } from './transfer.ts';
import type { Engine, Lane } from '../engine.ts';
import type { ReducedDType } from '../result-dtype.ts';

/**
 * The sums of the elements up to each one. Integers and truth values accumulate in 64 bits, halves in f32. Sums of floats may
 * differ in the last bits from one run to the next on a GPU, where they depend on the order of groups.
 *
 * @throws RangeError not an axis, or an `out` of another shape
 */
export function cumsum<D extends ArrayDType, E extends ArrayDType = ReducedDType<'wide', D>>(
  array: NDArray<D>,
  options?: SumScanOptions<E>,
): NDArray<E> {
  return scan(array, scanOperations.cumsum, options) as unknown as NDArray<E>;
}

/** The products of the elements up to each one; otherwise as {@link cumsum}. */
export function cumprod<D extends ArrayDType, E extends ArrayDType = ReducedDType<'wide', D>>(
  array: NDArray<D>,
  options?: SumScanOptions<E>,
): NDArray<E> {
  return scan(array, scanOperations.cumprod, options) as unknown as NDArray<E>;
}

/** The greatest of the elements up to each one. From a NaN on they are NaN. */
export function cummax<D extends ArrayDType, E extends ArrayDType = ReducedDType<'same', D>>(
  array: NDArray<D>,
  options?: ScanOptions<E>,
): NDArray<E> {
  return scan(array, scanOperations.cummax, options) as unknown as NDArray<E>;
}

/** The least of the elements up to each one. From a NaN on they are NaN. */
export function cummin<D extends ArrayDType, E extends ArrayDType = ReducedDType<'same', D>>(
  array: NDArray<D>,
  options?: ScanOptions<E>,
): NDArray<E> {
  return scan(array, scanOperations.cummin, options) as unknown as NDArray<E>;
}

function scan(array: NDArray, operation: ScanOperation, options: SumScanOptions | undefined): NDArray {
  const { name } = operation;
  checkArray(array, name);
  array.use(name);
  if (options !== undefined) {
    const initial = operation.isWide ? ['includeInitial'] : [];
    checkOptions(options, ['axis', 'dtype', ...initial, 'out', 'stream', 'queue'], name);
  }
  checkKind(name, array.dtype, operation.kinds);
  const engine = engineOf(array);
  const lane = engine.laneOf(options, name) ?? laneOf(array);
  if (options?.axis === undefined && array.ndim !== 1) {
    using flat = inOneAxis(array);
    return along(flat, 0, operation, options, engine, lane);
  }
  const axis = normalizeAxis(options?.axis ?? 0, array.ndim, `${name}: axis`);
  return along(array, axis, operation, options, engine, lane);
}

function along(
  array: NDArray,
  axis: number,
  operation: ScanOperation,
  options: SumScanOptions | undefined,
  engine: Engine,
  lane: Lane,
): NDArray {
  const { name } = operation;
  const result = resultDType(array.dtype, operation, options?.dtype);
  const withInitial = options?.includeInitial === true;
  const shape = withInitial ? array.shape.with(axis, lengthAt(array.shape, axis) + 1) : array.shape;
  const given = options?.out;
  if (given !== undefined) {
    checkArray(given, `${name}: out`);
    checkOut(given, shape, engine, name);
    checkCast(result, given.dtype, name);
  }
  const output = given?.dtype ?? result;
  const work = scanOf({ operation, input: array.dtype, accumulator: accumulatorOf(result), output });
  if (given !== undefined && !mayDiffer(given, array) && !withInitial) {
    scanLines(work, engine, lane, given, array, axis);
    return given;
  }
  return writtenAside({ engine, shape, dtype: output }, given, lane, (made) => {
    if (!withInitial) {
      scanLines(work, engine, lane, made, array, axis);
      return;
    }
    using first = viewOf(made, part(made, axis, 0, 1));
    using rest = viewOf(made, part(made, axis, 1, lengthAt(array.shape, axis)));
    fill(first, operation.name === 'cumprod' ? 1 : 0, lane);
    scanLines(work, engine, lane, rest, array, axis);
  });
}

/** A part of an axis. */
function part({ shape, strides, offset }: Layout, axis: number, start: number, length: number): Layout {
  return { shape: shape.with(axis, length), strides, offset: offset + start * strideAt(strides, axis) };
}

function resultDType(dtype: ArrayDType, operation: ScanOperation, asked: unknown): ArrayDType {
  const { name, kinds, isWide } = operation;
  if (asked === undefined) return isWide ? sumDType(dtype) : dtype;
  const result = readDType(asked, `${name}: dtype`);
  checkKind(name, result, kinds);
  if (arrayDTypes[dtype].kind === 'complex' && arrayDTypes[result].kind !== 'complex') {
    throw new TypeError(
      `${name}: dtype must be one of complex numbers for elements of ${dtype}, got ${result}; write real() for the real parts`,
    );
  }
  return result;
}
