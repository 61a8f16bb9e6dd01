import { FaultKind } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';

const WARP = 32;

/**
 * Whether a race is one of code that counts on the threads of a warp to run in lockstep, as they did before compute
 * capability 7.0: two of one warp use shared memory by way of `volatile`, which such code needed.
 */
export function countsOnLockstep({ kind, place, otherPlace, thread, other, program }: EngineFinding): boolean {
  const isCuda = program?.kernels.every(({ opencl }) => opencl === undefined) === true;
  const isVolatile = place?.isVolatile === true && otherPlace?.isVolatile === true;
  const isOneWarp = thread !== undefined && Math.floor(thread / WARP) === Math.floor(other / WARP);
  return kind === FaultKind.SHARED_RACE && isCuda && isVolatile && isOneWarp;
}

/** What such a report says besides. */
export const LOCKSTEP: string =
  'both are threads of one warp, and the code counts on lockstep: since compute capability 7.0 threads of a warp run on ' +
  'their own between two __syncwarp()';
