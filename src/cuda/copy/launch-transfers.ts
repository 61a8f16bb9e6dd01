import { hostByteLength } from '../../core/host-memory.ts';
import { holdOnStream } from '../lifetime/hold-on-stream.ts';
import { memAlloc, type DeviceAllocation } from '../memory/memory.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { memcpyDtoH, memcpyDtoHAsync, memcpyHtoD, memcpyHtoDAsync } from './memcpy.ts';
import { Transfer } from './transfer.ts';

/**
 * Put device memory in the place of each transfer, run the launch, and copy back. After a failure too, the memory is freed.
 */
export function withTransfers(
  args: readonly unknown[],
  stream: Stream | null | undefined,
  launch: (args: readonly unknown[]) => void,
): void {
  const queue = stream ?? null;
  const owned: DeviceAllocation[] = [];
  const back: (() => void)[] = [];
  const free = (): void => {
    for (const memory of owned) memory.close();
  };
  const place = (arg: unknown): unknown => {
    if (!(arg instanceof Transfer)) return arg;
    const { array } = arg;
    const memory = memAlloc(hostByteLength(array, 'The array of a transfer'));
    owned.push(memory);
    if (arg.copiesIn) {
      if (queue) memcpyHtoDAsync(memory, array, queue);
      else memcpyHtoD(memory, array);
    }
    if (arg.copiesOut) {
      back.push(() => {
        if (queue) memcpyDtoHAsync(array, memory, queue);
        else memcpyDtoH(array, memory);
      });
    }
    return memory;
  };
  try {
    launch(args.map(place));
    for (const copy of back) copy();
    if (queue) holdOnStream(streamHandle(queue, 'launch'), free);
  } catch (error) {
    free();
    throw error;
  }
  if (!queue) free();
}
