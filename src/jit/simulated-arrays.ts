import type { ArrayDType } from '../array/dtype.ts';
import { broadcastShapes } from '../array/broadcast.ts';
import type { Engine, LaneOptions } from '../array/engine.ts';
import { broadcastTo, permuteDims, ravel, reshape } from '../array/function/shape.ts';
import { ElementwiseKernel } from '../array/generated/elementwise-kernel.ts';
import { lanesOf } from '../array/lane-options.ts';
import { NDArray, type OutOptions, type ReductionOptions } from '../array/ndarray.ts';
import { kindOf, lookAt, releaseAll } from './argument.ts';
import type { JitHalf } from './jit-function.ts';
import { NUMPY_NAMES } from './operation/value.ts';
import { readText } from './read/function-text.ts';
import type { Source } from './read/source.ts';
import { readKernel } from './read/kernel-tree.ts';
import { DEVICE, type DeviceText } from './read/reading.ts';
import { Simulation } from './simulate/simulation.ts';

// RAWKERNEL_JIT=js for functions of arrays: a kernel around the function runs in this process, over elements that follow each other.
// What of a call may be wrong is looked at before, by the kernels of the device; and they write the result where it belongs.

const BLOCK = 256;

/** Where a function of arrays is simulated. */
export interface SimulatedCall {
  readonly half: JitHalf;
  readonly source: Source;
  readonly engine: Engine;
  /** Of the result. */
  readonly dtype: ArrayDType;
  /** Those of the call, of which the line matters here. */
  readonly options: LaneOptions | undefined;
}

/** The elements of operands, one after another, through a function. */
export function simulateElements(call: SimulatedCall, operands: readonly unknown[], options?: OutOptions): NDArray {
  const shape = broadcastShapes(operands.flatMap((one) => (one instanceof NDArray ? [(one as NDArray).shape] : [])));
  const made: NDArray[] = [];
  const line = lanesOf(call.options);
  try {
    const flat = operands.map((one) => {
      if (!(one instanceof NDArray)) return one;
      const whole = keep(made, broadcastTo(one as NDArray, shape));
      return keep(made, ravel(whole, line));
    });
    const names = flat.map((_, i) => `a${i}`);
    const values = flat.map((one, i) => (one instanceof NDArray ? `a${i}[i]` : `a${i}`));
    const text = `(${[...names, 'out'].join(', ')}, { f }) => {
  const i = cuda.grid(1);
  if (i < out.length) out[i] = f(${values.join(', ')});
}`;
    const result = keep(made, call.half.creation.empty(shape, { ...line, dtype: call.dtype }));
    run(call, text, flat, keep(made, ravel(result, line)));
    return stored(call.dtype, result, options);
  } finally {
    for (const one of made) one.close();
  }
}

/**
 * An array's elements along axes, joined one after another by a function.
 *
 * @param into - has the shape of the result, and is given it
 */
export function simulateReduction(call: SimulatedCall, x: NDArray, into: NDArray, { axis }: ReductionOptions): void {
  if (x.size === 0) return;
  const axes = (axis === undefined ? [...x.shape.keys()] : [axis].flat()).map((one) => (one < 0 ? one + x.ndim : one));
  const kept = [...x.shape.keys()].filter((one) => !axes.includes(one));
  const count = axes.reduce((product, one) => product * (x.shape[one] as number), 1);
  const made: NDArray[] = [];
  const line = lanesOf(call.options);
  try {
    const turned = keep(made, permuteDims(x, [...kept, ...axes]));
    const rows = keep(made, reshape(keep(made, ravel(turned, line)), [x.size / count, count]));
    const result = keep(made, call.half.creation.empty([x.size / count], { ...line, dtype: call.dtype }));
    const type = `cuda.${Object.keys(NUMPY_NAMES).find((name) => NUMPY_NAMES[name] === call.dtype) ?? ''}`;
    const text = `(x, out, { f }) => {
  const i = cuda.grid(1);
  if (i >= out.length) return;
  let joined = ${type}(x[i][0]);
  for (let k = 1; k < x.shape[1]; k++) joined = f(joined, ${type}(x[i][k]));
  out[i] = joined;
}`;
    run(call, text, [rows], result);
    stored(call.dtype, keep(made, reshape(result, into.shape)), { ...line, out: into });
  } finally {
    for (const one of made) one.close();
  }
}

function keep(made: NDArray[], one: NDArray): NDArray {
  made.push(one);
  return one;
}

function run({ source, engine, options }: SimulatedCall, text: string, args: readonly unknown[], out: NDArray): void {
  if (out.size === 0) return;
  const { name } = source.text;
  const lane = engine.laneOf(options, name) ?? engine.defaultLane;
  const looking = { engine, lane, what: name };
  // The result is not one of the operands that numbers beside them take their types from.
  const given = [...lookAt(args, looking), ...lookAt([out], looking)];
  try {
    const { types, isWide } = kindOf(given);
    const device = { [DEVICE]: source } as unknown as DeviceText;
    const constants = { f: Object.assign(() => undefined, device) };
    const tree = readKernel({ text: readText(`simulated_${name}`, text), constants, isKernel: true }, types, isWide);
    const grid = Math.ceil(out.size / BLOCK);
    new Simulation(tree, name).run({ grid, block: BLOCK, shared: 0 }, given, () => lane);
  } finally {
    releaseAll(given);
  }
}

/** Elements in a new array, or where a call wants them. */
function stored(dtype: ArrayDType, from: NDArray, options: OutOptions | undefined): NDArray {
  const copy = new ElementwiseKernel<string>({ in: `${dtype} x`, out: [`${dtype} z`], op: 'z = x', name: 'simulated' });
  return copy(from, ...(options === undefined ? [] : [options as never])) as NDArray;
}
