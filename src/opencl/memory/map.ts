import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { ClosedError } from '../../core/errors.ts';
import { checkInteger, checkOptions } from '../../core/host-memory.ts';
import { Handle } from '../../core/handle.ts';
import { Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { detach, viewOf } from '../../ffi/memory.ts';
import { checkBuffer, type Buffer } from './buffer.ts';
import { cl, cleanup } from '../call.ts';
import type { MemoryObject } from './memory-object.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import { Event } from '../queue/event.ts';
import { checkQueue, refuseToBlock, submit, type CommandQueue, type Issue } from '../queue/queue.ts';
import { MapFlags } from '../sys/enums.ts';

/** Which part of a buffer {@link enqueueMapBuffer} maps, and as what. */
export interface MapOptions<T extends ElementType> extends EnqueueOptions {
  /** Element type of the array: a dtype's name or a typed array's class. Default: `'u8'` */
  readonly type?: T;
  /** Bytes from the buffer's start. Default: 0 */
  readonly offset?: number;
  /** Bytes. Default: up to the buffer's end. */
  readonly byteLength?: number;
  /** Whether to wait until the content is there. Default: true */
  readonly blocking?: boolean;
}

/** Keeps a mapping for as long as any array over its pages is reachable. */
const keepers = new WeakMap<ArrayBuffer, MemoryMap<ArrayBufferView>>();

/**
 * A part of a buffer or an image in the host's memory, made by {@link enqueueMapBuffer} or {@link enqueueMapImage}. While
 * it is mapped, no command may use that part.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueUnmapMemObject.html | clEnqueueUnmapMemObject}
 */
export class MemoryMap<A extends ArrayBufferView> extends Resource<bigint> {
  /** The mapped bytes; of length 0 once they are unmapped. */
  readonly array: A;
  /** When the content is there: wait for it after `blocking: false`. */
  readonly event: Event;
  readonly #queue: CommandQueue;
  readonly #object: MemoryObject;
  readonly #pages: ArrayBuffer;
  readonly #state: { mapped: boolean };

  /** @internal */
  constructor(queue: CommandQueue, object: MemoryObject, event: Event, address: bigint, pages: ArrayBuffer, array: A) {
    const [queueHandle, objectHandle] = [queue.owned('MemoryMap'), object.owned('MemoryMap')];
    const state = { mapped: true };
    const [{ events }, { uses }] = [queue, object];
    const destroy = (): void => {
      if (!state.mapped) return;
      state.mapped = false;
      cleanup('MemoryMap', () => {
        const out = uses ? new BigUint64Array(1) : 0n;
        cl.clEnqueueUnmapMemObject(queueHandle.value, objectHandle.value, address, 0, NULL, out);
        if (out !== 0n) uses?.add(new Event(out[0] as Opaque<'cl_event'>, events, events.blockers));
      });
    };
    super(new Handle('MemoryMap', address, destroy, [queueHandle, objectHandle]));
    this.array = array;
    this.event = event;
    this.#queue = queue;
    this.#object = object;
    this.#pages = pages;
    this.#state = state;
    keepers.set(pages, this);
  }

  /**
   * Give the bytes back to the device: the array is empty from now on.
   *
   * Host: does not block. Queue: ordered.
   *
   * @throws {@link ClosedError} it was unmapped before; `close()` does not mind
   */
  unmap(options: EnqueueOptions = {}): Event {
    checkOptions(options, ['waitFor'], 'MemoryMap.unmap');
    const address = this.use('unmap');
    // The unmapping command needs both, open or closed, and the mapping still owns both.
    if (this.#queue.closed) throw new ClosedError('CommandQueue', 'MemoryMap.unmap');
    if (this.#object.closed) throw new ClosedError(this.#object.constructor.name, 'MemoryMap.unmap');
    const memory = this.#object.use('unmap');
    const event = submit(this.#queue, 'MemoryMap.unmap', options.waitFor, (raw, count, list, out) =>
      cl.clEnqueueUnmapMemObject(raw, memory, address, count, list, out),
    );
    this.#state.mapped = false;
    this.close();
    return event;
  }

  override close(): void {
    if (!this.closed) detach(this.#pages);
    super.close();
  }
}

/**
 * Map a part of a buffer into the host's memory, as a typed array over the very pages: nothing is copied where the
 * device shares the host's memory.
 *
 * Host: blocks, unless `blocking: false`; then wait for the map's `event` before you touch its array. Queue: ordered.
 *
 * @param queue - of the buffer's context
 * @param buffer - what to map
 * @param flags - bits of {@link MapFlags}: what the host will do
 * @param options - the part, in bytes, and the array's element type
 * @returns the mapping: unmap it, or declare it with `using`, before the device uses the bytes again
 * @throws RangeError the part does not lie within the buffer, or is no multiple of the element size
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4096);
 * using map = cl.enqueueMapBuffer(queue, buffer, cl.MapFlags.WRITE, { type: 'f32' });
 * map.array.fill(1);
 * map.unmap();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueMapBuffer.html | clEnqueueMapBuffer}
 */
export function enqueueMapBuffer<T extends ElementType = 'u8'>(
  queue: CommandQueue,
  buffer: Buffer,
  flags: number,
  options: MapOptions<T> = {},
): MemoryMap<ArrayOf<T>> {
  const what = 'enqueueMapBuffer';
  checkQueue(queue, what);
  checkOptions(options, ['type', 'offset', 'byteLength', 'blocking', 'waitFor'], what);
  checkBuffer(buffer, queue.context, `${what}: the buffer`);
  const memory = buffer.use(what);
  checkMapFlags(flags, what);
  const { array: ArrayType, bytes } = arrayClass(options.type ?? 'u8', `${what}: type`);
  const { offset = 0 } = options;
  checkInteger(offset, `${what}: offset`, 0, buffer.byteLength - 1);
  const { byteLength = buffer.byteLength - offset } = options;
  checkInteger(byteLength, `${what}: byteLength`, 1, buffer.byteLength - offset);
  if (offset % bytes !== 0 || byteLength % bytes !== 0) {
    throw new RangeError(
      `${what}: elements have ${bytes} bytes; that divides not both offset ${offset} and byteLength ${byteLength}`,
    );
  }
  const blocking = options.blocking === false ? 0 : 1;
  if (blocking) refuseToBlock(queue, what, options.waitFor);
  return mapped(
    queue,
    buffer,
    options.waitFor,
    what,
    (raw, count, list, out) =>
      cl.clEnqueueMapBuffer(raw, memory, blocking, flags, offset, byteLength, count, list, out),
    () => byteLength,
    (event, address, pages) => new MemoryMap(queue, buffer, event, address, pages, new ArrayType(pages) as ArrayOf<T>),
  );
}

/** Refuse what are no {@link MapFlags}, or some that exclude each other. */
export function checkMapFlags(flags: unknown, what: string): asserts flags is number {
  checkInteger(flags, `${what}: flags`, 1, MapFlags.READ | MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION);
  if (((flags as number) & MapFlags.WRITE_INVALIDATE_REGION) !== 0 && flags !== MapFlags.WRITE_INVALIDATE_REGION) {
    throw new RangeError(`${what}: WRITE_INVALIDATE_REGION excludes READ and WRITE`);
  }
}

/** Enqueue a mapping, and make its object; where that fails, undo the mapping. */
export function mapped<Map>(
  queue: CommandQueue,
  object: MemoryObject,
  waitFor: readonly Event[] | undefined,
  what: string,
  issue: (...args: Parameters<Issue>) => bigint,
  byteLength: () => number,
  make: (event: Event, address: bigint, pages: ArrayBuffer) => Map,
): Map {
  let address = 0n;
  const event = submit(queue, what, waitFor, (...args) => {
    address = issue(...args);
  });
  try {
    return make(event, address, viewOf(address, byteLength()));
  } catch (error) {
    const [raw, memory] = [queue.use(what), object.use(what)];
    cleanup('MemoryMap', () => cl.clEnqueueUnmapMemObject(raw, memory, address, 0, NULL, 0n));
    throw error;
  }
}
