import { nameOf } from '../../core/check.ts';
import type { Dims } from '../../core/dims.ts';
import { unpinLanded } from '../../core/pin.ts';
import { handleOf } from '../../core/resource.ts';
import type { Adopted, AdoptOptions } from '../../array/engine.ts';
import type { ArrayDType } from '../../array/dtype.ts';
import {
  SHARED_MEMORY,
  type ArrayKernel,
  type ArrayMemory,
  type DeviceFacts,
  type Lane,
  type LaneOptions,
} from '../../array/engine.ts';
import type { Dialect } from '../../array/kernel/dialect.ts';
import { openclDialect } from '../../array/kernel/opencl-dialect.ts';
import type { Layout } from '../../array/layout.ts';
import { installMethods } from '../../array/methods.ts';
import { cl } from '../call.ts';
import { beforeContextCloses, type Context } from '../device/context.ts';
import { LocalMemory } from '../kernel/kernel-arguments.ts';
import { Kernel, launchGroups } from '../kernel/kernel.ts';
import { DeferredAllocator, ImmediateAllocator, type BufferAllocator } from '../memory/allocator.ts';
import type { Buffer } from '../memory/buffer.ts';
import { lend } from '../memory/client-pool.ts';
import { MemoryPool } from '../memory/memory-pool.ts';
import { Program } from '../program/program.ts';
import { holdForEvent } from '../queue/hold-for-event.ts';
import type { Event } from '../queue/event.ts';
import { CommandQueue, eventsOf, refuseToBlock, submit } from '../queue/queue.ts';
import { CommandType } from '../sys/enums.ts';
import { adopt } from './adopt.ts';
import { factsOf, roundsCorrectly } from './device-facts.ts';
import { OpenCLMemory, type ContextEngine, type OwnMemory } from './memory.ts';
import { NDArray } from './ndarray.ts';
import { UseOrder } from './use-order.ts';

const MIN_LOCAL = 8;
const EXACT: readonly string[] = ['-cl-fp32-correctly-rounded-divide-sqrt', '-DEXACT_ROOTS'];

/** Arrays in one OpenCL context. */
export class OpenCLEngine implements ContextEngine {
  readonly dialect: Dialect = openclDialect;
  readonly facts: DeviceFacts;
  readonly context: Context;
  readonly #options: readonly string[];
  readonly #built: Kernel[] = [];
  readonly #kernels = new Map<string, ArrayKernel>();
  readonly #allocator: LaneAllocator;
  #pool: MemoryPool | undefined;
  #queue: CommandQueue | undefined;

  constructor(context: Context) {
    installMethods();
    this.context = context;
    this.facts = factsOf(context.devices);
    this.#options = roundsCorrectly(context.devices) ? EXACT : [];
    this.#allocator = new LaneAllocator(context);
    beforeContextCloses(context, () => {
      this.#close();
    });
  }

