import { checkEngine, checkOut, copyInto, empty } from './apply.ts';
import type { ArrayDType } from './dtype.ts';
import type { LaneOptions, LaunchArgument } from './engine.ts';
import { engineOf, laneOf, type NDArray } from './ndarray.ts';
import type { Program } from './program.ts';
import { mayDiffer, sharesElements } from './sharing.ts';

/**
 * Run a program of several outputs over arrays of a common shape, into new arrays or those that were given.
 *
 * @param arrays - its inputs
 * @param outs - where the results go; new arrays where there are none
 * @param what - the computation, for errors
 */
export function runOutputs(
  program: Program,
  results: readonly ArrayDType[],
  shape: readonly number[],
  arrays: readonly NDArray[],
  scalars: readonly LaunchArgument[],
  outs: readonly NDArray[] | undefined,
  options: LaneOptions | undefined,
  what: string,
): NDArray[] {
  const first = arrays[0] as NDArray;
  const engine = engineOf(first);
  for (const array of arrays) checkEngine(array, engine, what);
  for (const out of outs ?? []) checkOut(out, shape, engine, what);
  if (outs !== undefined) checkApart(outs, what);
  const lane = engine.laneOf(options, what) ?? laneOf(first);
  const made: NDArray[] = [];
  try {
    const targets = results.map((dtype, i) => {
      const out = outs?.[i];
      // Elements that are read later must not be written before: they are computed elsewhere first.
      if (out !== undefined && !arrays.some((array) => mayDiffer(out, array))) return out;
      const target = empty(engine, shape, dtype, lane);
      made.push(target);
      return target;
    });
    program.run(engine, lane, [...targets, ...arrays], scalars);
    if (outs === undefined) return made.splice(0);
    for (const [i, out] of outs.entries()) {
      const target = targets[i] as NDArray;
      if (target !== out) copyInto(out, target, lane);
    }
    return [...outs];
  } finally {
    for (const array of made) array.close();
  }
}

function checkApart(outs: readonly NDArray[], what: string): void {
  for (const [i, out] of outs.entries()) {
    for (const other of outs.slice(0, i)) {
      if (out !== other && !sharesElements(out, other)) continue;
      throw new RangeError(`${what}: each result must have an array of its own, got two in out that share elements`);
    }
  }
}
