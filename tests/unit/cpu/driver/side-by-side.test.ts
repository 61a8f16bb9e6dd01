import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cpuDriver } from '../../../../src/cpu/driver-table.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';
import { until } from '../../../helpers/until.ts';

// Kernels that wait for other kernels or for the host: whatever is not run beside them does not end. The time limit
// turns that into an error.
describe('kernels side by side', () => {
  const table = cpuDriver({ workers: 2, memoryBytes: 64 << 20, timeoutMs: 20_000 });
  let context: cuda.Context;
  let module: cuda.Module;
  let flags: Int32Array;
  let at: bigint;

  beforeAll(() => {
    useTables({ driver: table });
    context = new cuda.Context();
    module = cuda.moduleFromBuffer(cpuTestProgram());
    flags = cuda.pagelockedZeros(16, 'i32', cuda.HostAllocFlags.DEVICEMAP);
    at = BigInt(cuda.getDevicePointer(flags));
  });
  afterEach(() => {
    flags.fill(1);
    context.synchronize();
    flags.fill(0);
  });
  afterAll(() => {
    cuda.pagelockedFree(flags);
    module.close();
    context.close();
  });

  const word = (index: number): cuda.Scalar => cuda.int64(at + BigInt(4 * index));
  /** Wait until the word behind this one is not 0. */
  const hold = (stream: cuda.Stream | undefined, index: number): void => {
    module.getFunction('hold')(word(index), { block: 1, ...(stream ? { stream } : {}) });
  };
  const open = (stream: cuda.Stream | undefined, index: number): void => {
    module.getFunction('add')(word(index + 1), cuda.int64(1), { block: 1, ...(stream ? { stream } : {}) });
  };
  const plain = (): cuda.Stream => new cuda.Stream();
  const free = (): cuda.Stream => new cuda.Stream({ nonBlocking: true });

  test('a kernel waits for the kernel of another stream', () => {
    using a = plain();
    using b = plain();
    hold(a, 0);
    open(b, 0);
    a.synchronize();
    expect([...flags.subarray(0, 2)]).toEqual([1, 1]);
  });

  test('also where many commands wait behind the first', () => {
    using a = plain();
    using b = plain();
    hold(a, 0);
    for (let i = 0; i < 100; i++) open(a, 2);
    open(b, 0);
    b.synchronize();
    a.synchronize();
    expect(flags[3]).toBe(100);
  });

  test('commands of one stream keep their order', async () => {
    using a = plain();
    using b = plain();
    hold(a, 0);
    open(a, 2);
    hold(b, 4);
    await until('both kernels run', () => flags[0] === 1 && flags[4] === 1);
    expect([a.isDone(), b.isDone(), flags[3]]).toEqual([false, false, 0]);
    flags[5] = 1;
    b.synchronize();
    expect([a.isDone(), flags[3]]).toEqual([false, 0]);
    flags[1] = 1;
    a.synchronize();
    expect(flags[3]).toBe(1);
  });

  test('a stream waits for the event of another one, and a third does not', async () => {
    using a = free();
    using b = free();
    using c = free();
    using passed = new cuda.Event();
    hold(a, 0);
    passed.record(a);
    b.waitForEvent(passed);
    open(b, 2);
    open(c, 4);
    c.synchronize();
    expect([flags[5], flags[3], passed.query(), b.isDone()]).toEqual([1, 0, false, false]);
    await until('the kernel runs', () => flags[0] === 1);
    flags[1] = 1;
    b.synchronize();
    expect([flags[3], passed.query()]).toEqual([1, true]);
  });

  test('the default stream waits for blocking streams, and they for it', async () => {
    using a = plain();
    using b = plain();
    using c = free();
    hold(a, 0);
    open(undefined, 2);
    open(b, 4);
    open(c, 6);
    c.synchronize();
    await until('the kernel runs', () => flags[0] === 1);
    expect([flags[3], flags[5], flags[7], b.isDone()]).toEqual([0, 0, 1, false]);
    flags[1] = 1;
    b.synchronize();
    expect([flags[3], flags[5]]).toEqual([1, 1]);
  });

  test('the default stream does not wait for other streams', () => {
    using c = free();
    hold(c, 0);
    open(undefined, 2);
    cuda.memcpyDtoH(new Int32Array(1), cuda.getDevicePointer(flags));
    expect([flags[3], c.isDone()]).toEqual([1, false]);
    open(undefined, 0);
    c.synchronize();
  });

  test('copies and fills do not wait for the kernels of other streams', () => {
    using c = free();
    using d = free();
    hold(c, 0);
    const memory = cuda.memAlloc(8 << 20);
    const bytes = new Int32Array(2 << 20).fill(7);
    cuda.memcpyHtoDAsync(memory, bytes, d);
    const back = new Int32Array(2 << 20);
    cuda.memcpyDtoHAsync(back, memory, d);
    d.synchronize();
    expect([back[0], back.at(-1), c.isDone()]).toEqual([7, 7, false]);
    open(d, 0);
    c.synchronize();
    memory.free();
  });

  test('more events than a command has places for', () => {
    const streams = Array.from({ length: 20 }, free);
    using last = free();
    using gate = free();
    hold(gate, 0);
    for (const stream of streams) {
      using event = new cuda.Event();
      using opened = new cuda.Event();
      opened.record(gate);
      stream.waitForEvent(opened);
      open(stream, 2);
      event.record(stream);
      last.waitForEvent(event);
    }
    open(last, 4);
    expect([flags[3], flags[5], last.isDone()]).toEqual([0, 0, false]);
    open(undefined, 0);
    last.synchronize();
    expect([flags[3], flags[5]]).toEqual([20, 1]);
    for (const stream of streams) stream.close();
  });

  test('streams beyond the number of lanes', () => {
    const streams = Array.from({ length: 100 }, plain);
    for (let i = 0; i < 10; i++) for (const stream of streams) open(stream, 2);
    for (const stream of streams) stream.synchronize();
    expect(flags[3]).toBe(1000);
    for (const stream of streams) stream.close();
  });

  test('branches of a graph run side by side, and what joins them waits', () => {
    using a = plain();
    using b = plain();
    using fork = new cuda.Event();
    using join = new cuda.Event();
    a.beginCapture();
    open(a, 2);
    fork.record(a);
    b.waitForEvent(fork);
    hold(a, 0);
    open(b, 0);
    join.record(b);
    a.waitForEvent(join);
    open(a, 4);
    using captured = a.endCapture();
    using graph = captured.instantiate();
    for (let i = 1; i <= 3; i++) {
      graph.launch(a);
      open(a, 6);
      a.synchronize();
      expect([flags[3], flags[5], flags[7]]).toEqual([i, i, i]);
      flags[1] = 0;
    }
  });
});

