import { checkInteger, nameOf } from '../../core/check.ts';
import { empty } from '../apply.ts';
import { closeOnError } from '../create.ts';
import { arrayDTypes, promote, type ArrayDType } from '../dtype.ts';
import type { Engine, Lane } from '../engine.ts';
import { max, min } from '../function/reduce.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { asList, listText } from '../shape.ts';
import { compareDType } from './bin-rule.ts';
import { MAX_BINS, type CountedAxis } from './count.ts';
import {
  converted,
  directionOf,
  marginOf,
  readEdges,
  uniformEdges,
  type EdgeRange,
  type HostEdges,
} from './host-edges.ts';

/** The bins of an axis before anything is counted. */
export interface AxisBins {
  readonly rule: 'uniform' | 'edges';
  readonly edges: HostEdges;
  readonly count: number;
}

/** The dtype of edges for elements: their own, or the widest floats. */
export function edgeDType(dtype: ArrayDType, engine: Engine): ArrayDType {
  return arrayDTypes[dtype].kind === 'float' ? dtype : sumDType(engine);
}

/**
 * The bins that are asked for: their number, or their edges.
 *
 * Host: blocks for the range of the elements where none is given, and for edges in an array.
 */
export function readBins(
  x: NDArray,
  dtype: ArrayDType,
  bins: unknown,
  range: unknown,
  engine: Engine,
  isWide: boolean,
  what: string,
): AxisBins {
  const own = edgeDType(dtype, engine);
  if (typeof bins === 'number' || typeof bins === 'bigint') {
    const count = checkInteger(bins, `${what}: bins`, 1, MAX_BINS);
    const given = readRange(range, what);
    const inner = given ? 'f64' : own;
    const edges = uniformEdges(
      widened(given ?? rangeOf(x, what)),
      count,
      inner,
      given && isWide ? sumDType(engine) : own,
      what,
    );
    return { rule: 'uniform', edges, count };
  }
  const edges = readEdges(bins, own, `${what}: bins`);
  if (directionOf(edges) !== 1 || edges.values.some((value) => Number.isNaN(value))) {
    throw new RangeError(`${what}: the edges of bins must ascend, got ${listText([...edges.values.subarray(0, 8)])}`);
  }
  if (edges.values.length < 2) {
    throw new RangeError(`${what} must be given two edges of bins or more, got ${edges.values.length}`);
  }
  return { rule: 'edges', edges, count: edges.values.length - 1 };
}

/** What kernels count by. The edges are to be closed. */
export function axisOf(x: NDArray, { rule, edges, count }: AxisBins, engine: Engine, lane: Lane): CountedAxis {
  const common = promote(x.dtype, edges.dtype);
  const compare = compareDType(common === 'f64' && !engine.facts.hasDoubles ? 'f32' : common);
  const uploaded = uploadEdges(converted(edges, compare), engine, lane);
  const { values } = edges;
  const [first, last] = [values[0] as number, values[count] as number];
  const numbers = rule === 'uniform' ? [first, last, count / (last - first), marginOf(edges, compare)] : [];
  return { axis: { dtype: x.dtype, rule, compare }, x, bins: count, edges: uploaded, numbers };
}

/** Edges as an array. Host: blocks until they have been copied. */
export function uploadEdges({ dtype, values, bytes }: HostEdges, engine: Engine, lane: Lane): NDArray {
  const made = empty(engine, [values.length], dtype, lane);
  return closeOnError(made, () => {
    if (bytes.length > 0) engine.write(memoryOf(made), 0, bytes, lane);
  });
}

/** The range that is asked for, if one is. */
function readRange(range: unknown, what: string): EdgeRange | undefined {
  if (range === undefined || range === null) return undefined;
  const list = asList(range);
  const [first, last] = [list?.[0], list?.[1]];
  if (list?.length !== 2 || typeof first !== 'number' || typeof last !== 'number') {
    throw new TypeError(
      `${what}: range must be [first, last], two numbers, got ${list ? listText(list) : nameOf(range)}`,
    );
  }
  if (!Number.isFinite(first) || !Number.isFinite(last)) {
    throw new RangeError(`${what}: range must be two finite numbers, got [${first}, ${last}]`);
  }
  if (first <= last) return [first, last];
  throw new RangeError(`${what}: range must not end before it begins, got [${first}, ${last}]`);
}

/** The least and the greatest element. Host: blocks. */
function rangeOf(x: NDArray, what: string): EdgeRange {
  if (x.size === 0) return [0, 1];
  using least = min(x);
  using greatest = max(x);
  const [first, last] = [Number(least.item()), Number(greatest.item())];
  if (Number.isFinite(first) && Number.isFinite(last)) return [first, last];
  throw new RangeError(
    `${what} must be given finite elements where it has no range, got elements from ${first} to ${last}; write { range: [first, last] }`,
  );
}

/** A range without a width gets one, as in NumPy. */
function widened([first, last]: EdgeRange): EdgeRange {
  return first === last ? [first - 0.5, last + 0.5] : [first, last];
}

/** The dtype that sums of weights and densities are in: f64, or f32 where there is none. */
export function sumDType(engine: Engine): 'f32' | 'f64' {
  return engine.facts.hasDoubles ? 'f64' : 'f32';
}
