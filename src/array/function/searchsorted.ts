import { checkOptions, nameOf } from '../../core/check.ts';
import { checkEngine, empty } from '../apply.ts';
import { closeOnError } from '../create.ts';
import { promoteWeak, type WeakScalar } from '../dtype.ts';
import type { Engine, Lane } from '../engine.ts';
import { edgeDType, uploadEdges } from '../histogram/axis.ts';
import { directionOf, readEdges } from '../histogram/host-edges.ts';
import { engineOf, laneOf, NDArray, viewOf, type OutOptions } from '../ndarray.ts';
import { checkOpen, checkOperand } from '../operand.ts';
import { REAL_OR_BOOL } from '../operation/operation.ts';
import { checkKind } from '../operation/typing.ts';
import { resultOf } from '../result.ts';
import { searchInto } from '../search/search.ts';
import { checkIndices, indicesFor } from '../selection.ts';
import { listText, shapeText } from '../shape.ts';
import { flip } from '../view.ts';
import { inOneAxis } from './in-one-axis.ts';
import type { Bins } from './histogram.ts';
import { fill } from './transfer.ts';

/** The options of {@link searchsorted}. */
export interface SearchsortedOptions extends OutOptions {
  /** Of places among equal elements the first (`'left'`, the default), or the one behind the last. */
  readonly side?: 'left' | 'right' | undefined;
  /** The indices that sort the elements, as `argsort` gives them: elements need not be sorted then. */
  readonly sorter?: NDArray | undefined;
}

/** The options of {@link digitize}. */
export interface DigitizeOptions extends OutOptions {
  /** Whether a bin has its right edge instead of its left one. */
  readonly right?: boolean | undefined;
}

/**
 * The places where values would be put into sorted elements so that those stay sorted, by a binary search for each. NaN is behind
 * all numbers. Whether the elements are sorted is not looked at.
 *
 * @param a - the elements, along one axis
 * @param v - the values: an array of any shape, or a number
 * @returns i64 of the shape of the values
 * @throws TypeError complex elements, a sorter that is not one of integers
 * @throws RangeError elements along more axes, a sorter of another length
 */
export function searchsorted(a: NDArray, v: NDArray | WeakScalar, options?: SearchsortedOptions): NDArray<'i64'> {
  const what = 'searchsorted';
  checkOpen(a, what);
  checkOperand(v, `${what}: values`);
  if (options !== undefined) checkOptions(options, ['side', 'sorter', 'out', 'stream', 'queue'], what);
  const side: unknown = options?.side ?? 'left';
  if (side !== 'left' && side !== 'right') {
    throw new TypeError(`${what}: side must be 'left' or 'right', got ${nameOf(side)}`);
  }
  if (a.ndim !== 1)
    throw new RangeError(`${what} must be given sorted elements of rank 1, got shape ${shapeText(a.shape)}`);
  const engine = engineOf(a);
  const lane = engine.laneOf(options, what) ?? laneOf(a);
  const sorter = options?.sorter;
  if (sorter !== undefined) {
    checkOpen(sorter, what, 'sorter');
    checkIndices(sorter, `${what}: sorter`);
    checkEngine(sorter, engine, what);
    if (sorter.ndim !== 1 || sorter.size !== a.size) {
      throw new RangeError(
        `${what}: sorter must have the shape ${shapeText(a.shape)} of the elements, got ${shapeText(sorter.shape)}`,
      );
    }
  }
  using values = valuesOf(v, a, engine, lane, what);
  using indices = sorter && indicesFor(sorter, lane);
  return searched(what, a, values, { sorter: indices, isRight: side === 'right', isReversed: false, options });
}

/**
 * The bins of elements, as NumPy numbers them: 0 is below the first edge, the number of edges is beyond the last one. A bin has its
 * left edge, or with `right` its right one. Edges ascend or descend; NaN is behind all numbers.
 *
 * Host: blocks until edges have been copied, and for edges in an array.
 *
 * @returns i64 of the shape of the array
 * @throws TypeError complex elements
 * @throws RangeError edges that neither ascend nor descend
 */
export function digitize(x: NDArray, bins: Exclude<Bins, number>, options?: DigitizeOptions): NDArray<'i64'> {
  const what = 'digitize';
  checkOpen(x, what);
  if (options !== undefined) checkOptions(options, ['right', 'out', 'stream', 'queue'], what);
  const right: unknown = options?.right ?? false;
  if (typeof right !== 'boolean') throw new TypeError(`${what}: right must be true or false, got ${nameOf(right)}`);
  checkKind(what, x.dtype, REAL_OR_BOOL);
  const engine = engineOf(x);
  const lane = engine.laneOf(options, what) ?? laneOf(x);
  const host = readEdges(bins, edgeDType(x.dtype, engine), `${what}: bins`);
  const direction = directionOf(host);
  if (direction === 0) {
    throw new RangeError(`${what}: bins must ascend or descend, got ${listText([...host.values.subarray(0, 8)])}`);
  }
  using uploaded = uploadEdges(host, engine, lane);
  using edges = viewOf(uploaded, direction < 0 ? flip(uploaded) : uploaded);
  return searched(what, edges, x, { sorter: undefined, isRight: !right, isReversed: direction < 0, options });
}

interface SearchHow {
  readonly sorter: NDArray | undefined;
  readonly isRight: boolean;
  readonly isReversed: boolean;
  readonly options: OutOptions | undefined;
}

function searched(what: string, sorted: NDArray, values: NDArray, how: SearchHow): NDArray<'i64'> {
  checkKind(what, sorted.dtype, REAL_OR_BOOL);
  checkKind(`${what}: values`, values.dtype, REAL_OR_BOOL);
  const operands = [values, sorted, ...(how.sorter ? [how.sorter] : [])];
  const options = how.options && { out: how.options.out, stream: how.options.stream, queue: how.options.queue };
  return resultOf(what, { shape: values.shape, dtype: 'i64', operands, options }, (out, lane) => {
    using flat = inOneAxis(values);
    searchInto(engineOf(sorted), lane, out, { ...how, sorted, values: flat });
  });
}

/** The values as an array that is to be closed: a number has the dtype that it has beside the elements. */
function valuesOf(v: NDArray | WeakScalar, a: NDArray, engine: Engine, lane: Lane, what: string): NDArray {
  if (v instanceof NDArray) {
    const array = v;
    array.use(what);
    checkEngine(array, engine, what);
    return viewOf(array, array);
  }
  const made: NDArray = empty(engine, [], promoteWeak(a.dtype, v), lane);
  return closeOnError(made, () => {
    fill(made, v, lane);
  });
}
