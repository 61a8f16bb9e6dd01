import { copyInto, empty } from '../apply.ts';
import { closeOnError } from '../create.ts';
import { arrayDTypes } from '../dtype.ts';
import type { Engine, Lane, LaunchArgument } from '../engine.ts';
import { kernelFor } from '../kernel-cache.ts';
import { memoryOf, type NDArray } from '../ndarray.ts';
import { fitsPack } from '../pack-fit.ts';
import { sharesElements } from '../sharing.ts';
import { drawKernel, THREAD_UNITS, type DrawText } from './draw-text.ts';
import type { Position } from './stream.ts';
import type { Target } from './target.ts';

/** Elements of one launch, and a lap of the counter's lowest word. */
const MAX_LAUNCH = 2 ** 31 - 2 ** 16;
const LAP = 2 ** 32;
/** Units of a run at least, where a thread goes along one. */
const MIN_RUN = 256;
const THREADS = 256;

/** The units that elements are made of. */
export function unitsOf(size: number, { lanes }: DrawText): number {
  return Math.ceil(size / lanes);
}

/**
 * Make the elements of a target from a position of a generator on.
 *
 * @param inputs - arrays without gaps, as the text reads them
 * @param numbers - the text's numbers
 */
export function draw(
  target: Target,
  text: DrawText,
  position: Position,
  numbers: readonly LaunchArgument[],
  inputs: readonly NDArray[] = [],
): NDArray {
  const { engine, lane, shape, dtype, out } = target;
  if (out?.isFlat === true && !inputs.some((input) => sharesElements(out, input))) {
    launchAll(engine, lane, out, text, position, numbers, inputs);
    return out;
  }
  const made = empty(engine, shape, dtype, lane);
  closeOnError(made, () => {
    launchAll(engine, lane, made, text, position, numbers, inputs);
  });
  if (out === undefined) return made;
  try {
    copyInto(out, made, lane);
    return out;
  } finally {
    made.close();
  }
}

function launchAll(
  engine: Engine,
  lane: Lane,
  out: NDArray,
  text: DrawText,
  { counter, jumps, key }: Position,
  numbers: readonly LaunchArgument[],
  inputs: readonly NDArray[],
): void {
  const { lanes } = text;
  for (let done = 0; done < out.size;) {
    const at = BigInt.asUintN(64, counter + BigInt(done / lanes));
    const low = Number(at & 0xffff_ffffn);
    const count = Math.min(out.size - done, MAX_LAUNCH, (LAP - low) * lanes);
    const places = inputs.map(({ offset }, i) => offset + (text.inputs?.[i]?.isTable === true ? 0 : done));
    const args: LaunchArgument[] = [memoryOf(out), ...inputs.map(memoryOf), ...places, ...numbers];
    const words = [low, Number(at >> 32n), jumps, ...key];
    launch(engine, lane, out, text, { args, first: done, count, words });
    done += count;
  }
}

interface Part {
  readonly args: LaunchArgument[];
  readonly first: number;
  readonly count: number;
  readonly words: readonly number[];
}

function launch(engine: Engine, lane: Lane, out: NDArray, text: DrawText, { args, first, count, words }: Part): void {
  const { packBytes, groupSize, groups } = engine.facts;
  const { name, lanes } = text;
  const units = Math.ceil(count / lanes);
  const outAt = out.offset + first;
  if (packBytes === 0) {
    // Each processor has four runs, so that none waits long for the last.
    const run = Math.max(MIN_RUN, Math.ceil(units / (4 * groups)));
    args.push(outAt, count, run, ...words);
    const layout = { isSerial: true, threads: 1, isPacked: false };
    kernelFor(engine, `random ${name} runs`, () => drawKernel(text, layout)) //
      .launch(lane, Math.ceil(units / run), 1, 1, args, 1);
    return;
  }
  const threads = Math.min(THREADS, groupSize);
  const isPacked = lanes > 1 && lanes * arrayDTypes[out.dtype].size >= 4 && fitsPack(out, outAt, lanes);
  args.push(outAt, count, 1, ...words);
  kernelFor(engine, `random ${name} ${threads} ${isPacked}`, () => {
    return drawKernel(text, { isSerial: false, threads, isPacked });
  }).launch(lane, Math.ceil(units / (threads * THREAD_UNITS)), threads, 1, args, 1);
}
