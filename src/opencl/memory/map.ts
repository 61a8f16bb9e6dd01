import { noteWritten } from '../../core/element-tag.ts';
import { ClosedError } from '../../core/errors.ts';
import { checkNumber, checkOptions } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { checkMade, MAKER } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { checkViewBytes } from '../../ffi/memory.ts';
import { Pages } from './pages.ts';
import { checkBuffer, type Buffer } from './buffer.ts';
import { cl, cleanup } from '../call.ts';
import { mapClass, tagOfMapped, type MapArray, type MapElement } from './map-type.ts';
import type { MemoryObject, RawMemory } from './memory-object.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import { Event } from '../queue/event.ts';
import {
  checkQueue,
  eventsOf,
  refuseToBlock,
  submit,
  type CommandQueue,
  type Issue,
  type RawQueue,
} from '../queue/queue.ts';
import type { EventList } from '../queue/event-list.ts';
import { MapFlags } from '../sys/enums.ts';

/** Which part of a buffer {@link enqueueMapBuffer} maps, and as what. */
export interface MapOptions<T extends MapElement> extends EnqueueOptions {
  /** Element type: a dtype's name, a typed array's class, or a vector type such as `float4`. Default: `'u8'` */
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
  readonly #pages: Pages;
  readonly #state: { mapped: boolean };

  /** @internal */
  constructor(queue: CommandQueue, object: MemoryObject, event: Event, address: bigint, pages: Pages, array: A) {
    checkMade(pages instanceof Pages, 'MemoryMap', 'call enqueueMapBuffer(queue, buffer, flags)');
    const [queueHandle, objectHandle] = [handleOf(queue, 'MemoryMap'), handleOf(object, 'MemoryMap')];
    const state = { mapped: true };
    const events = eventsOf(queue);
    const { uses } = object;
    const destroy = (): void => {
      if (!state.mapped) return;
      state.mapped = false;
      cleanup('MemoryMap', () => {
        const event = unmapped(queueHandle.value, events, objectHandle.value, address);
        uses?.add(event);
      });
    };
    super(new Handle('MemoryMap', address, destroy, [queueHandle, objectHandle]));
    this.array = array;
    this.event = event;
    this.#queue = queue;
    this.#object = object;
    this.#pages = pages;
    this.#state = state;
    keepers.set(pages.buffer, this);
  }

