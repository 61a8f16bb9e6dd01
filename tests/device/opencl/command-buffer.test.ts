import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../../src/core/in-flight.ts';
import * as cl from '../../../src/opencl/index.ts';
import { opencl, useOpenCL } from '../../../src/opencl/select.ts';
import { lacks, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const OUT_OF_ORDER = 8;
const SOURCE = `
__kernel void add(__global int *a, int n) { a[get_global_id(0)] += n; }
__kernel void sum(__global int *to, __global const int *a, __global const int *b)
{ int i = get_global_id(0); to[i] = a[i] + b[i]; }
__kernel void groups(__global int *a, __local int *scratch)
{ scratch[get_local_id(0)] = get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = scratch[get_local_size(0) - 1 - get_local_id(0)]; }`;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;
  let has = false;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
    has = cl.CommandBuffer.isPossible(queue);
  });
  afterAll(() => {
    for (const resource of [prg, queue, ctx]) resource.close();
  });

  const withCommands = (name: string, run: () => void | Promise<void>): void => {
    test(name, async () => {
      if (!lacks(device, 'cl_khr_command_buffer', has)) return run();
      expect(() => new cl.CommandBuffer(queue)).toThrow('CommandBuffer needs cl_khr_command_buffer');
    });
  };
  const buffer = (count = 64): cl.Buffer => new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, new Int32Array(count));
  const read = (memory: cl.Buffer, from = queue): number[] => {
    const host = new Int32Array(memory.byteLength / 4);
    cl.enqueueCopy(from, host, memory);
    return [...host];
  };

  withCommands('A recorded fill, launch and copy run again and again, on the contents of the moment', () => {
    using a = buffer();
    using b = buffer();
    using commands = new cl.CommandBuffer(queue);
    expect([commands.finalized, commands.length]).toEqual([false, 0]);
    commands.kernel(prg.kernels.add, 64, null, a, 3);
    commands.fill(b, cl.int32(7), { byteLength: 4 * 32 });
    commands.copy(b, a, { dstOffset: 4 * 32, byteLength: 4 * 16 });
    expect(commands.finalize()).toBe(commands);
    expect([commands.finalized, commands.length, commands.getInfo('NUM_QUEUES')]).toEqual([true, 3, 1]);
    expect(read(a)).toEqual(Array.from({ length: 64 }, () => 0));
    for (let i = 1; i <= 50; i++) commands.enqueue();
    expect(read(a)[63]).toBe(150);
    expect(read(b).filter((_value, i) => i % 16 === 0)).toEqual([7, 7, 150, 0]);
    cl.enqueueFill(queue, a, cl.int32(-3));
    commands.enqueue().wait();
    expect(read(a)[0]).toBe(0);
  });

  withCommands('Arguments are those of the recording, whatever the kernel is called with later', () => {
    using a = buffer();
    using commands = new cl.CommandBuffer(queue);
    const { add } = prg.kernels;
    commands.kernel(add, 64, null, a, 1);
    commands.kernel(add, [32], [8], a, 10, { offset: 32 });
    commands.kernel(prg.kernels.add, 8, null, a, 100);
    commands.finalize();
    using other = buffer();
    add(queue, 64, null, other, 5000);
    commands.enqueue();
    add(queue, 64, null, other, 5000);
    commands.enqueue();
    expect(read(a).filter((_value, i) => i % 8 === 0)).toEqual([202, 2, 2, 2, 22, 22, 22, 22]);
    expect(read(other)[63]).toBe(10000);
  });

  withCommands('Local memory, groups and barriers are recorded, too', () => {
    using a = buffer();
    using commands = new cl.CommandBuffer(queue);
    const first = commands.kernel(prg.kernels.groups, 64, 16, a, new cl.LocalMemory(64));
    const barrier = commands.barrier({ waitFor: [first] });
    commands.kernel(prg.kernels.add, 64, null, a, 1, { waitFor: [first, barrier] });
    commands.barrier();
    commands.finalize().enqueue().wait();
    expect(read(a).slice(0, 17)).toEqual([...Array.from({ length: 16 }, (_value, i) => 16 - i), 32]);
  });

  withCommands('What it uses stays alive, though everything is closed', () => {
    const a = buffer();
    using result = buffer();
    using program = new cl.Program(ctx, SOURCE).build();
    const add = new cl.Kernel(program, 'add');
    const own = new cl.CommandQueue(ctx);
    using commands = new cl.CommandBuffer(own);
    commands.kernel(add, 64, null, a, 4);
    commands.copy(result, a);
    commands.finalize();
    for (const resource of [a, add, program, own]) resource.close();
    expect(() => commands.enqueue()).toThrow(cl.ClosedError);
    commands.enqueue({ queue }).wait();
    commands.enqueue({ queue }).wait();
    expect(read(result)[0]).toBe(8);
  });

  withCommands('Sync points order the commands of an out-of-order queue', () => {
    const can = (device.getInfo('COMMAND_BUFFER_CAPABILITIES_KHR') & OUT_OF_ORDER) !== 0;
    if (lacks(device, 'command buffers for out-of-order queues', can)) return;
    using loose = new cl.CommandQueue(ctx, { outOfOrder: true });
    using a = buffer();
    using left = buffer();
    using right = buffer();
    using total = buffer();
    using commands = new cl.CommandBuffer(loose);
    const { add, sum } = prg.kernels;
    const top = commands.kernel(add, 64, null, a, 1);
    const one = commands.copy(left, a, { waitFor: [top] });
    const two = commands.copy(right, a, { waitFor: [top] });
    commands.kernel(add, 64, null, right, 1, { waitFor: [two] });
    commands.barrier();
    commands.kernel(sum, 64, null, total, left, right, { waitFor: [one] });
    commands.finalize();
    let last: cl.Event | undefined;
    for (let i = 1; i <= 20; i++) {
      last = commands.enqueue();
      if (i % 2 === 0) last.close();
    }
    loose.finish();
    expect(read(total, loose)[63]).toBe(41);
  });

  withCommands('A replay waits for events, and can be waited for', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    using a = buffer();
    using commands = new cl.CommandBuffer(queue);
    commands.kernel(prg.kernels.add, 64, null, a, 1);
    commands.finalize();
    using other = new cl.CommandQueue(ctx);
    using go = new cl.UserEvent(ctx);
    const event = commands.enqueue({ waitFor: [go] });
    expect(event.isDone).toBe(false);
    expect(() => queue.finish()).toThrow('would never return');
    const second = commands.enqueue({ queue: other });
    expect(second.isDone).toBe(false);
    go.setStatus(0);
    await second.done();
    expect([event.isDone, read(a)[5]]).toEqual([true, 2]);
  });

  withCommands('One that is closed while it runs is given back afterwards', async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    queue.finish();
    sweepFlights();
    const before = flightCount();
    const a = buffer();
    using result = buffer();
    using go = new cl.UserEvent(ctx);
    const commands = new cl.CommandBuffer(queue);
    commands.kernel(prg.kernels.add, 64, null, a, 1);
    commands.copy(result, a);
    const event = commands.finalize().enqueue({ waitFor: [go] });
    a.close();
    commands.close();
    commands.close();
    expect(flightCount()).toBe(before + 1);
    expect(() => commands.enqueue()).toThrow(cl.ClosedError);
    go.setStatus(0);
    await event.done();
    sweepFlights();
    expect([flightCount(), read(result)[0]]).toEqual([before, 1]);
  });

  withCommands("A pool's memory is the recording's as long as there is one", () => {
    using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
    const a = pool.allocate(256);
    using result = buffer();
    const commands = new cl.CommandBuffer(queue);
    commands.fill(a, cl.int32(5));
    commands.copy(result, a);
    commands.finalize();
    a.close();
    expect(pool.activeBlocks).toBe(1);
    using b = pool.allocate(256);
    cl.enqueueFill(queue, b, cl.int32(1));
    commands.enqueue();
    expect([read(result)[0], read(b)[0]]).toEqual([5, 1]);
    commands.close();
    expect(pool.activeBlocks).toBe(1);
  });

  withCommands('Its event has a profile where the queue measures', () => {
    using measured = new cl.CommandQueue(ctx, { profiling: true });
    using a = buffer();
    using commands = new cl.CommandBuffer(measured);
    commands.kernel(prg.kernels.add, 64, null, a, 1);
    const event = commands.finalize().enqueue();
    event.wait();
    const { queued, start, end } = event.profile;
    expect([queued <= start, start <= end]).toEqual([true, true]);
  });

  withCommands('Shared memory is an argument like any other', () => {
    const svm = device.platform.atLeast(2, 0) ? device.svmCapabilities : 0;
    if (lacks(device, 'coarse-grained SVM', (svm & cl.DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) !== 0)) return;
    const shared = cl.csvmEmpty(ctx, 64, 'i32');
    cl.enqueueCopy(queue, shared, new Int32Array(64));
    using commands = new cl.CommandBuffer(queue);
    commands.kernel(prg.kernels.add, 64, null, shared, 2);
    commands.finalize();
    commands.enqueue();
    commands.enqueue().wait();
    const host = new Int32Array(64);
    cl.enqueueCopy(queue, host, shared);
    expect(host[63]).toBe(4);
    shared.close();
    expect(() => commands.enqueue()).toThrow(cl.ClosedError);
  });

  withCommands('What makes no sense is refused before the driver sees it', () => {
    using a = buffer();
    using commands = new cl.CommandBuffer(queue);
    using other = new cl.CommandBuffer(queue);
    const { add } = prg.kernels;
    expect(() => commands.kernel('add' as never, 64, null, a, 1)).toThrow('takes a Kernel first');
    expect(() => commands.kernel(add as cl.Kernel, 64, null, a)).toThrow('takes 2 arguments, got 1');
    expect(() => commands.kernel(add, 64, null, a, 1.5)).toThrow('is not an integer');
    expect(() => commands.kernel(add, 0, null, a, 1)).toThrow(RangeError);
    expect(() => commands.kernel(add, 2 ** 60, [1, 1], a, 1)).toThrow(/size/);
    expect(() => commands.fill(a, cl.int32(1), { offset: 2 })).toThrow('CommandBuffer.fill: the pattern');
    expect(() => commands.fill(a, 1 as never)).toThrow('CommandBuffer.fill: the pattern needs a type');
    expect(() => commands.copy(a, new Int32Array(4) as never)).toThrow('CommandBuffer.copy: src must be a Buffer');
    expect(() => commands.copy(a, a)).toThrow('CommandBuffer.copy: the two regions overlap');
    expect(() => commands.copy(a, a, { byteLength: 2 ** 40 })).toThrow(RangeError);
    expect(() => commands.copy(a, a, { blocking: false } as never)).toThrow("no option 'blocking'");
    expect(() => commands.barrier({ waitFor: [1 as never] })).toThrow('takes SyncPoints');
    const foreign = other.fill(a, 0);
    expect(() => commands.fill(a, 0, { waitFor: [foreign] })).toThrow('SyncPoint of another CommandBuffer');
    expect(() => commands.kernel(add, 64, null, a, 1, { waitFor: [foreign] })).toThrow('of another CommandBuffer');
    expect(() => commands.enqueue()).toThrow('call finalize() first');
    expect(commands.length).toBe(0);
    commands.fill(a, 0);
    commands.finalize();
    expect(() => commands.finalize()).toThrow('the recording is finalized');
    expect(() => commands.fill(a, 0)).toThrow('the recording is finalized');
    expect(() => commands.enqueue({ waitFor: [1 as never] })).toThrow('array of Events');
    expect(() => commands.enqueue({ queue: ctx as never })).toThrow('takes a CommandQueue');
    using profiling = new cl.CommandQueue(ctx, { profiling: true });
    expect(() => commands.enqueue({ queue: profiling })).toThrow('profiling of the recording');
    using elsewhere = new cl.Context(device);
    using far = new cl.CommandQueue(elsewhere);
    expect(() => commands.enqueue({ queue: far })).toThrow('another context');
    using farBuffer = new cl.Buffer(elsewhere, mf.READ_WRITE, 16);
    using third = new cl.CommandBuffer(queue);
    expect(() => third.fill(farBuffer, 0)).toThrow('another context');
    expect(() => new cl.CommandBuffer(ctx as never)).toThrow('takes a CommandQueue first');
    expect(() => new cl.CommandBuffer(queue, { simultaneous: true } as never)).toThrow("no option 'simultaneous'");
    third.close();
    expect(() => third.barrier()).toThrow(cl.ClosedError);
  });

  withCommands("An extension's function is looked up once", () => {
    const table = opencl();
    const asked: string[] = [];
    const clGetExtensionFunctionAddressForPlatform: typeof table.clGetExtensionFunctionAddressForPlatform = (
      ...args
    ) => {
      asked.push(args[1]);
      return table.clGetExtensionFunctionAddressForPlatform(...args);
    };
    useOpenCL({ ...table, clGetExtensionFunctionAddressForPlatform });
    try {
      for (let i = 0; i < 3; i++) new cl.CommandBuffer(queue).close();
      expect(new Set(asked).size).toBe(asked.length);
    } finally {
      useOpenCL(table);
    }
  });
});
