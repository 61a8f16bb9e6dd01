import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import { hostTrace, type HostTrace } from '../../core/host-place.ts';
import { LaunchRecord } from '../abi/opencl-launch.ts';
import type { LaunchHow } from '../runtime/launch-shape.ts';
import { Code } from './code.ts';
import { Outcome, type Command } from './event.ts';
import { HostView } from './host-view.ts';
import type { ClKernel } from './kernel.ts';
import { mostItems } from './kernel-functions.ts';
import { Limits } from './limits.ts';
import type { ClMemory } from './memory.ts';
import type { ClQueue } from './queue.ts';
import { chooseLocal, groupsOf, piecesOf, type Piece, type Sizes } from './range.ts';
import type { OpenCLState } from './state.ts';
import { outcomeOf } from './transfer.ts';
import type { Rows } from '../abi/rows.ts';

type Names = 'clEnqueueNDRangeKernel' | 'clEnqueueTask';

/** The range of a launch, after all checks. */
interface Range {
  readonly dimensions: number;
  readonly offset: Sizes;
  readonly global: Sizes;
  readonly local: Sizes;
  readonly groups: Sizes;
  /** All groups have the whole local size. */
  readonly even: boolean;
}

/** The packed arguments, followed by room for the launch record. */
type Arguments = Pick<ClKernel, 'block' | 'view'>;

const NOTHING: Command = {};
const ENDING: LaunchHow = { cooperative: false, report: false };
const REPORTING: LaunchHow = { cooperative: false, report: true };
const ZERO: Sizes = [0, 0, 0];
const HIGH = 0x1_0000_0000;

/** Views of the sizes of launches: most callers keep their sizes in one place. */
const views = { offset: new HostView(), global: new HostView(), local: new HostView() };
/** The shape of the launch that is being submitted: groups, local size, local memory in bytes. */
const shape = new Uint32Array(7);

/** Launches. */
export const launchFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clEnqueueNDRangeKernel: (state, queueHandle, kernelHandle, dimensions, offset, global, local, count, waits, out) => {
    const kernel = state.kernels.find(kernelHandle);
    if (!kernel) return state.queues.find(queueHandle) ? Code.INVALID_KERNEL : Code.INVALID_COMMAND_QUEUE;
    return state.enqueue(queueHandle, CommandType.NDRANGE_KERNEL, { count, list: waits, out }, (queue) =>
      launchCommand(state, kernel, queue, dimensions, offset, global, local),
    );
  },
  clEnqueueTask: (state, queueHandle, kernelHandle, count, waits, out) => {
    const kernel = state.kernels.find(kernelHandle);
    if (!kernel) return state.queues.find(queueHandle) ? Code.INVALID_KERNEL : Code.INVALID_COMMAND_QUEUE;
    const one = BigUint64Array.of(1n);
    return state.enqueue(queueHandle, CommandType.TASK, { count, list: waits, out }, (queue) =>
      launchCommand(state, kernel, queue, 1, 0n, one, one),
    );
  },
};

/** Check a launch and make its command, or answer with a status. */
export function launchCommand(
  state: OpenCLState,
  kernel: ClKernel,
  queue: ClQueue,
  dimensions: number,
  rawOffset: Out,
  rawGlobal: Out,
  rawLocal: Out,
): Command | number {
  if (kernel.program.context !== queue.context) return Code.INVALID_CONTEXT;
  if (!kernel.program.buildFor(queue.device).loaded) return Code.INVALID_PROGRAM_EXECUTABLE;
  if (kernel.incomplete) return Code.INVALID_KERNEL_ARGS;
  if (dimensions < 1 || dimensions > 3) return Code.INVALID_WORK_DIMENSION;
  if (kernel.kernel.sharedBytes + kernel.localBytes > Limits.LOCAL) return Code.OUT_OF_RESOURCES;
  let memory: ClMemory[] | undefined;
  for (const one of kernel.memories) {
    if (!one) continue;
    // The memory of a released object may already belong to another object.
    if (one.references < 1) return Code.INVALID_KERNEL_ARGS;
    (memory ??= []).push(one);
  }
  // A range without items is valid and needs no command.
  if (rawGlobal === 0n || sizesAt(views.global, rawGlobal, dimensions, 1).includes(0)) return NOTHING;
  const range = rangeOf(kernel, queue, dimensions, rawOffset, rawGlobal, rawLocal);
  if (typeof range === 'number') return range;
  let passed: Arguments = kernel;
  // The command may run later, so that the host's trace is taken now.
  const host = queue.context.check ? hostTrace() : undefined;
  return {
    memory,
    // Later changes of the kernel's arguments do not affect this launch.
    keep: () => {
      const block = passed.block.slice();
      passed = { block, view: new DataView(block.buffer) };
    },
    submit: () => submit(state, kernel, queue, range, passed, host),
  };
}

