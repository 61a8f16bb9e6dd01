import { nameOf } from '../../core/check.ts';
import { dtypes } from '../../core/dtype.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { bytesOf, elementReader, elementWriter, hostArray } from '../host-data.ts';
import { hostElements } from '../host-elements.ts';
import { NDArray } from '../ndarray.ts';
import { shapeText } from '../shape.ts';

/** Edges of bins as the host has them: numbers of a dtype. */
export interface HostEdges {
  readonly dtype: ArrayDType;
  /** As numbers: of 64-bit integers they are near the edges. */
  readonly values: Float64Array;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The least and the greatest edge of bins of one width. */
export type EdgeRange = readonly [first: number, last: number];

const scratch = new DataView(new ArrayBuffer(8));

/** A number as a dtype of floats has it. */
function rounder(dtype: ArrayDType): (value: number) => number {
  if (dtype === 'f64') return (value) => value;
  if (dtype === 'f32') return Math.fround;
  const { read, write } = dtypes[arrayDTypes[dtype].part];
  return (value) => {
    write(scratch, 0, value);
    return Number(read(scratch, 0));
  };
}

/**
 * The edges of bins of one width, bit by bit as NumPy's `linspace` has them: computed in one dtype, rounded to another.
 *
 * @param inner - the dtype of the range: that of elements, or f64 of numbers that are given
 * @throws RangeError so many bins that edges would be equal
 */
export function uniformEdges(
  [first, last]: EdgeRange,
  bins: number,
  inner: ArrayDType,
  dtype: ArrayDType,
  what: string,
): HostEdges {
  const round = rounder(inner);
  const outer = rounder(dtype);
  const delta = round(last - first);
  const step = round(delta / bins);
  const values = new Float64Array(bins + 1);
  for (let i = 0; i < bins; i++) {
    // Of a width that rounds to 0 NumPy divides first.
    const away = step === 0 ? round(round(i / bins) * delta) : round(round(i) * step);
    values[i] = outer(round(away + first));
  }
  values[bins] = outer(last);
  for (let i = 0; i < bins; i++) {
    if ((values[i] as number) < (values[i + 1] as number)) continue;
    throw new RangeError(
      `${what} must have at most as many bins as ${dtype} has numbers from ${first} to ${last}, got ${bins}; write fewer bins, or astype('f64') before`,
    );
  }
  return edgesOf(values, dtype);
}

/** The widths of bins: differences as the dtype of the edges has them, in another one. */
export function widthsOf({ dtype, values }: HostEdges, to: ArrayDType): HostEdges {
  const round = arrayDTypes[dtype].kind === 'float' ? rounder(dtype) : Number;
  const widths = values.subarray(1).map((value, i) => round(value - (values[i] as number)));
  return edgesOf(widths, to);
}

/** Numbers as edges of a dtype. */
function edgesOf(values: Float64Array, dtype: ArrayDType): HostEdges {
  const bytes = bytesOf(hostArray(dtype, values.length));
  const write = elementWriter(dtype, bytes);
  for (let i = 0; i < values.length; i++) write(i, values[i], 'an edge');
  return { dtype, values, bytes };
}

/**
 * Edges that are given: arrays, typed arrays, lists of numbers, which have a dtype of their own only if they are bigints.
 *
 * Host: blocks for an array.
 *
 * @param dtype - that of lists of numbers
 * @throws RangeError another rank than 1
 */
export function readEdges(given: unknown, dtype: ArrayDType, what: string): HostEdges {
  const isList = Array.isArray(given) && given.every((each) => typeof each === 'number');
  const array = given instanceof NDArray ? (given as NDArray) : undefined;
  if (array) array.use(what);
  else if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what} must be a number of bins, or their edges, got ${nameOf(given)}`);
  }
  const elements = array
    ? { ...hostElements(array.get(), array.dtype, what), shape: array.shape }
    : hostElements(given, isList ? dtype : undefined, what);
  if (elements.shape.length !== 1) {
    throw new RangeError(`${what} must have rank 1, got shape ${shapeText(elements.shape)}`);
  }
  const { kind } = arrayDTypes[elements.dtype];
  if (kind === 'complex') throw new TypeError(`${what} must be real numbers, got ${elements.dtype}`);
  const read = elementReader(elements.dtype, elements.bytes);
  const values = Float64Array.from({ length: elements.shape[0] as number }, (_, i) => Number(read(i)));
  return { dtype: elements.dtype, values, bytes: elements.bytes };
}

/** Whether edges ascend (1) or descend (-1); 0 where they do neither. Equal ones do both, and ascend. */
export function directionOf({ dtype, bytes, values }: HostEdges): -1 | 0 | 1 {
  const read = elementReader(dtype, bytes);
  let [up, down] = [true, true];
  for (let i = 1; i < values.length && (up || down); i++) {
    const [before, next] = [read(i - 1) as number, read(i) as number];
    if (!(before <= next)) up = false;
    if (!(before >= next)) down = false;
  }
  return up ? 1 : down ? -1 : 0;
}

/** The same edges in another dtype. */
export function converted(edges: HostEdges, dtype: ArrayDType): HostEdges {
  if (edges.dtype === dtype) return edges;
  const read = elementReader(edges.dtype, edges.bytes);
  const { kind } = arrayDTypes[dtype];
  const bytes = bytesOf(hostArray(dtype, edges.values.length));
  const write = elementWriter(dtype, bytes);
  for (let i = 0; i < edges.values.length; i++) {
    const value = read(i);
    write(i, kind === 'float' ? Number(value) : value, 'an edge');
  }
  return { dtype, values: edges.values, bytes };
}

/**
 * How near to an edge, in widths of a bin, an element must be for the edge to decide: as far as edges are from where equal
 * widths have them, and as rounding moves products.
 */
export function marginOf({ values }: HostEdges, compare: ArrayDType): number {
  const bins = values.length - 1;
  const [first, last] = [values[0] as number, values[bins] as number];
  const scale = bins / (last - first);
  let deviation = 0;
  for (let i = 1; i < bins; i++) {
    deviation = Math.max(deviation, Math.abs(((values[i] as number) - first) * scale - i));
  }
  const unit = compare === 'f64' ? 2 ** -53 : 2 ** -24;
  return Math.min(deviation * 1.01 + 16 * bins * unit, 1);
}
