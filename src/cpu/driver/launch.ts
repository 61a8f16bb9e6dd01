import type { DriverTable } from '../../cuda/sys/tables.ts';
import { LaunchAttributeId } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { viewOf } from '../../ffi/memory.ts';
import { Status } from '../abi/status.ts';
import { Limits } from './attributes.ts';
import { residentBlocks } from './function.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { CpuFunction } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names = 'cuLaunchKernel' | 'cuLaunchKernelEx';

/** Words of a CUlaunchConfig. */
const Config = { SHARED: 6, STREAM: 8, ATTRIBUTES: 10, COUNT: 12, BYTES: 56 } as const;
const ATTRIBUTE_BYTES = structs.CUlaunchAttribute.size;
const EXTRA_BYTES = 48;
const BUFFER_POINTER = 1;
const BUFFER_SIZE = 2;
/** The most addresses that are remembered; with more launchers, views are made again. */
const MAX_VIEWS = 4096;

/** The arguments that a launch's `extra` list points to. */
interface PackedArguments {
  readonly words: Uint32Array;
  /** A copy of the words: while both are equal, `size` and the address of `bytes` are still right. */
  readonly seen: Uint32Array;
  readonly size: Uint32Array;
  bytes: Uint8Array;
}

/** Views of launch configurations, by address. */
const configs = new Map<bigint, Uint32Array>();
/** Views of packed arguments, by the address of their `extra` list. */
const packs = new Map<bigint, PackedArguments>();
/** The shape of a launch without a configuration: grid, block, dynamic shared memory. */
const plainShape = new Uint32Array(7);
const NO_BYTES = new Uint8Array(0);

/**
 * Launches. Configuration and arguments are given as addresses. Views of them are kept by address: an address is
 * only read in a call that has just received it, so that no view is read after its memory is gone.
 */
export const launchFunctions: Rows<DriverState, DriverTable, Names> = {
  cuLaunchKernel: (state, raw, gx, gy, gz, bx, by, bz, shared, stream, params, extra) => {
    plainShape[0] = gx;
    plainShape[1] = gy;
    plainShape[2] = gz;
    plainShape[3] = bx;
    plainShape[4] = by;
    plainShape[5] = bz;
    plainShape[6] = shared;
    return launch(state, raw, plainShape, Number(stream), params, extra, false);
  },
  cuLaunchKernelEx: (state, config, raw, params, extra) => {
    if (config === 0n) return Status.INVALID_VALUE;
    const words = configAt(config);
    const stream = wide(words, Config.STREAM);
    let cooperative = false;
    if (words[Config.COUNT] !== 0) {
      const answer = readAttributes(words);
      if (typeof answer === 'number') return state.refuse() || answer;
      cooperative = answer;
    }
    return launch(state, raw, words, stream, params, extra, cooperative);
  },
};

function configAt(config: Out): Uint32Array {
  if (typeof config !== 'bigint') return wordsOf(bytesAt(config, Config.BYTES));
  let known = configs.get(config);
  if (!known) {
    if (configs.size >= MAX_VIEWS) configs.clear();
    known = new Uint32Array(viewOf(config, Config.BYTES));
    configs.set(config, known);
  }
  return known;
}

/** The packed arguments of an `extra` list; undefined for a list without them. */
function packedAt(extra: Out): Uint8Array | undefined {
  if (typeof extra !== 'bigint') return unpack(wordsOf(bytesAt(extra, EXTRA_BYTES)))?.bytes;
  const known = packs.get(extra);
  if (known && same(known.words, known.seen) && known.size[0] === known.bytes.length) return known.bytes;
  if (packs.size >= MAX_VIEWS) packs.clear();
  const fresh = unpack(known?.words ?? new Uint32Array(viewOf(extra, EXTRA_BYTES)));
  if (fresh) packs.set(extra, fresh);
  return fresh?.bytes;
}

/** Arguments one by one, each at an address of its own. */
function gather(params: Out, { kernel }: CpuFunction): Uint8Array {
  const { parameters, argumentBytes } = kernel;
  const bytes = new Uint8Array(argumentBytes);
  const list = bytesAt(params, 8 * parameters.length);
  if (list.length < 8 * parameters.length) return NO_BYTES;
  const addresses = new DataView(list.buffer, list.byteOffset, list.byteLength);
  for (const [i, { offset, size }] of parameters.entries()) {
    const value = bytesAt(addresses.getBigUint64(8 * i, true), size);
    if (value.length < size) return NO_BYTES;
    bytes.set(value, offset);
  }
  return bytes;
}

