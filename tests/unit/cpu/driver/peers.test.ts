import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpuDriver } from '../../../../src/cpu/driver-table.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';

const DEVICES = 3;
const BYTES = 4096;

describe('several devices of the embedded driver', () => {
  const table = cpuDriver({ workers: 2, memoryBytes: 512 << 20, timeoutMs: 20_000, devices: DEVICES });
  let contexts: cuda.Context[];
  let modules: cuda.Module[];

  beforeAll(() => {
    useTables({ driver: table });
    contexts = Array.from({ length: DEVICES }, (_, i) => new cuda.Context(new cuda.Device(i)));
    modules = contexts.map((context) => {
      context.makeCurrent();
      return cuda.moduleFromBuffer(cpuTestProgram());
    });
  });
  afterAll(() => {
    for (const [i, context] of contexts.entries()) {
      context.makeCurrent();
      context.synchronize();
      modules[i]?.close();
    }
    sweepFlights();
    for (const context of contexts) context.close();
  });

  /** Make a device's context current. */
  const on = (device: number): cuda.Context => {
    const context = contexts[device] as cuda.Context;
    context.makeCurrent();
    return context;
  };
  const codeOf = (call: () => unknown): unknown => {
    try {
      call();
      return undefined;
    } catch (error) {
      return (error as cuda.CudaError).status;
    }
  };
  const raw = (device: number): never => contexts[device]?.handle as never;

  test('each device has a UUID, a PCI address and an ordinal of its own', () => {
    expect(cuda.Device.count()).toBe(DEVICES);
    const devices = contexts.map(({ device }) => device);
    expect(new Set(devices.map(({ uuid }) => uuid)).size).toBe(DEVICES);
    expect(devices.map(({ busId }) => new cuda.Device(busId).ordinal)).toEqual([0, 1, 2]);
    expect(devices.map((device) => device.getAttribute('PCI_DEVICE_ID'))).toEqual([0, 1, 2]);
    expect(() => new cuda.Device(DEVICES)).toThrow(/3/);
    for (let i = 0; i < DEVICES; i++) {
      on(i);
      expect(cuda.currentDevice().ordinal).toBe(i);
    }
  });

  test('memory is counted for each device alone, and one cannot have all of it', () => {
    const freeOf = (device: number): number => (on(device), cuda.memGetInfo().free);
    const before = contexts.map((_, i) => freeOf(i));
    on(1);
    using memory = cuda.memAlloc(20 << 20);
    expect(contexts.map((_, i) => (before[i] ?? 0) - freeOf(i))).toEqual([0, (20 << 20) + 256, 0]);
    on(1);
    expect(codeOf(() => cuda.memAlloc(cuda.memGetInfo().free + 1))).toBe(2);
    expect(cuda.pointerAttributes(memory.ptr)?.device.ordinal).toBe(1);
    const { total } = cuda.memGetInfo();
    expect(total).toBe(contexts[1]?.device.totalMemory);
    expect(total * DEVICES).toBeLessThan(512 << 20);
  });

  test('the answers about peers are those of two GPUs', () => {
    const slot = new Int32Array(1);
    const can = (a: number, b: number): unknown => [table.cuDeviceCanAccessPeer(slot, a, b), slot[0]];
    expect([can(0, 1), can(2, 0), can(0, 0)]).toEqual([
      [0, 1],
      [0, 1],
      [0, 0],
    ]);
    expect([table.cuDeviceCanAccessPeer(slot, 0, 9), table.cuDeviceCanAccessPeer(slot, -1, 0)]).toEqual([101, 101]);
    const ask = (attribute: number, a: number, b: number): unknown => [
      table.cuDeviceGetP2PAttribute(slot, attribute, a, b),
      slot[0],
    ];
    expect([1, 2, 3, 4].map((attribute) => ask(attribute, 0, 1))).toEqual([
      [0, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    const statuses = [table.cuDeviceGetP2PAttribute(slot, 1, 0, 0), table.cuDeviceGetP2PAttribute(slot, 1, 0, 9)];
    expect([...statuses, table.cuDeviceGetP2PAttribute(slot, 9, 0, 1)]).toEqual([101, 101, 1]);
  });

  test('peer access is enabled once and disabled once', () => {
    on(0);
    const enable = (device: number, flags = 0): number => table.cuCtxEnablePeerAccess(raw(device), flags);
    expect([enable(1), enable(1), enable(0), table.cuCtxEnablePeerAccess(0n as never, 0), enable(1, 1)]).toEqual([
      0, 704, 217, 201, 1,
    ]);
    const disable = (device: number): number => table.cuCtxDisablePeerAccess(raw(device));
    expect([disable(1), disable(1), disable(0), table.cuCtxDisablePeerAccess(0n as never)]).toEqual([0, 705, 705, 201]);
  });

  test('fills need peer access, copies do not', () => {
    on(1);
    using there = cuda.memAlloc(BYTES);
    on(0);
    using here = cuda.memAlloc(BYTES);
    expect(codeOf(() => cuda.memsetD8(there, 7, BYTES))).toBe(1);
    expect(codeOf(() => cuda.memcpyDtoD(here, there, BYTES))).toBeUndefined();
    cuda.enablePeerAccess(contexts[1] as cuda.Context);
    expect(codeOf(() => cuda.memsetD8(there, 7, BYTES))).toBeUndefined();
    expect(cuda.fromDevice(there, 'u8')[5]).toBe(7);
    cuda.disablePeerAccess(contexts[1] as cuda.Context);
    expect(codeOf(() => cuda.memsetD8(there, 8, BYTES))).toBe(1);
  });

  test('a kernel runs in the context of its stream and its module, and in no other', () => {
    on(1);
    using stream = new cuda.Stream();
    using memory = cuda.toDevice(Int32Array.of(1, 2));
    on(0);
    using own = new cuda.Stream();
    const [first, second] = modules.map((module) => module.getFunction('add'));
    expect(codeOf(() => first?.(memory, cuda.int64(3), { block: 2, stream }))).toBe(400);
    expect(codeOf(() => second?.(memory, cuda.int64(3), { block: 2, stream: own }))).toBe(400);
    second?.(memory, cuda.int64(3), { block: 2, stream });
    stream.synchronize();
    expect([...cuda.fromDevice(memory, 'i32')]).toEqual([4, 5]);
  });

  test('events of one device are waited for on the stream of another, and recorded on none', () => {
    on(1);
    using there = new cuda.Stream({ nonBlocking: true });
    using event = new cuda.Event();
    using memory = cuda.memAlloc(8 << 20);
    using list = cuda.memAlloc(64);
    cuda.memsetD8(list, 0, 64);
    on(0);
    using here = new cuda.Stream({ nonBlocking: true });
    using own = new cuda.Event();
    using copied = cuda.memAlloc(8 << 20);
    expect(codeOf(() => event.record(here))).toBe(400);
    for (let round = 1; round <= 20; round++) {
      cuda.memsetD32Async(memory, round, 2 << 20, there);
      event.record(there);
      here.waitForEvent(event);
      cuda.memcpyPeerAsync(
        copied,
        memory,
        8 << 20,
        { dstContext: contexts[0] as cuda.Context, srcContext: contexts[1] as cuda.Context },
        here,
      );
      own.record(here);
      there.waitForEvent(own);
    }
    here.synchronize();
    expect(new Set(cuda.fromDevice(copied, 'i32'))).toEqual(new Set([20]));
    expect(codeOf(() => own.timeSince(event))).toBe(400);
  });

  test("memory of a pool is another device's by setAccess(), not by enablePeerAccess()", () => {
    on(1);
    using pool = new cuda.MemPool();
    using memory = pool.alloc(BYTES);
    contexts[1]?.synchronize();
    on(0);
    using here = cuda.memAlloc(BYTES);
    const [first, second] = contexts.map(({ device }) => device) as [cuda.Device, cuda.Device];
    expect([pool.getAccess(first), pool.getAccess(second)]).toEqual(['none', 'readwrite']);
    cuda.enablePeerAccess(contexts[1] as cuda.Context);
    expect(codeOf(() => cuda.memcpyDtoD(here, memory.ptr, BYTES))).toBe(1);
    pool.setAccess(first, 'readwrite');
    expect(pool.getAccess(first)).toBe('readwrite');
    cuda.memcpyDtoD(here, memory.ptr, BYTES);
    cuda.memsetD8(memory.ptr, 1, BYTES);
    pool.setAccess(first, 'none');
    expect(codeOf(() => cuda.memsetD8(memory.ptr, 2, BYTES))).toBe(1);
    expect(codeOf(() => pool.setAccess(second, 'none'))).toBe(101);
    cuda.disablePeerAccess(contexts[1] as cuda.Context);
    on(1);
  });

  test('a primary context that is closed ends the access to its memory', () => {
    on(0);
    const other = new cuda.Context(new cuda.Device(2), { own: true });
    on(0);
    expect(cuda.enablePeerAccess(other)).toBe(true);
    other.close();
    on(0);
    const again = new cuda.Context(new cuda.Device(2), { own: true });
    on(0);
    expect(cuda.enablePeerAccess(again)).toBe(true);
    again.close();
    on(0);
  });

  test('two thousand random copies between devices have the result of a model', () => {
    let seed = 2024;
    const random = (below: number): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below;
    const size = 64 << 10;
    const parts = contexts.map((context, i) => {
      context.makeCurrent();
      const model = Uint8Array.from({ length: size }, (_, at) => (at * 7 + i) & 0xff);
      return { memory: cuda.toDevice(model), model, stream: new cuda.Stream() };
    });
    const pick = (): (typeof parts)[number] => parts[random(parts.length)] as never;
    for (let step = 0; step < 2000; step++) {
      const [to, from] = [pick(), pick()];
      const length = 1 + random(random(4) === 0 ? size : 500);
      const [at, start] = [random(size - length + 1), random(size - length + 1)];
      // Where both ends overlap, the result of a copy is not defined.
      if (to === from && Math.abs(at - start) < length) continue;
      on(random(DEVICES));
      const [a, b] = [to.memory.ptr + BigInt(at), from.memory.ptr + BigInt(start)];
      const dstContext = contexts[parts.indexOf(to)] as cuda.Context;
      const srcContext = contexts[parts.indexOf(from)] as cuda.Context;
      switch (random(4)) {
        case 0:
          cuda.memcpyPeer(a, b, length, { dstContext, srcContext });
          break;
        case 1: {
          const { stream } = pick();
          cuda.memcpyPeerAsync(a, b, length, { dstContext, srcContext }, stream);
          stream.synchronize();
          break;
        }
        case 2:
          cuda.memcpyDtoD(a, b, length);
          cuda.Context.current?.synchronize();
          break;
        default: {
          const copy = new cuda.Memcpy3DPeer().setSrcDevice(b).setDstDevice(a);
          copy.setSrcContext(srcContext).setDstContext(dstContext);
          Object.assign(copy, { widthInBytes: length });
          copy.run();
        }
      }
      to.model.set(from.model.subarray(start, start + length), at);
    }
    for (const { memory, model, stream } of parts) {
      expect(Buffer.compare(cuda.fromDevice(memory, 'u8'), model)).toBe(0);
      memory.free();
      stream.close();
    }
  });

  test('contexts, memory and pools come and go and leave nothing', () => {
    on(0);
    const free = cuda.memGetInfo().free;
    const others = contexts.map((_, i) => (on(i), cuda.memGetInfo().free));
    for (let round = 0; round < 50; round++) {
      const own = new cuda.Context(new cuda.Device(round % DEVICES), { own: true });
      const memory = cuda.memAlloc(1 << 20);
      const pool = new cuda.MemPool();
      const pooled = pool.alloc(1 << 16);
      pooled.free();
      pool.close();
      memory.free();
      own.synchronize();
      own.close();
    }
    expect(contexts.map((_, i) => (on(i), cuda.memGetInfo().free))).toEqual(others);
    on(0);
    expect(cuda.memGetInfo().free).toBe(free);
  });
});
