import { checkInteger, checkOptions } from '../../core/check.ts';
import { copyInto, empty } from '../apply.ts';
import { closeOnError, filled, readCreation, type CreationOptions } from '../create.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Engine, LaneOptions } from '../engine.ts';
import { fill } from '../function/transfer.ts';
import { contiguous, type Layout } from '../layout.ts';
import { engineOf, laneOf, viewOf, type NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { checkSize, shapeText } from '../shape.ts';

/** The options of {@link eye}. */
export interface EyeOptions<D extends ArrayDType = ArrayDType> extends CreationOptions<D> {
  /** The diagonal of the ones: 0 is the main one, positive ones lie above. */
  readonly k?: number | undefined;
}

/** The options of {@link diag}. */
export interface DiagOptions extends LaneOptions {
  /** The diagonal: 0 is the main one, positive ones lie above. */
  readonly k?: number | undefined;
}

/** Ones on a diagonal, zeros elsewhere: `eye(rows, columns?, options?)`. */
export function eye<D extends ArrayDType = 'f32'>(
  engine: Engine,
  rows: number,
  columns?: number | EyeOptions<D>,
  options?: EyeOptions<D>,
): NDArray<D> {
  const given = typeof columns === 'object' ? columns : options;
  const { dtype, lane } = readCreation(engine, given, 'f32', 'eye', ['k']);
  const height = checkInteger(rows, 'eye: rows');
  const width = checkInteger((typeof columns === 'object' ? undefined : columns) ?? height, 'eye: columns');
  const k = diagonalOf(given?.k, 'eye');
  checkSize([height, width], 'eye: the result');
  const made = filled(empty(engine, [height, width], dtype as D, lane), 0, 'eye');
  return closeOnError(made, () => {
    withDiagonal(made, k, (ones) => {
      fill(ones, 1, lane);
    });
  });
}

/** The square matrix with ones on its diagonal. */
export function identity<D extends ArrayDType = 'f32'>(
  engine: Engine,
  length: number,
  options?: CreationOptions<D>,
): NDArray<D> {
  if (options !== undefined) checkOptions(options, ['dtype', 'stream', 'queue'], 'identity');
  return eye(engine, checkInteger(length, 'identity: the length'), options);
}

/**
 * Of an array of one axis, the new matrix with its elements on a diagonal; of a matrix, the view of a diagonal.
 *
 * @throws RangeError another number of axes
 */
export function diag<D extends ArrayDType>(given: NDArray<D>, options?: number | DiagOptions): NDArray<D> {
  checkArray(given, 'diag: the array');
  const array = given as unknown as NDArray;
  array.use('diag');
  const read = typeof options === 'number' ? { k: options } : options;
  if (read !== undefined) checkOptions(read, ['k', 'stream', 'queue'], 'diag');
  const k = diagonalOf(read?.k, 'diag');
  const { shape, dtype } = array;
  const [length, columns] = shape;
  if (length === undefined || shape.length > 2) {
    throw new RangeError(`diag: the array must have one axis or two, got shape ${shapeText(shape)}`);
  }
  const engine = engineOf(array);
  const lane = engine.laneOf(read, 'diag') ?? laneOf(array);
  if (columns !== undefined) return viewOf(array, diagonalView(array, k)) as unknown as NDArray<D>;
  const size = length + Math.abs(k);
  const made = filled(empty(engine, [size, size], dtype as D, lane), 0, 'diag');
  return closeOnError(made, () => {
    withDiagonal(made, k, (diagonal) => {
      copyInto(diagonal, array, lane);
    });
  });
}

/** The number of a diagonal. */
export function diagonalOf(k: number | undefined, what: string): number {
  return k === undefined ? 0 : checkInteger(k, `${what}: k`, Number.MIN_SAFE_INTEGER);
}

function withDiagonal(array: NDArray, k: number, run: (diagonal: NDArray) => void): void {
  const diagonal = viewOf(array, diagonalView(array, k));
  try {
    run(diagonal);
  } finally {
    diagonal.close();
  }
}

/** The elements of a matrix whose columns are their rows plus `k`. */
function diagonalView({ shape, strides, offset }: Layout, k: number): Layout {
  const [rows = 0, columns = 0] = shape;
  const [down = 0, right = 0] = strides;
  const length = Math.max(0, Math.min(k > 0 ? rows : rows + k, k > 0 ? columns - k : columns));
  if (length === 0) return contiguous([0], offset);
  const start = k > 0 ? k * right : -k * down;
  return { shape: [length], strides: [down + right], offset: offset + start };
}