  /** A queue of the context's first device. */
  get defaultLane(): CommandQueue {
    return (this.#queue ??= new CommandQueue(this.context));
  }

  laneOf(options: LaneOptions | undefined, method: string): Lane | undefined {
    if (options === undefined) return undefined;
    const { queue, stream } = options;
    if (stream !== undefined) {
      throw new TypeError(`${method}: OpenCL has queues, got a stream (${nameOf(stream)}); write { queue }`);
    }
    if (queue !== undefined) this.#checkQueue(queue, method);
    return queue;
  }

  allocate(byteLength: number, lane: Lane): OpenCLMemory {
    const queue = lane as CommandQueue;
    this.#pool ??= new MemoryPool(this.#allocator);
    this.#allocator.queue = queue;
    // eslint-disable-next-line prefer-const -- the block's end knows it, which is made before
    let order: UseOrder | undefined;
    const { block, handle } = lend(
      handleOf(this.#pool, 'NDArray'),
      byteLength,
      'NDArray',
      ({ memory }) => handleOf(memory, 'NDArray').value,
      eventsOf(queue),
      () => order?.end(),
    );
    order = new UseOrder(block.uses, queue);
    return new OpenCLMemory(this, handle, block.memory, byteLength, 16, order);
  }

  wrap(memory: ArrayMemory, dtype: ArrayDType, layout: Layout): NDArray {
    return new NDArray(memory, dtype, layout);
  }

  build(source: string, name: string, options: readonly string[] = []): ArrayKernel {
    const all = [...this.#options, ...options];
    const key = `${all.join(' ')}\n${name}\n${source}`;
    const known = this.#kernels.get(key);
    if (known) return known;
    using program: Program = new Program<string>(this.context, source).build(all);
    const run = new Kernel(program, name);
    this.#built.push(run);
    const kernel: ArrayKernel = {
      launch: (lane, groups, width, height, args) => {
        const list = args as unknown[];
        for (let i = 0; i < list.length && typeof list[i] === 'object'; i++) list[i] = (list[i] as OwnMemory).place;
        launchGroups(run, lane as CommandQueue, groups, width, height, list);
      },
      launchGrid: (lane, { grid, block, shared }, args) => {
        if (shared !== 0 && !args.includes(SHARED_MEMORY)) {
          throw new RangeError(
            `${name}: shared must be 0 for a kernel without an array of the block of length 0, got ${shared}`,
          );
        }
        const list = args as unknown[];
        for (const [i, arg] of args.entries()) {
          // No device has local memory of no bytes.
          if (arg === SHARED_MEMORY) list[i] = new LocalMemory(Math.max(shared, MIN_LOCAL));
          else if (typeof arg === 'object') list[i] = (arg as OwnMemory).place;
        }
        const [groups, threads] = [threeOf(grid), threeOf(block)];
        const global = groups.map((count, i) => count * (threads[i] as number));
        run(lane as CommandQueue, global, threads, ...(list as never[]));
      },
    };
    this.#kernels.set(key, kernel);
    return kernel;
  }

  write(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): void {
    const { order, place } = memory as OwnMemory;
    const queue = lane as CommandQueue;
    refuseToBlock(queue, 'NDArray', order.beforeWrite(eventsOf(queue)));
    const raw = place.buffer.use('NDArray');
    const event = submit(
      queue,
      'NDArray',
      undefined,
      [order.writes],
      (target, count, list, out) =>
        cl.clEnqueueWriteBuffer(target, raw, 1, byteOffset, bytes.length, bytes, count, list, out),
      CommandType.WRITE_BUFFER,
    );
    event.settle();
    unpinLanded();
  }

  read(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): void {
    const queue = lane as CommandQueue;
    refuseToBlock(queue, 'NDArray', (memory as OwnMemory).order.beforeRead(eventsOf(queue)));
    enqueueRead(memory, byteOffset, bytes, queue, 1).settle();
    unpinLanded();
  }

  async readLater(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): Promise<void> {
    const event = enqueueRead(memory, byteOffset, bytes, lane as CommandQueue, 0);
    holdForEvent(event, bytes);
    await event.done();
  }

  adopt(value: unknown, options: AdoptOptions, what: string): Adopted | undefined {
    return adopt(this, value, options, what);
  }

  #checkQueue(queue: unknown, method: string): void {
    if (!(queue instanceof CommandQueue)) {
      throw new TypeError(`${method}: queue must be a CommandQueue, got ${nameOf(queue)}`);
    }
    queue.use(method);
    if (queue.context.identity === this.context.identity) return;
    throw new TypeError(
      `${method}: queue must be of the array's context, got one of another context; copy with get() and asarray()`,
    );
  }

  #close(): void {
    this.#kernels.clear();
    engines.delete(this.context);
    for (const kernel of this.#built.splice(0)) kernel.close();
    this.#pool?.close();
    this.#queue?.close();
  }
}

/** The sizes along all axes; those that are not given are 1. */
function threeOf(sizes: Dims): readonly number[] {
  const list = typeof sizes === 'number' ? [sizes] : sizes;
  return [...list, ...[1, 1, 1].slice(list.length)];
}

/** Allocates on the device of the queue that an array is made on, and reports a lack of memory then. */
class LaneAllocator implements BufferAllocator {
  readonly context: Context;
  queue: CommandQueue | undefined;

  constructor(context: Context) {
    this.context = context;
  }

  allocate(byteLength: number): Buffer {
    const allocator = this.queue ? new ImmediateAllocator(this.queue) : new DeferredAllocator(this.context);
    return allocator.allocate(byteLength);
  }
}

function enqueueRead(
  memory: ArrayMemory,
  byteOffset: number,
  bytes: Uint8Array,
  queue: CommandQueue,
  blocking: 0 | 1,
): Event {
  const { order, place } = memory as OwnMemory;
  const raw = place.buffer.use('NDArray');
  return submit(
    queue,
    'NDArray',
    undefined,
    [order.reads],
    (source, count, list, out) =>
      cl.clEnqueueReadBuffer(source, raw, blocking, byteOffset, bytes.length, bytes, count, list, out),
    CommandType.READ_BUFFER,
  );
}

const engines = new WeakMap<Context, OpenCLEngine>();

/** The arrays' part of a context. */
export function engineOfContext(context: Context): OpenCLEngine {
  let engine = engines.get(context);
  if (engine === undefined) {
    handleOf(context, 'NDArray');
    engine = new OpenCLEngine(context);
    engines.set(context, engine);
  }
  return engine;
}
