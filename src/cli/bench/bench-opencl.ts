import * as cl from '../../opencl/index.ts';
import type { Measured } from './measured.ts';
import { Closing } from '../closing.ts';
import { launchCost, medianSeconds } from './stopwatch.ts';

const GPU_BYTES = 64 << 20;
const OTHER_BYTES = 16 << 20;

/** Measure an OpenCL device; each measurement takes the given seconds. */
export function benchOpenCL(device: cl.Device, seconds: number): Measured {
  const closing = new Closing();
  try {
    const context = closing.keep(new cl.Context(device));
    const queue = closing.keep(new cl.CommandQueue(context));
    const bytes = (device.type & cl.DeviceType.GPU) !== 0 ? GPU_BYTES : OTHER_BYTES;
    const buffer = (flags: number): cl.Buffer => closing.keep(new cl.Buffer(context, flags, bytes));
    const { READ_WRITE, ALLOC_HOST_PTR } = cl.MemFlags;
    const [memory, other, staging] = [buffer(READ_WRITE), buffer(READ_WRITE), buffer(READ_WRITE | ALLOC_HOST_PTR)];
    const host = new Uint8Array(bytes).fill(1);
    const map = closing.keep(cl.enqueueMapBuffer(queue, staging, cl.MapFlags.READ | cl.MapFlags.WRITE));
    const program = closing.keep(new cl.Program<string>(context, '__kernel void nothing(int n) {}').build());
    const kernel = closing.keep(program.kernel('nothing'));
    const rate = (copy: () => void): number => bytes / medianSeconds(copy, seconds) / 1e9;
    const copy = (to: cl.CopyEnd, from: cl.CopyEnd) => (): void => {
      cl.enqueueCopy(queue, to, from).close();
      queue.finish();
    };
    return {
      hostToDevice: rate(copy(memory, host)),
      hostToDevicePinned: rate(copy(memory, map.array)),
      deviceToHost: rate(copy(host, memory)),
      deviceToHostPinned: rate(copy(map.array, memory)),
      deviceToDevice: 2 * rate(copy(other, memory)),
      ...launchCost(
        (i) => kernel(queue, [32], null, i).close(),
        () => queue.finish(),
        seconds,
      ),
    };
  } finally {
    closing.close();
  }
}
