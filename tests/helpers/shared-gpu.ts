import { Device } from '../../src/cuda/index.ts';
import { isEmbedded } from '../../src/cuda/selection.ts';

/**
 * For programs that are ranks. NCCL refuses two ranks on one GPU, unless they call themselves ranks of different machines: then
 * sockets join them, and they have the GPU in turns of some milliseconds. So a machine runs jobs of more ranks than it has GPUs.
 *
 * @returns the number of the rank's device; undefined: it has one of its own
 */
export function shareGpu(rank: number, size: number): number | undefined {
  const count = Device.count();
  if (isEmbedded() || size <= count) return undefined;
  process.env['NCCL_HOSTID'] ??= `process-${process.pid}`;
  return rank % count;
}
