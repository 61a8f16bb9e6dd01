import type { DriverCall, Routine } from './call.ts';

/** What streams are given besides kernels. */
const GIVEN: readonly Routine[] = [
  'cuMemcpyAsync',
  'cuMemcpyHtoDAsync',
  'cuMemcpyDtoHAsync',
  'cuMemcpyDtoDAsync',
  'cuMemcpyPeerAsync',
  'cuMemcpyBatchAsync',
  'cuMemcpy2DAsync',
  'cuMemcpy3DAsync',
  'cuMemcpy3DPeerAsync',
  'cuMemcpy3DBatchAsync',
  'cuMemsetD8Async',
  'cuMemsetD16Async',
  'cuMemsetD32Async',
  'cuMemsetD2D8Async',
  'cuMemsetD2D16Async',
  'cuMemsetD2D32Async',
  'cuMemAllocAsync',
  'cuMemAllocFromPoolAsync',
  'cuMemPrefetchAsync',
  'cuStreamWaitEvent',
  'cuStreamAttachMemAsync',
  'cuStreamWaitValue32',
  'cuStreamWaitValue64',
  'cuStreamWriteValue32',
  'cuStreamWriteValue64',
  'cuStreamBatchMemOp',
  'cuGraphLaunch',
];
/** The same, of which nothing may fail: what ends something, and marks. */
const GIVEN_QUIETLY: readonly Routine[] = ['cuMemFreeAsync', 'cuEventRecord'];
/** How often it is looked at how much there is. */
const EVERY = 64;
/** It goes round: differences count. */
let count = 0;
let lastLook = 0;
let look: (() => void) | undefined;

/** Count a piece of work that a stream is about to be given: launches always. */
export function countWork(): void {
  count = (count + 1) | 0;
  if (look === undefined || workSince(lastLook) < EVERY) return;
  lastLook = count;
  look();
}

/** How many pieces of work streams of this thread were given since a moment, at which {@link workCount} was so much. */
export function workSince(before: number): number {
  return (count - before) | 0;
}

export function workCount(): number {
  return count;
}

/**
 * What counts the rest of the work, once it is around the driver's functions.
 *
 * @param onWork - called from time to time, before streams are given work. What it throws is thrown in the place of the call
 */
export function workCounters(onWork: () => void): Partial<Record<Routine, (call: DriverCall) => DriverCall>> {
  look = onWork;
  return Object.fromEntries([
    ...GIVEN.map((name) => [name, counted] as const),
    ...GIVEN_QUIETLY.map((name) => [name, countedQuietly] as const),
  ]);
}

function counted(call: DriverCall): DriverCall {
  return (...args) => {
    countWork();
    return call(...args);
  };
}

function countedQuietly(call: DriverCall): DriverCall {
  return (...args) => {
    count = (count + 1) | 0;
    return call(...args);
  };
}
