import { readFlag } from '../../core/choice.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { OccupancyFlags } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUfunction = Opaque<'CUfunction'>;

/** What occupancy is asked for. */
export interface OccupancyOptions {
  /**
   * Count blocks as if no global memory were cached in L1, on devices where that makes a difference; off by default.
   */
  readonly disableCachingOverride?: boolean;
}

/** Options of {@link Function.maxPotentialBlockSize}. */
export interface BlockSizeOptions extends OccupancyOptions {
  /** Dynamic shared memory of a block, in bytes; or a function that gives it for a number of threads. */
  readonly sharedBytes?: number | ((blockSize: number) => number);
  /** The most threads to consider; 0 for no limit. */
  readonly blockSizeLimit?: number;
}

/** A block size, and the least grid that fills the device with it. */
export interface BlockSize {
  readonly gridSize: number;
  readonly blockSize: number;
}

/** What a search for a block size has to know of the device and the kernel. */
export interface SearchLimits {
  readonly maxThreads: number;
  readonly warpSize: number;
  readonly multiprocessors: number;
  readonly threadsPerMultiprocessor: number;
}

const MAX = 0x7fff_ffff;
const countSlot = slotOf('int');
const blockSlot = slotOf('int');
const sizeSlot = slotOf('size_t');

/** Blocks of a kernel that a multiprocessor holds at once. */
export function activeBlocks(
  kernel: CUfunction,
  blockSize: number,
  sharedBytes: number,
  options: OccupancyOptions,
): number {
  const threads = checkInteger(blockSize, 'blockSize', 1, MAX);
  const bytes = checkInteger(sharedBytes, 'sharedBytes');
  const flags = flagsOf(options, [], 'maxActiveBlocksPerMultiprocessor');
  if (flags === 0) cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(countSlot, kernel, threads, bytes);
  else cu.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(countSlot, kernel, threads, bytes, flags);
  return take(countSlot);
}

/** The block size with which a kernel fills the device best. */
export function potentialBlockSize(
  kernel: CUfunction,
  options: BlockSizeOptions,
  limits: () => SearchLimits,
): BlockSize {
  const flags = flagsOf(options, ['sharedBytes', 'blockSizeLimit'], 'maxPotentialBlockSize');
  const { sharedBytes = 0, blockSizeLimit = 0 } = options;
  const limit = checkInteger(blockSizeLimit, 'blockSizeLimit', 0, MAX);
  if (typeof sharedBytes === 'function') return searchBlockSize(kernel, sharedBytes, limit, flags, limits());
  const bytes = checkInteger(sharedBytes, 'sharedBytes');
  if (flags === 0) cu.cuOccupancyMaxPotentialBlockSize(countSlot, blockSlot, kernel, NULL, bytes, limit);
  else cu.cuOccupancyMaxPotentialBlockSizeWithFlags(countSlot, blockSlot, kernel, NULL, bytes, limit, flags);
  return { gridSize: take(countSlot), blockSize: take(blockSlot) };
}

/** The driver would call a C function for each size; no JavaScript function is given to it, so the search is here. */
function searchBlockSize(
  kernel: CUfunction,
  sharedOf: (blockSize: number) => number,
  limit: number,
  flags: number,
  { maxThreads, warpSize, multiprocessors, threadsPerMultiprocessor }: SearchLimits,
): BlockSize {
  const most = limit === 0 ? maxThreads : Math.min(maxThreads, limit);
  let best = { gridSize: 0, blockSize: 0 };
  let bestThreads = 0;
  for (let threads = most; threads > 0; threads = (Math.ceil(threads / warpSize) - 1) * warpSize) {
    const bytes = sharedOf(threads);
    if (typeof bytes !== 'number') {
      throw new TypeError(`sharedBytes(${threads}) must give a number of bytes, got ${nameOf(bytes)}`);
    }
    const blocks = activeBlocks(kernel, threads, bytes, { disableCachingOverride: flags !== 0 });
    if (blocks * threads > bestThreads) {
      bestThreads = blocks * threads;
      best = { gridSize: blocks * multiprocessors, blockSize: threads };
    }
    if (bestThreads >= threadsPerMultiprocessor) break;
  }
  return best;
}

/** Dynamic shared memory that a block can have, in bytes, when a multiprocessor is to hold `blocks` of them. */
export function availableShared(kernel: CUfunction, blocks: number, blockSize: number): number {
  const count = checkInteger(blocks, 'blocks', 1, MAX);
  const threads = checkInteger(blockSize, 'blockSize', 1, MAX);
  cu.cuOccupancyAvailableDynamicSMemPerBlock(sizeSlot, kernel, count, threads);
  return Number(take(sizeSlot));
}

/** The largest cluster that a configuration can have, in blocks. */
export function potentialClusterSize(kernel: CUfunction, config: bigint): number {
  cu.cuOccupancyMaxPotentialClusterSize(countSlot, kernel, config);
  return take(countSlot);
}

/** Clusters of a configuration that the device holds at once. */
export function activeClusters(kernel: CUfunction, config: bigint): number {
  cu.cuOccupancyMaxActiveClusters(countSlot, kernel, config);
  return take(countSlot);
}

function flagsOf(options: OccupancyOptions, others: readonly string[], what: string): number {
  checkOptions(options, ['disableCachingOverride', ...others], what);
  return readFlag(options.disableCachingOverride, 'disableCachingOverride')
    ? OccupancyFlags.DISABLE_CACHING_OVERRIDE
    : OccupancyFlags.DEFAULT;
}
