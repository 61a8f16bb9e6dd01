import { ClosedError } from '../../core/errors.ts';
import { checkNumber, checkOptions } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { checkMade } from '../../core/maker.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { checkViewBytes } from '../../ffi/memory.ts';
import { Pages } from './pages.ts';
import { taken } from './map.ts';
import { cl, cleanup, eventStatus } from '../call.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { refuseToBlock, submit, type CommandQueue } from '../queue/queue.ts';
import { MapFlags } from '../sys/enums.ts';
import type { SVMState } from './svm-state.ts';

/** Whether {@link SVMAllocation.map} waits. */
export interface SVMMapOptions extends EnqueueOptions {
  /** Whether to wait until the content is there. Default: true */
  readonly blocking?: boolean;
}

const ALL_FLAGS = MapFlags.READ | MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION;

/** Keeps a mapping for as long as any array over its memory is reachable. */
const keepers = new WeakMap<ArrayBuffer, object>();

/**
 * Shared memory while the host uses it, made by {@link SVMAllocation}'s `map`.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueSVMUnmap.html | clEnqueueSVMUnmap}
 */
export class SVMMap<A extends ArrayBufferView> extends Resource<bigint> {
  /** The memory; of length 0 once it is unmapped. */
  readonly array: A;
  /** When the content is there: wait for it after `blocking: false`. */
  readonly event: Event;
  readonly #queue: CommandQueue;
  readonly #memory: Handle<SVMState>;
  readonly #pages: Pages;
  /** @internal */
  constructor(queue: CommandQueue, memory: Handle<SVMState>, event: Event, pages: Pages, array: A) {
    checkMade(memory instanceof Handle, 'SVMMap', 'call map() of an SVMAllocation');
    const queueHandle = handleOf(queue, 'map');
    const state = memory.value;
    const { address } = state;
    state.mapped = address !== 0n;
    const destroy = (): void => {
      if (!state.mapped) return;
      state.mapped = false;
      cleanup('SVMMap', () => {
        const out = new BigUint64Array(1);
        cl.clEnqueueSVMUnmap(queueHandle.value, address, 0, NULL, out);
        cl.clFlush(queueHandle.value);
        const event = out[0] as Opaque<'cl_event'>;
        // The memory must not be freed before.
        memory.retain();
        holdUntil(
          () => eventStatus(event) <= 0,
          () => {
            cl.clReleaseEvent(event);
            memory.release();
          },
        );
      });
    };
    super(new Handle('SVMMap', address, destroy, [queueHandle, memory]));
    this.array = array;
    this.event = event;
    this.#queue = queue;
    this.#memory = memory;
    this.#pages = pages;
    keepers.set(pages.buffer, this);
  }

  /**
   * Unmap the memory, for the device: the array is empty from now on.
   *
   * Host: does not block. Queue: ordered.
   *
   * @throws {@link ClosedError} it was unmapped before; a second `close()` does nothing
   * @throws Error its bytes were transferred to another ArrayBuffer, where the runtime allows that
   */
  unmap(options: EnqueueOptions = {}): Event {
    const what = 'SVMMap.unmap';
    checkOptions(options, ['waitFor'], what);
    const address = this.use('unmap');
    if (this.#queue.closed) throw new ClosedError('CommandQueue', what);
    if (this.#pages.isTaken) throw taken(what);
    const event = submit(this.#queue, what, options.waitFor, [this.#memory.value.uses], (raw, count, list, out) =>
      address === 0n
        ? cl.clEnqueueMarkerWithWaitList(raw, count, list, out)
        : cl.clEnqueueSVMUnmap(raw, address, count, list, out),
    );
    this.#memory.value.mapped = false;
    this.close();
    return event;
  }

  override close(): void {
    if (this.closed) return;
    const { isTaken } = this.#pages;
    this.#pages.end('an SVMMap', () => handleOf(this, 'close').retain());
    if (isTaken) super.close();
    else if (this.#memory.value.mapped && !this.#queue.closed) this.unmap();
    else super.close();
  }
}

/** Map shared memory. */
export function mapSVM<A extends ArrayBufferView>(
  queue: CommandQueue,
  memory: Handle<SVMState>,
  pointer: bigint,
  byteLength: number,
  flags: number,
  options: SVMMapOptions,
  over: (pages: ArrayBuffer) => A,
): SVMMap<A> {
  const what = 'SVMAllocation.map';
  checkOptions(options, ['blocking', 'waitFor'], what);
  checkNumber(flags, `${what}: flags`, 0, ALL_FLAGS);
  if ((flags & MapFlags.WRITE_INVALIDATE_REGION) !== 0 && flags !== MapFlags.WRITE_INVALIDATE_REGION) {
    throw new RangeError(`${what}: WRITE_INVALIDATE_REGION excludes READ and WRITE`);
  }
  // Drivers differ about a second map of the same memory, and a second unmap.
  if (memory.value.mapped) throw new Error(`${what}: the memory is already mapped; call unmap() of its SVMMap first`);
  checkViewBytes(byteLength, `${what}: the map`);
  const blocking = options.blocking === false ? 0 : 1;
  if (blocking) refuseToBlock(queue, what, options.waitFor);
  const event = submit(queue, what, options.waitFor, [memory.value.uses], (raw, count, list, out) =>
    pointer === 0n
      ? cl.clEnqueueMarkerWithWaitList(raw, count, list, out)
      : cl.clEnqueueSVMMap(raw, blocking, flags, pointer, byteLength, count, list, out),
  );
  const pages = new Pages(pointer, byteLength);
  return new SVMMap(queue, memory, event, pages, over(pages.buffer));
}