function sizesAt(view: HostView, pointer: Out, dimensions: number, rest: number): Sizes {
  const words = view.words(pointer, 2 * dimensions);
  const sizes: Sizes = [rest, rest, rest];
  for (let i = 0; i < dimensions; i++) sizes[i] = (words[2 * i] ?? 0) + (words[2 * i + 1] ?? 0) * HIGH;
  return sizes;
}

function rangeOf(
  kernel: ClKernel,
  queue: ClQueue,
  dimensions: number,
  rawOffset: Out,
  rawGlobal: Out,
  rawLocal: Out,
): Range | number {
  const global = sizesAt(views.global, rawGlobal, dimensions, 1);
  const offset = rawOffset === 0n ? ZERO : sizesAt(views.offset, rawOffset, dimensions, 0);
  const most = mostItems(kernel);
  const { requiredSize } = kernel.facts;
  const { uniform } = kernel.build;
  let local: Sizes;
  if (rawLocal !== 0n) {
    local = sizesAt(views.local, rawLocal, dimensions, 1);
    if (requiredSize?.some((size, i) => size !== local[i])) return Code.INVALID_WORK_GROUP_SIZE;
  } else if (requiredSize) local = [...requiredSize];
  else local = chooseLocal(global, most, queue.device.units, uniform);
  if (local.includes(0)) return Code.INVALID_WORK_GROUP_SIZE;
  const [x, y, z] = local;
  if (x > Limits.ITEMS[0] || y > Limits.ITEMS[1] || z > Limits.ITEMS[2]) return Code.INVALID_WORK_ITEM_SIZE;
  if (x * y * z > most) return Code.INVALID_WORK_GROUP_SIZE;
  const even = global[0] % x === 0 && global[1] % y === 0 && global[2] % z === 0;
  if (uniform && !even) return Code.INVALID_WORK_GROUP_SIZE;
  const groups = groupsOf(global, local);
  if (groups[0] * groups[1] * groups[2] > Limits.GROUPS) return Code.OUT_OF_RESOURCES;
  return { dimensions, offset, global, local, groups, even };
}

/** Give groups of equal size to the engine. */
function launch(
  state: OpenCLState,
  kernel: ClKernel,
  queue: ClQueue,
  range: Range,
  { base, groups, local }: Piece,
  how: LaunchHow,
  { block, view }: Arguments,
): number {
  const { loaded } = kernel.build;
  if (!loaded) return Code.INVALID_PROGRAM_EXECUTABLE;
  writeRecord(view, kernel.facts.launchOffset, range, base);
  // One by one: copying a short array is slow.
  for (let i = 0; i < 3; i++) {
    shape[i] = groups[i] as number;
    shape[3 + i] = local[i] as number;
  }
  shape[6] = kernel.localBytes;
  const { id } = loaded.program.image;
  return outcomeOf(state.engine.launch(id, kernel.kernel, kernel.index, queue.context.index, block, shape, how));
}

/** Give all pieces of a range to the engine. */
function submit(
  state: OpenCLState,
  kernel: ClKernel,
  queue: ClQueue,
  range: Range,
  passed: Arguments,
  host?: HostTrace,
): number {
  const plain = queue.context.check?.report === true ? REPORTING : ENDING;
  const whole = host ? { ...plain, host } : plain;
  if (range.even)
    return launch(state, kernel, queue, range, { base: ZERO, groups: range.groups, local: range.local }, whole, passed);
  for (const piece of piecesOf(range.global, range.local)) {
    const outcome = launch(state, kernel, queue, range, piece, { ...whole, first: piece.base }, passed);
    if (outcome !== Outcome.SUBMITTED) return outcome;
  }
  return Outcome.SUBMITTED;
}

/** Write the launch record, from which kernels read their range. */
function writeRecord(view: DataView, at: number, range: Range, base: Sizes): void {
  const R = LaunchRecord;
  for (let i = 0; i < 3; i++) {
    const first = base[i] as number;
    const local = range.local[i] as number;
    const offset = range.offset[i] as number;
    writeWide(view, at + R.ORIGIN + 8 * i, offset + first * local);
    writeWide(view, at + R.OFFSET + 8 * i, offset);
    writeWide(view, at + R.SIZE + 8 * i, range.global[i] as number);
    view.setUint32(at + R.GROUP_BASE + 4 * i, first, true);
    view.setUint32(at + R.GROUPS + 4 * i, range.groups[i] as number, true);
    view.setUint32(at + R.LOCAL + 4 * i, local, true);
  }
  view.setUint32(at + R.WORK_DIM, range.dimensions, true);
}

function writeWide(view: DataView, at: number, value: number): void {
  view.setUint32(at, value, true);
  view.setUint32(at + 4, Math.floor(value / HIGH), true);
}
