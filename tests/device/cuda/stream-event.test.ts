import { expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { compilerVersion, driverVersion } from '../../../src/cuda/device/version.ts';
import { CudaError } from '../../../src/cuda/errors.ts';
import { Event } from '../../../src/cuda/stream/event.ts';
import { getDevicePointer, pagelockedFree, pagelockedZeros } from '../../../src/cuda/memory/host-memory.ts';
import { fromDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32 } from '../../../src/cuda/copy/memset.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { FuncCache, HostAllocFlags, Limit, StreamFlags } from '../../../src/cuda/sys/enums.ts';
import { In, InOut } from '../../../src/cuda/copy/transfer.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const SPIN = `
__global__ void spin(long long cycles) { long long end = clock64() + cycles; while (clock64() < end) { } }
__global__ void hold(volatile int *open) { while (*open == 0) { } }
__global__ void add(int *x, int n) { x[threadIdx.x] += n; }`;
const LONG = 300_000_000;

interface Gate extends Disposable {
  open(): void;
}

/** Hold a stream up until the gate opens: what is queued behind it cannot be done before, however slow the host is. */
function hold(module: SourceModule, stream: Stream): Gate {
  const flag = pagelockedZeros(1, 'i32', HostAllocFlags.DEVICEMAP);
  const open = (): void => {
    flag[0] = 1;
  };
  module.getFunction('hold')(getDevicePointer(flag), { block: 1, stream });
  return {
    open,
    [Symbol.dispose]: () => {
      open();
      pagelockedFree(flag);
    },
  };
}

needs.cuda().describe('streams, events and contexts on a CUDA device', () => {
  withDevice();

  test('Stream.isDone(), done() and synchronize() follow a running kernel', async () => {
    using module = new SourceModule(SPIN);
    using stream = new Stream({ nonBlocking: true });
    using gate = hold(module, stream);
    expect(stream.isDone()).toBe(false);
    // Only an event loop that goes on while the kernel runs comes to open the gate.
    let ticks = 0;
    const timer = setInterval(() => {
      if (++ticks === 4) gate.open();
    }, 5);
    await stream.done();
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(4);
    expect(stream.isDone()).toBe(true);
    module.getFunction('spin')(LONG / 10, { block: 1, stream });
    stream.synchronize();
    expect(stream.isDone()).toBe(true);
  });

  test('Event measures a kernel and orders two streams', async () => {
    using module = new SourceModule(SPIN);
    using first = new Stream({ nonBlocking: true });
    using second = new Stream({ nonBlocking: true });
    using start = new Event();
    using end = new Event();
    using memory = memAlloc(128);
    memsetD32(memory, 0, 32);
    const add = module.getFunction('add');
    // A kernel's first launch may load it, which waits for what runs.
    add(memory, 0, { block: 32 });
    const spin = module.getFunction('spin');
    spin(1, { block: 1, stream: first });
    start.record(first);
    using gate = hold(module, first);
    spin(LONG, { block: 1, stream: first });
    add(memory, 5, { block: 32, stream: first });
    end.record(first);
    expect(end.query()).toBe(false);
    expect(() => end.timeSince(start)).toThrow(/has not passed both events yet/);
    second.waitForEvent(end);
    add(memory, 1, { block: 32, stream: second });
    gate.open();
    await end.done();
    expect(end.timeSince(start)).toBeGreaterThan(20);
    expect(start.timeTill(end)).toBe(end.timeSince(start));
    second.synchronize();
    expect(fromDevice(memory, 'i32')[31]).toBe(6);
  });

  test('a stream that has nothing to do is done while another one works', () => {
    using module = new SourceModule(SPIN);
    using busy = new Stream({ nonBlocking: true });
    using idle = new Stream({ nonBlocking: true });
    using before = new Event();
    using never = new Event();
    using after = new Event();
    before.record(idle).synchronize();
    using gate = hold(module, busy);
    after.record(busy);
    expect([busy, idle].map((stream) => stream.isDone())).toEqual([false, true]);
    expect([before, never, after].map((event) => event.query())).toEqual([true, true, false]);
    idle.synchronize();
    never.synchronize();
    expect(busy.isDone()).toBe(false);
    gate.open();
    after.synchronize();
    expect(after.query()).toBe(true);
    busy.synchronize();
    expect(busy.isDone()).toBe(true);
  });

  test('streams that wait for each other in turns finish, in order', () => {
    using module = new SourceModule(`
      __global__ void append(int *x, int value, long long cycles) {
        long long end = clock64() + cycles;
        while (clock64() < end) { }
        x[1 + x[0]++] = value;
      }`);
    using first = new Stream({ nonBlocking: true });
    using second = new Stream({ nonBlocking: true });
    using memory = memAlloc(64);
    memsetD32(memory, 0, 16);
    const append = module.getFunction('append');
    const events: Event[] = [];
    for (let i = 0; i < 6; i++) {
      const [stream, other] = i % 2 === 0 ? [first, second] : [second, first];
      append(memory, 10 + i, i % 3 === 0 ? LONG / 100 : 1, { block: 1, stream });
      const event = new Event({ timing: false }).record(stream);
      other.waitForEvent(event);
      events.push(event);
    }
    // Recorded anew, an event is another point: a stream that waited for the old one is not delayed.
    events[0]?.record(first);
    first.synchronize();
    second.synchronize();
    expect([...fromDevice(memory, 'i32').subarray(0, 7)]).toEqual([6, 10, 11, 12, 13, 14, 15]);
    for (const event of events) event.close();
  });

  test('the default stream waits for blocking streams, and they for it', () => {
    using module = new SourceModule(SPIN);
    using blocking = new Stream();
    using memory = memAlloc(128);
    memsetD32(memory, 1, 32);
    const add = module.getFunction('add');
    const spin = module.getFunction('spin');
    add(memory, 0, { block: 32 });
    spin(1, { block: 1 });
    using gate = hold(module, blocking);
    spin(LONG / 10, { block: 1, stream: blocking });
    add(memory, 2, { block: 32, stream: blocking });
    add(memory, 4, { block: 32 });
    expect(blocking.isDone()).toBe(false);
    gate.open();
    expect(fromDevice(memory, 'i32')[31]).toBe(7);
    expect(blocking.isDone()).toBe(true);
  });

  test('Event.timeSince() says which misuse it was', () => {
    using untimed = new Event({ timing: false });
    using fresh = new Event();
    using recorded = new Event().record();
    untimed.record();
    recorded.synchronize();
    expect(() => recorded.timeSince(untimed)).toThrow(/timing: false/);
    expect(() => recorded.timeSince(fresh)).toThrow(/never recorded/);
  });

  test('Stream keeps its flags and its priority', () => {
    const { least, greatest } = Context.current?.streamPriorityRange ?? { least: 0, greatest: 0 };
    expect(greatest).toBeLessThanOrEqual(least);
    using stream = new Stream({ nonBlocking: true, priority: greatest });
    expect(stream.priority).toBe(greatest);
    expect(stream.flags).toBe(StreamFlags.NON_BLOCKING);
    using borrowed = Stream.fromHandle(stream.handle);
    expect(borrowed.isDone()).toBe(true);
    Stream.perThread().synchronize();
  });

  test('Stream.setAttributes() and copyAttributes() are kept; each stream has an id of its own', () => {
    using module = new SourceModule(SPIN);
    using memory = memAlloc(1 << 16);
    using stream = new Stream({ nonBlocking: true });
    using other = new Stream({ nonBlocking: true });
    expect(new Set([stream.id, other.id, stream.id]).size).toBe(2);
    expect(stream.getAttributes().accessPolicy).toBeNull();
    memsetD32(memory, 1, 32);
    stream.setAttributes({
      synchronizationPolicy: 'blockingSync',
      accessPolicy: { memory, hitRatio: 0.5, hit: 'streaming', miss: 'normal' },
      memSyncDomain: 'default',
    });
    other.copyAttributes(stream);
    for (const one of [stream, other]) {
      expect(one.getAttributes()).toMatchObject({
        synchronizationPolicy: 'blockingSync',
        accessPolicy: { memory: memory.ptr, byteLength: 1 << 16, hitRatio: 0.5, hit: 'streaming', miss: 'normal' },
        memSyncDomain: 'default',
      });
      module.getFunction('add')(memory, 20, { block: 32, stream: one });
      one.synchronize();
    }
    expect(fromDevice(memory, 'i32')[31]).toBe(41);
    stream.setAttributes({ accessPolicy: null });
    expect(stream.getAttributes().accessPolicy).toBeNull();
    expect(other.getAttributes().accessPolicy).not.toBeNull();
  });

  test('InOut on a stream is ordered with the kernels of that stream', async () => {
    using module = new SourceModule(SPIN);
    using stream = new Stream({ nonBlocking: true });
    const array = new Int32Array(32).fill(1);
    const add = module.getFunction('add');
    module.getFunction('spin')(LONG / 10, { block: 1, stream });
    add(InOut(array), 41, { block: 32, stream });
    add(In(new Int32Array(32)), 1, { block: 32, stream });
    await stream.done();
    expect([...new Set(array)]).toEqual([42]);
  });

  test('prepare() launches again and again', () => {
    using module = new SourceModule(SPIN);
    using memory = memAlloc(128);
    memsetD32(memory, 0, 32);
    const launch = module.getFunction('add').prepare({ block: 32 });
    for (let i = 0; i < 1000; i++) launch(memory, i % 3);
    expect(fromDevice(memory, 'i32')[0]).toBe(999);
  });

  test('Context has limits and a cache configuration', () => {
    const context = Context.current as Context;
    const stack = context.getLimit(Limit.STACK_SIZE);
    context.setLimit(Limit.STACK_SIZE, 4096);
    expect(context.getLimit(Limit.STACK_SIZE)).toBeGreaterThanOrEqual(4096);
    context.setLimit(Limit.STACK_SIZE, stack);
    context.cacheConfig = FuncCache.PREFER_L1;
    expect(Object.values(FuncCache)).toContain(context.cacheConfig);
    expect(context.device.name).toBe(new Device(0).name);
  });

  test('what was made in another context is freed in it', () => {
    const before = Context.current as Context;
    const own = new Context(new Device(0), { own: true });
    const memory = memAlloc(1024);
    const stream = new Stream();
    before.makeCurrent();
    own.close();
    memory.free();
    stream.close();
    expect(Context.current).toBe(before);
    using still = memAlloc(16);
    expect(still.byteLength).toBe(16);
  });

  test('driverVersion() and compilerVersion() are versions of CUDA', () => {
    expect(driverVersion()[0]).toBeGreaterThanOrEqual(11);
    expect(driverVersion()[1]).toBeLessThan(10);
    expect(compilerVersion()[0]).toBeGreaterThanOrEqual(11);
  });

  test('Device tells what it is', () => {
    const device = new Device(0);
    expect(Device.count()).toBeGreaterThan(0);
    expect(device.name.length).toBeGreaterThan(3);
    expect(device.uuid).toMatch(/^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Device(device.busId).ordinal).toBe(0);
    expect(device.warpSize).toBe(32);
    expect(device.totalMemory).toBeGreaterThan(2 ** 30);
    const attributes = device.getAttributes();
    expect(Object.keys(attributes).length).toBeGreaterThan(80);
    expect(attributes.MAX_THREADS_PER_BLOCK).toBe(device.maxThreadsPerBlock);
    expect(device.canAccessPeer(device)).toBe(false);
    expect(() => new Device(99)).toThrow(/no CUDA device 99; this machine has/);
    expect(() => new Device('ffff:ff:1f.0')).toThrow(CudaError);
  });
});
