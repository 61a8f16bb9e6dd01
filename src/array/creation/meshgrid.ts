import { checkOptions, nameOf } from '../../core/check.ts';
import { checkEngine, copyInto, empty } from '../apply.ts';
import { broadcastTo } from '../broadcast.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import type { Layout } from '../layout.ts';
import { engineOf, laneOf, NDArray, viewOf } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { checkRank, checkSize, shapeText } from '../shape.ts';

/** The options of {@link meshgrid}. */
export interface MeshgridOptions extends LaneOptions {
  /** `'xy'` (by default): the first array runs along the columns, the second along the rows; `'ij'`: each along its own axis. */
  readonly indexing?: 'xy' | 'ij' | undefined;
  /** Give views of length 1 along the other axes, which broadcast, and no copies: false. */
  readonly sparse?: boolean | undefined;
}

/**
 * The coordinates of a grid's points, of the coordinates along each axis: `meshgrid(x, y, options?)`. Each result is an array
 * of its own; with `sparse`, a view.
 *
 * @throws RangeError an array of more than one axis
 */
export function meshgrid<D extends ArrayDType>(
  ...args: readonly [...arrays: readonly NDArray<D>[], options: MeshgridOptions] | readonly NDArray<D>[]
): NDArray<D>[] {
  const last = args.at(-1);
  const isGiven = last !== undefined && !(last instanceof NDArray);
  const options = isGiven ? last : {};
  const arrays = (isGiven ? args.slice(0, -1) : args) as unknown as readonly NDArray[];
  checkOptions(options, ['indexing', 'sparse', 'stream', 'queue'], 'meshgrid');
  const { indexing = 'xy', sparse = false } = options;
  if (!(['xy', 'ij'] as readonly unknown[]).includes(indexing)) {
    throw new TypeError(`meshgrid: indexing must be 'xy' or 'ij', got ${nameOf(indexing)}`);
  }
  if (typeof sparse !== 'boolean') throw new TypeError(`meshgrid: sparse must be true or false, got ${nameOf(sparse)}`);
  const places = placesOf(arrays, indexing);
  const shape = new Array<number>(arrays.length).fill(1);
  for (const [i, array] of arrays.entries()) shape[places[i] as number] = array.size;
  checkSize(shape, 'meshgrid: the grid');
  const made: NDArray[] = [];
  try {
    for (const [i, array] of arrays.entries()) {
      const along = alongAxis(array, places[i] as number, arrays.length);
      made.push(sparse ? viewOf(array, along) : expanded(array, along, shape, options));
    }
  } catch (error) {
    for (const each of made) each.close();
    throw error;
  }
  return made as unknown as NDArray<D>[];
}

/** The axis of the grid that each array runs along. */
function placesOf(arrays: readonly NDArray[], indexing: 'xy' | 'ij'): readonly number[] {
  checkRank(arrays.length, 'meshgrid: the grid');
  return arrays.map((array, i) => {
    checkArray(array, `meshgrid: array ${i}`);
    array.use('meshgrid');
    checkEngine(array, engineOf(arrays[0] as NDArray), 'meshgrid');
    if (array.ndim > 1) {
      throw new RangeError(`meshgrid: the arrays must have one axis, got shape ${shapeText(array.shape)}`);
    }
    return indexing === 'xy' && arrays.length > 1 && i < 2 ? 1 - i : i;
  });
}

function alongAxis({ size, strides, offset }: NDArray, axis: number, rank: number): Layout {
  const one = new Array<number>(rank).fill(1);
  return {
    shape: one.with(axis, size),
    strides: new Array<number>(rank).fill(0).with(axis, strides[0] ?? 1),
    offset,
  };
}

function expanded(array: NDArray, along: Layout, shape: readonly number[], options: MeshgridOptions): NDArray {
  const engine = engineOf(array);
  const lane = engine.laneOf(options, 'meshgrid') ?? laneOf(array);
  const made = empty(engine, shape, array.dtype, lane);
  const view = viewOf(array, broadcastTo(along, shape));
  try {
    copyInto(made, view, lane);
    return made;
  } catch (error) {
    made.close();
    throw error;
  } finally {
    view.close();
  }
}
