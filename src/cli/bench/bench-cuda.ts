import * as cuda from '../../cuda/index.ts';
import type { Measured } from './measured.ts';
import { Closing } from '../closing.ts';
import { launchCost, medianSeconds } from './stopwatch.ts';

const GPU_BYTES = 64 << 20;
const EMBEDDED_BYTES = 16 << 20;

/** Measure a CUDA device; each measurement takes the given seconds. */
export function benchCuda(device: cuda.Device, seconds: number): Measured {
  const closing = new Closing();
  try {
    const context = closing.keep(new cuda.Context(device));
    const bytes = device.isEmbedded ? EMBEDDED_BYTES : GPU_BYTES;
    const [memory, other] = [closing.keep(cuda.memAlloc(bytes)), closing.keep(cuda.memAlloc(bytes))];
    const host = new Uint8Array(bytes).fill(1);
    const pinned = cuda.pagelockedEmpty(bytes, 'u8');
    closing.keep({ close: () => cuda.pagelockedFree(pinned) });
    const module = closing.keep(new cuda.SourceModule('__global__ void nothing(int n) {}'));
    const launch = module.getFunction('nothing').prepare({ block: 32 });
    const rate = (copy: () => void): number => bytes / medianSeconds(copy, seconds) / 1e9;
    return {
      hostToDevice: rate(() => cuda.memcpyHtoD(memory, host)),
      hostToDevicePinned: rate(() => cuda.memcpyHtoD(memory, pinned)),
      deviceToHost: rate(() => cuda.memcpyDtoH(host, memory)),
      deviceToHostPinned: rate(() => cuda.memcpyDtoH(pinned, memory)),
      deviceToDevice:
        2 *
        rate(() => {
          cuda.memcpyDtoD(other, memory);
          context.synchronize();
        }),
      ...launchCost(launch, () => context.synchronize(), seconds),
    };
  } finally {
    closing.close();
  }
}
