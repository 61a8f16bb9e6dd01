import { checkOptions, nameOf } from '../../core/check.ts';
import { checkDType, checkEngine, checkOut } from '../apply.ts';
import { broadcastShapes } from '../broadcast.ts';
import { readDType, type ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaneOptions } from '../engine.ts';
import { engineOf, laneOf, NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { readShape } from '../shape.ts';

/** The options of what draws numbers. */
export interface RandomOptions<D extends ArrayDType = ArrayDType> extends LaneOptions {
  /** The shape of the result: that of `out`, or of parameters that are arrays, by default; else one number, of rank 0. */
  readonly shape?: number | readonly number[] | undefined;
  /** The dtype of the result: that of `out`, by default. */
  readonly dtype?: D | undefined;
  /** Write the numbers into this array, which may be a view. */
  readonly out?: NDArray<D> | undefined;
}

/** Where numbers go. */
export interface Target {
  readonly engine: Engine;
  readonly lane: Lane;
  readonly shape: readonly number[];
  readonly dtype: ArrayDType;
  readonly out: NDArray | undefined;
}

/** Which arrays a call is for: those of the current context, or of a queue. */
export type FindEngine = (options: LaneOptions | undefined, data: unknown) => Engine;

const OPTIONS = ['shape', 'dtype', 'out', 'stream', 'queue'];

/**
 * Where the numbers of a call go.
 *
 * @param parameters - those of the distribution, of which some may be arrays
 * @param dtypes - those that the numbers may have, the default first
 */
export function targetOf(
  find: FindEngine,
  what: string,
  options: RandomOptions | undefined,
  dtypes: readonly ArrayDType[],
  parameters: readonly unknown[] = [],
): Target {
  checkOptions(options, OPTIONS, what);
  const out = options?.out;
  if (out !== undefined) {
    checkArray(out, `${what}: out`);
    out.use(what);
  }
  const arrays = parameters.filter((parameter): parameter is NDArray => parameter instanceof NDArray);
  for (const array of arrays) array.use(what);
  const given = out ?? arrays[0];
  const engine = given ? engineOf(given) : find(options, undefined);
  for (const array of arrays) checkEngine(array, engine, what);
  const dtype = options?.dtype === undefined ? (out?.dtype ?? dtypes[0]) : readDType(options.dtype, `${what}: dtype`);
  if (dtype === undefined || !dtypes.includes(dtype)) {
    throw new TypeError(`${what}: dtype must be one of ${dtypes.join(', ')}, got ${nameOf(dtype)}`);
  }
  if (out !== undefined && out.dtype !== dtype) {
    throw new TypeError(`${what}: dtype must be that of out, ${out.dtype}, got ${dtype}`);
  }
  checkDType(engine, dtype);
  const shape = shapeOf(what, options, arrays);
  if (out !== undefined) checkOut(out, shape, engine, what);
  const lane = engine.laneOf(options, what) ?? (given ? laneOf(given) : engine.defaultLane);
  return { engine, lane, shape, dtype, out };
}

function shapeOf(what: string, options: RandomOptions | undefined, arrays: readonly NDArray[]): readonly number[] {
  const shape = options?.shape === undefined ? options?.out?.shape : readShape(options.shape, `${what}: shape`);
  if (arrays.length === 0) return shape ?? [];
  const shapes = arrays.map((array) => array.shape);
  if (shape === undefined) return broadcastShapes(shapes);
  // Parameters broadcast to the shape, never beyond it.
  const all = broadcastShapes([shape, ...shapes]);
  if (all.length === shape.length && all.every((length, axis) => length === shape[axis])) return shape;
  throw new RangeError(
    `${what}: shape must be one that the parameters broadcast to, at least [${broadcastShapes(shapes).join(', ')}], got [${shape.join(', ')}]`,
  );
}

/** Throw for a device without floats of 64 bits, in which counts are found. */
export function checkDoubles({ engine }: Target, what: string): void {
  if (engine.facts.hasDoubles) return;
  throw new TypeError(
    `${what} must have a device with 64-bit floats, which ${engine.facts.name} has not; draw on the CPU device and copy`,
  );
}
