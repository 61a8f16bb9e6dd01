import { Device } from '../../src/cuda/index.ts';
import { isEmbedded } from '../../src/cuda/selection.ts';

/**
 * For programs that are ranks. NCCL refuses two ranks on one GPU, unless they call themselves ranks of different machines: then
 * sockets join them, and they have the GPU in turns of some milliseconds. So a machine with one GPU runs jobs of several ranks.
 */
export function shareGpu(): void {
  if (!isEmbedded() && Device.count() === 1) process.env['NCCL_HOSTID'] ??= `process-${process.pid}`;
}