describe('a fault', () => {
  test('ends the other kernels of its context, which wait for the kernel that failed', () => {
    useTables({ driver: cpuDriver({ workers: 2, memoryBytes: 64 << 20, timeoutMs: 60_000 }) });
    const context = new cuda.Context();
    const module = cuda.moduleFromBuffer(cpuTestProgram());
    const memory = cuda.memAlloc(8);
    cuda.memsetD32(memory, 0, 2);
    const streams = [new cuda.Stream(), new cuda.Stream()] as const;
    const [a, b] = streams;
    module.getFunction('hold')(memory, { block: 1, stream: a });
    module.getFunction('trap')({ block: 1, stream: b });
    expect(() => a.synchronize()).toThrow(/LAUNCH_FAILED|unspecified|trap/i);
    for (const one of [...streams, memory, module, context]) one.close();
  });

  test('stays the error of its context, whose other streams have work, and not of another context', () => {
    useTables({ driver: cpuDriver({ workers: 2, memoryBytes: 64 << 20, timeoutMs: 60_000 }) });
    const context = new cuda.Context();
    const module = cuda.moduleFromBuffer(cpuTestProgram());
    const memory = cuda.memAlloc(8);
    const streams = [new cuda.Stream(), new cuda.Stream()] as const;
    const [a, b] = streams;
    const add = (stream: cuda.Stream): void => {
      module.getFunction('add')(memory, cuda.int64(1n), { block: 1, stream });
    };
    for (let i = 0; i < 50; i++) add(a);
    module.getFunction('trap')({ block: 1, stream: b });
    // A launch may already tell the fault.
    const more = (): void => {
      for (let i = 0; i < 50; i++) add(a);
      context.synchronize();
    };
    for (const wait of [
      more,
      () => a.synchronize(),
      () => b.synchronize(),
      () => add(a),
      () => context.synchronize(),
    ]) {
      expect(wait).toThrow(/CUDA_ERROR_LAUNCH_FAILED/);
    }
    for (const one of [...streams, memory, module, context]) one.close();
    using next = new cuda.Context();
    using again = cuda.moduleFromBuffer(cpuTestProgram());
    using fresh = cuda.toDevice(new Int32Array(1));
    again.getFunction('add')(fresh, cuda.int64(1n), { block: 1 });
    next.synchronize();
    expect(cuda.fromDevice(fresh, 'i32')).toEqual(Int32Array.of(1));
  });
});