function launch(
  state: DriverState,
  raw: bigint,
  shape: Uint32Array,
  streamHandle: number,
  params: Out,
  extra: Out,
  cooperative: boolean,
): number {
  const target = state.functions.get(Number(raw));
  const stream = state.streamOf(streamHandle);
  // The stream says the context: a GPU launches in another one than the current one, too, if the kernel is of that one.
  const context = stream?.context ?? state.current;
  if (!context || !state.current) return Status.INVALID_CONTEXT;
  const refused = state.refusal(context);
  if (refused !== 0) return refused;
  if (!target || !stream || target.module.context !== context) return Status.INVALID_HANDLE;
  const wrong = checkShape(shape, target);
  if (wrong !== 0) return wrong;
  const { kernel } = target;
  let args: Uint8Array = NO_BYTES;
  if (extra !== 0n) args = packedAt(extra) ?? NO_BYTES;
  else if (params !== 0n && kernel.parameters.length > 0) args = gather(params, target);
  if (args.length < kernel.argumentBytes) return Status.INVALID_VALUE;
  // An empty kernel needs no command.
  if (target.program === undefined) return Status.SUCCESS;
  const blocks = (shape[0] as number) * (shape[1] as number) * (shape[2] as number);
  if (cooperative) {
    const threads = (shape[3] as number) * (shape[4] as number) * (shape[5] as number);
    const most = state.workers * residentBlocks(target, threads, shape[Config.SHARED] as number);
    if (blocks > most) return Status.COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  const how = { cooperative, report: context.check?.report === true };
  state.precede(stream);
  const status = state.engine.launch(target.program, kernel, target.index, context.index, args, shape, how);
  if (status === Status.SUCCESS) state.enqueued(stream);
  return status;
}

/** The status of a launch whose shape exceeds the limits. */
function checkShape(shape: Uint32Array, { kernel, dynamicShared }: CpuFunction): number {
  let threads = 1;
  let blocks = 1;
  for (let i = 0; i < 3; i++) {
    const grid = shape[i] as number;
    const block = shape[3 + i] as number;
    if (grid === 0 || block === 0) return Status.INVALID_VALUE;
    if (grid > (Limits.GRID[i] as number) || block > (Limits.BLOCK[i] as number)) return Status.INVALID_VALUE;
    threads *= block;
    blocks *= grid;
  }
  if (threads > Math.min(Limits.THREADS, kernel.maxThreads) || (shape[Config.SHARED] as number) > dynamicShared)
    return Status.INVALID_VALUE;
  // This device counts blocks with 32 bits. A GPU takes more blocks, which would keep it busy for long.
  if (blocks > 0x7fff_ffff) return Status.LAUNCH_OUT_OF_RESOURCES;
  return Status.SUCCESS;
}

/** Whether a launch is cooperative, or the status of an unsupported attribute. */
function readAttributes(words: Uint32Array): boolean | number {
  const count = words[Config.COUNT] as number;
  const address = BigInt(wide(words, Config.ATTRIBUTES));
  if (address === 0n) return Status.INVALID_VALUE;
  const view = new DataView(viewOf(address, ATTRIBUTE_BYTES * count));
  let cooperative = false;
  for (let i = 0; i < count; i++) {
    const value = view.getUint32(ATTRIBUTE_BYTES * i + 8, true);
    switch (view.getUint32(ATTRIBUTE_BYTES * i, true)) {
      case LaunchAttributeId.COOPERATIVE:
        cooperative = value !== 0;
        break;
      case LaunchAttributeId.IGNORE:
      case LaunchAttributeId.ACCESS_POLICY_WINDOW:
      case LaunchAttributeId.SYNCHRONIZATION_POLICY:
      case LaunchAttributeId.PRIORITY:
      case LaunchAttributeId.PREFERRED_SHARED_MEMORY_CARVEOUT:
      case LaunchAttributeId.MEM_SYNC_DOMAIN:
      case LaunchAttributeId.MEM_SYNC_DOMAIN_MAP:
        break;
      default:
        return Status.NOT_SUPPORTED;
    }
  }
  return cooperative;
}

/** Follow a list of keys and pointers, up to the key 0. */
function unpack(words: Uint32Array): PackedArguments | undefined {
  let pointer = 0;
  let size: Uint32Array | undefined;
  for (let at = 0; at + 3 < words.length && words[at] !== 0; at += 4) {
    const value = wide(words, at + 2);
    if (value === 0) return undefined;
    if (words[at] === BUFFER_POINTER) pointer = value;
    else if (words[at] === BUFFER_SIZE) size = new Uint32Array(viewOf(BigInt(value), 8));
    else return undefined;
  }
  if (!size) return undefined;
  return { words, seen: words.slice(), size, bytes: bytesAt(BigInt(pointer), size[0] as number) };
}

/** Whether two lists have the same keys and pointers. Words behind the end of a list may differ. */
function same(words: Uint32Array, seen: Uint32Array): boolean {
  for (let i = 0; i < 9; i++) if (words[i] !== seen[i]) return false;
  return true;
}

/** A 64-bit address or handle out of two words. */
function wide(words: Uint32Array, at: number): number {
  return (words[at] as number) + (words[at + 1] as number) * 0x1_0000_0000;
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}