  /**
   * Unmap the bytes, for the device: the array is empty from now on.
   *
   * Host: does not block. Queue: ordered.
   *
   * @throws {@link ClosedError} it was unmapped before; a second `close()` does nothing
   * @throws Error its bytes were transferred to another ArrayBuffer, where the runtime allows that
   */
  unmap(options: EnqueueOptions = {}): Event {
    checkOptions(options, ['waitFor'], 'MemoryMap.unmap');
    const address = this.use('unmap');
    // The unmapping command needs both, open or closed, and the mapping still owns both.
    if (this.#queue.closed) throw new ClosedError('CommandQueue', 'MemoryMap.unmap');
    if (this.#object.closed) throw new ClosedError(this.#object.constructor.name, 'MemoryMap.unmap');
    if (this.#pages.isTaken) throw taken('MemoryMap.unmap');
    const memory = this.#object.use('unmap');
    const event = submit(
      this.#queue,
      'MemoryMap.unmap',
      options.waitFor,
      [this.#object.uses],
      (raw, count, list, out) => cl.clEnqueueUnmapMemObject(raw, memory, address, count, list, out),
    );
    this.#state.mapped = false;
    this.close();
    return event;
  }

  override close(): void {
    if (!this.closed) this.#pages.end('a MemoryMap', () => handleOf(this, 'close').retain());
    super.close();
  }
}

/**
 * Map a part of a buffer into the host's memory, as a typed array over its pages: nothing is copied where the
 * device shares the host's memory.
 *
 * Host: blocks, unless `blocking: false`; then wait for the map's `event` before you touch its array. Queue: ordered.
 *
 * @param queue - of the buffer's context
 * @param buffer - what to map
 * @param flags - bits of {@link MapFlags}: what the host will do; 0: unspecified
 * @param options - the part, in bytes, and the array's element type
 * @returns the mapping: unmap it, or declare it with `using`, before the device uses the bytes again
 * @throws RangeError the part does not lie within the buffer, or is not a multiple of the element size
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
export function enqueueMapBuffer<T extends MapElement = 'u8'>(
  queue: CommandQueue,
  buffer: Buffer,
  flags: number,
  options: MapOptions<T> = {},
): MemoryMap<MapArray<T>> {
  const what = 'enqueueMapBuffer';
  checkQueue(queue, what);
  checkOptions(options, ['type', 'offset', 'byteLength', 'blocking', 'waitFor'], what);
  checkBuffer(buffer, queue.context, `${what}: the buffer`);
  const memory = buffer.use(what);
  checkMapFlags(flags, what);
  const { array: ArrayType, bytes } = mapClass(options.type ?? 'u8', `${what}: type`);
  const { offset = 0 } = options;
  checkNumber(offset, `${what}: offset`, 0, buffer.byteLength - 1);
  const { byteLength = buffer.byteLength - offset } = options;
  checkNumber(byteLength, `${what}: byteLength`, 1, buffer.byteLength - offset);
  if (offset % bytes !== 0 || byteLength % bytes !== 0) {
    throw new RangeError(
      `${what}: offset ${offset} and byteLength ${byteLength} must be multiples of the element size ${bytes}`,
    );
  }
  checkViewBytes(byteLength, `${what}: the map`);
  const blocking = options.blocking === false ? 0 : 1;
  if (blocking) refuseToBlock(queue, what, options.waitFor);
  if (flags !== MapFlags.READ) noteWritten(buffer, tagOfMapped(options.type ?? 'u8'));
  return mapped(
    queue,
    buffer,
    options.waitFor,
    what,
    (raw, count, list, out) =>
      cl.clEnqueueMapBuffer(raw, memory, blocking, flags, offset, byteLength, count, list, out),
    () => byteLength,
    (event, address, pages) =>
      new MemoryMap(queue, buffer, event, address, pages, new ArrayType(pages.buffer) as MapArray<T>),
  );
}

/** Refuse bits that are not {@link MapFlags}, and flags that exclude each other. */
export function checkMapFlags(flags: unknown, what: string): asserts flags is number {
  checkNumber(flags, `${what}: flags`, 0, MapFlags.READ | MapFlags.WRITE | MapFlags.WRITE_INVALIDATE_REGION);
  if (((flags as number) & MapFlags.WRITE_INVALIDATE_REGION) !== 0 && flags !== MapFlags.WRITE_INVALIDATE_REGION) {
    throw new RangeError(`${what}: WRITE_INVALIDATE_REGION excludes READ and WRITE`);
  }
}

/** Enqueue a mapping, and make its object; if that fails, undo the mapping. */
export function mapped<Map>(
  queue: CommandQueue,
  object: MemoryObject,
  waitFor: readonly Event[] | undefined,
  what: string,
  issue: (...args: Parameters<Issue>) => bigint,
  byteLength: () => number,
  make: (event: Event, address: bigint, pages: Pages) => Map,
): Map {
  let address = 0n;
  const event = submit(queue, what, waitFor, [object.uses], (...args) => {
    address = issue(...args);
  });
  try {
    return make(event, address, new Pages(address, byteLength()));
  } catch (error) {
    const [raw, memory] = [queue.use(what), object.use(what)];
    cleanup('MemoryMap', () => unmapped(raw, eventsOf(queue), memory, address));
    throw error;
  }
}

/** The error of an unmap that would leave another buffer over unmapped memory. */
export function taken(what: string): Error {
  return new Error(`${what}: the bytes were transferred to another ArrayBuffer and stay mapped`);
}

/** Unmap. PoCL aborts where a command fails and its event has no reference. */
function unmapped(queue: RawQueue, events: EventList, memory: RawMemory, address: bigint): Event {
  const out = new BigUint64Array(1);
  cl.clEnqueueUnmapMemObject(queue, memory, address, 0, NULL, out);
  return new Event(MAKER, out[0] as Opaque<'cl_event'>, events, events.blockers);
}
