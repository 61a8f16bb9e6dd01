import { hostExtent, type HostMemory } from '../../core/host-memory.ts';
import { checkFixed, unpinLanded } from '../../core/pin.ts';
import type { CopyOptions } from './copy-options.ts';
import type { Event } from '../queue/event.ts';
import { holdForEvent } from '../queue/hold-for-event.ts';
import { refuseToBlock, type CommandQueue } from '../queue/queue.ts';

/** Whether a copy from or to the host waits for its end, in C's form. */
export function isBlocking(
  queue: CommandQueue,
  options: Pick<CopyOptions, 'blocking' | 'waitFor'>,
  host: HostMemory,
): 0 | 1 {
  if (options.blocking === false) {
    checkFixed(host, 'enqueueCopy: the host array of a non-blocking copy');
    return 0;
  }
  refuseToBlock(queue, 'enqueueCopy', options.waitFor);
  return 1;
}

/** A running copy holds its host array; a finished copy releases its event at once. */
export function settle(event: Event, blocking: 0 | 1, host: HostMemory): Event {
  if (blocking) {
    event.settle();
    unpinLanded();
  } else holdForEvent(event, host);
  return event;
}

/** The bytes of a host array. */
export function hostBytes(host: HostMemory, start: number, byteLength: number): Uint8Array {
  const { buffer, byteOffset } = hostExtent(host);
  return new Uint8Array(buffer, byteOffset + start, byteLength);
}
