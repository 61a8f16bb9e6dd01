import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { cpuDriver, takeFindings } from '../../../../src/cpu/driver-table.ts';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { addressOf } from '../../../../src/ffi/memory.ts';
import { entriesOf } from '../../../../src/ffi/prototype.ts';
import { functions } from '../../../../src/cuda/sys/driver.ts';
import { FunctionAttribute } from '../../../../src/cuda/sys/enums.ts';
import { cpuTestProgram } from '../../../helpers/wasm-kernels.ts';
import { sweepFlights } from '../../../../src/core/in-flight.ts';

const int = (value: number | bigint): cuda.KernelArgument => cuda.int64(value);

describe('the CPU device under the CUDA half', () => {
  const table = cpuDriver({ workers: 2, memoryBytes: 512 << 20, timeoutMs: 2000 });
  let context: cuda.Context;
  let module: cuda.Module;
  const kernel = (name: string): cuda.Function => module.getFunction(name);

  beforeAll(() => {
    useTables({ driver: table });
    context = new cuda.Context();
    module = cuda.moduleFromBuffer(cpuTestProgram());
  });
  afterAll(() => {
    context.synchronize();
    sweepFlights();
    module.close();
    context.close();
  });

  /** What becomes of a kernel, in a context of its own. */
  function ending(run: (module: cuda.Module) => void): { code: unknown; then: unknown } {
    const own = new cuda.Context(context.device, { own: true });
    const loaded = cuda.moduleFromBuffer(cpuTestProgram());
    const codeOf = (call: () => void): unknown => {
      try {
        call();
        return undefined;
      } catch (error) {
        return (error as cuda.CudaError).code;
      }
    };
    const code = codeOf(() => {
      run(loaded);
      own.synchronize();
    });
    const then = codeOf(() => cuda.memAlloc(16).free());
    loaded.close();
    own.close();
    context.makeCurrent();
    return { code, then };
  }

  test('has every function of the driver', () => {
    const names = [...entriesOf(functions)].map(([name]) => name);
    expect(Object.keys(table).sort()).toEqual(names.sort());
  });

  test('says what kind of device it is', () => {
    const { device } = context;
    expect(device.name).toMatch(/^rawkernel CPU \(.+\)$/);
    expect(device.computeCapability).toEqual([9, 0]);
    expect([device.warpSize, device.maxThreadsPerBlock, device.multiprocessorCount]).toEqual([32, 1024, 2]);
    expect(device.maxSharedMemoryPerBlockOptin).toBe(227 * 1024);
    expect(new cuda.Device(device.busId).ordinal).toBe(0);
    expect(device.totalMemory).toBe((512 << 20) - 65_536);
    expect(() => new cuda.Device('0000:01:00.0')).toThrow(/CUDA_ERROR_INVALID_DEVICE/);
  });

  test('runs all blocks of a grid once', () => {
    const n = 100_000;
    using memory = cuda.toDevice(new Int32Array(n));
    for (let i = 0; i < 5; i++) kernel('add')(memory, int(3), { block: 100, grid: n / 100 });
    expect(new Set(cuda.fromDevice(memory, 'i32'))).toEqual(new Set([15]));
  });

  test('keeps launches, copies and fills in order', async () => {
    using stream = new cuda.Stream();
    using a = cuda.memAlloc(4 << 20);
    using b = cuda.memAlloc(4 << 20);
    using host = cuda.pagelockedZeros(1 << 20, 'i32');
    const done: boolean[] = [];
    for (let round = 1; round <= 20; round++) {
      cuda.memsetD32Async(a, round, 1 << 20, stream);
      kernel('add')(a, int(round), { block: 256, grid: 4096, stream });
      cuda.memcpyDtoDAsync(b, a, a.byteLength, stream);
      cuda.memcpyHtoDAsync(a, Int32Array.of(5, 6), stream);
      cuda.memcpyDtoHAsync(host, b, stream);
      done.push(stream.isDone());
    }
    await stream.done();
    expect(done).toContain(false);
    expect(new Set(host)).toEqual(new Set([40]));
    expect([...cuda.fromDevice(a, 'i32', 3)]).toEqual([5, 6, 40]);
  });

  test('more launches than the queue has places', () => {
    using memory = cuda.toDevice(new Int32Array(32));
    const launch = kernel('add').prepare({ block: 32 });
    for (let i = 0; i < 3000; i++) launch(memory, int(1));
    expect([...new Set(cuda.fromDevice(memory, 'i32'))]).toEqual([3000]);
  });

  test('a module variable is in device memory, a separate one for each load', () => {
    using other = cuda.moduleFromBuffer(cpuTestProgram());
    using memory = cuda.toDevice(new Int32Array(1000));
    cuda.memcpyHtoD(module.getGlobal('counter'), Int32Array.of(100));
    kernel('count')(memory, { block: 1, grid: 1000 });
    other.getFunction('count')(memory, { block: 1, grid: 10 });
    expect(cuda.fromDevice(module.getGlobal('counter'), 'i32')[0]).toBe(1100);
    expect(cuda.fromDevice(other.getGlobal('counter'), 'i32')[0]).toBe(10);
  });

  test('gives kernels aligned scratch memory, shared memory and a stack', () => {
    using memory = cuda.toDevice(new BigInt64Array(4));
    kernel('places')(memory, { block: 128, shared: 1000 });
    const [scratch = 0n, shared = 0n, args = 0n, stack = 0n] = cuda.fromDevice(memory, BigInt64Array);
    for (const place of [scratch, shared, args, stack]) {
      expect(place).toBeGreaterThan(65_536n);
      expect(place % 16n).toBe(0n);
    }
    kernel('places')(memory, { block: 128 });
    expect(cuda.fromDevice(memory, BigInt64Array)[1]).toBe(0n);
  });

  test('printf comes out on synchronizing calls', () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      using format = cuda.toDevice(Buffer.from('%d is %s\n\0'));
      using text = cuda.toDevice(Buffer.from('seven\0'));
      using list = cuda.toDevice(BigInt64Array.of(7n, text.ptr));
      kernel('say')(format, list, { block: 1, grid: 3 });
      context.synchronize();
      const said = write.mock.calls.map(([piece]) => Buffer.from(piece as Uint8Array).toString()).join('');
      expect(said).toBe('7 is seven\n'.repeat(3).slice(0, said.length));
      expect(said).toContain('7 is seven\n');
    } finally {
      write.mockRestore();
    }
  });

  test('the heap of kernels gives memory', () => {
    using memory = cuda.toDevice(new BigInt64Array(100));
    kernel('heap')(memory, { block: 1, grid: 100 });
    const blocks = [...cuda.fromDevice(memory, BigInt64Array)].filter((block) => block !== 0n);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(block % 16n).toBe(0n);
  });

  test.each<[string, string, (module: cuda.Module) => void]>([
    ['a trap', 'CUDA_ERROR_LAUNCH_FAILED', (loaded) => loaded.getFunction('trap')({ block: 1, grid: 9 })],
    ['a deadlock', 'CUDA_ERROR_LAUNCH_FAILED', (loaded) => loaded.getFunction('fault')(int(4), int(0), { block: 1 })],
    ['a wild address', 'CUDA_ERROR_ILLEGAL_ADDRESS', (loaded) => loaded.getFunction('wild')({ block: 1 })],
    ['endless recursion', 'CUDA_ERROR_LAUNCH_FAILED', (loaded) => loaded.getFunction('deep')({ block: 1 })],
    ['no end', 'CUDA_ERROR_LAUNCH_TIMEOUT', (loaded) => loaded.getFunction('forever')({ block: 1, grid: 2 })],
    [
      'a misaligned atomic',
      'CUDA_ERROR_MISALIGNED_ADDRESS',
      (loaded) => loaded.getFunction('misaligned')(int(loaded.getGlobal('counter').ptr), { block: 1 }),
    ],
    [
      'a finding of the checked mode',
      'CUDA_ERROR_ILLEGAL_ADDRESS',
      (loaded) => loaded.getFunction('fault')(int(1), int(loaded.getGlobal('counter').ptr), { block: 1 }),
    ],
  ])('%s ends the context, not the device', (_, code, run) => {
    expect(ending(run)).toEqual({ code, then: code });
    using memory = cuda.toDevice(new Int32Array(64));
    kernel('add')(memory, int(2), { block: 64 });
    expect(cuda.fromDevice(memory, 'i32')[63]).toBe(2);
  });

  test('returns the faults of kernels', () => {
    takeFindings(table);
    ending((loaded) => loaded.getFunction('fault')(int(5), int(2n ** 40n + 7n), { block: 1, grid: 1 }));
    ending((loaded) => loaded.getFunction('wild')({ block: 1 }));
    const [first, second, ...others] = takeFindings(table);
    expect(first).toMatchObject({ kind: 5, status: 716, address: 2n ** 40n + 7n, detail: 5n, site: 3 });
    expect(second).toMatchObject({ kind: 9, status: 700, site: -1 });
    expect([others, takeFindings(table), takeFindings({} as typeof table)]).toEqual([[], [], []]);
  });

  test('a failed assertion is told on stderr', () => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const end = ending((loaded) => {
        const place = loaded.getGlobal('counter');
        cuda.memcpyHtoD(place, Buffer.from('ok\0'));
        loaded.getFunction('assertion')(int(place.ptr), { block: 1 });
      });
      expect(end.code).toBe('CUDA_ERROR_ASSERT');
      expect(write.mock.calls.map(([piece]) => Buffer.from(piece as Uint8Array).toString())).toEqual([
        'ok:12: ok: block: [1,2,3], thread: [4,5,4294967295] Assertion `ok` failed.\n',
      ]);
    } finally {
      write.mockRestore();
    }
  });

  test('a launch beyond the limits is refused with a status', () => {
    const slot = new BigUint64Array(1);
    expect(table.cuModuleGetFunction(slot, module.handle, 'places')).toBe(0);
    const launch = (...shape: [number, number, number, number, number, number, number]): number =>
      table.cuLaunchKernel(slot[0] as Parameters<typeof table.cuLaunchKernel>[0], ...shape, 0n as never, 0n, 0n);
    expect(launch(1, 1, 1, 0, 1, 1, 0)).toBe(1);
    expect(launch(1, 65_536, 1, 1, 1, 1, 0)).toBe(1);
    expect(launch(1, 1, 1, 1, 1, 65, 0)).toBe(1);
    expect(launch(1, 1, 1, 1024, 2, 1, 0)).toBe(1);
    expect(launch(1, 1, 1, 1, 1, 1, 48 * 1024)).toBe(1);
    expect(launch(1, 1, 1, 256, 1, 1, 0)).toBe(1);
    expect(launch(0x7fff_ffff, 2, 1, 1, 1, 1, 0)).toBe(701);
    expect(() => {
      kernel('places')(int(0), { block: 1, shared: 228 * 1024 });
    }).toThrow(RangeError);
  });

  test('memory that was freed, never allocated or too short is refused', () => {
    const memory = cuda.memAlloc(100);
    const { ptr } = memory;
    const host = new Uint8Array(200);
    expect(table.cuMemcpyHtoD(ptr, host, 101)).toBe(1);
    expect(table.cuMemcpyHtoD(5n as typeof ptr, host, 1)).toBe(1);
    memory.free();
    expect(table.cuMemcpyHtoD(ptr, host, 100)).toBe(1);
    expect(table.cuMemFree(ptr)).toBe(1);
    expect(table.cuMemFree(0n as typeof ptr)).toBe(0);
    expect(() => cuda.memAlloc(1 << 30)).toThrow(/CUDA_ERROR_OUT_OF_MEMORY/);
  });

  test('a module of another compiler is refused with a reason', () => {
    const ptx = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { mov.u32 %r1, 1; ret; }\n';
    expect(() => cuda.moduleFromBuffer(ptx)).toThrow(/compiled for the CPU device/);
    expect(() => cuda.moduleFromBuffer(new Uint8Array(100).fill(1))).toThrow();
    using empty = cuda.moduleFromBuffer(ptx.replace('mov.u32 %r1, 1;', ''));
    empty.getFunction('k')({ block: 1, grid: 10 });
  });

  test.each([
    ['sm_90', 0],
    ['sm_90a', 0],
    ['sm_80', 209],
    ['sm_89', 209],
    ['sm_100', 209],
    ['compute_75', 0],
    ['compute_90', 0],
    ['compute_100', 218],
  ])('a program for %s loads with %i', (arch, status) => {
    const slot = new BigUint64Array(1);
    expect(table.cuModuleLoadData(slot, cpuTestProgram(arch))).toBe(status);
    if (status !== 0) return;
    const loaded = slot[0] as Parameters<typeof table.cuModuleUnload>[0];
    table.cuModuleGetFunction(slot, loaded, 'places');
    const ints = new Int32Array(2);
    table.cuFuncGetAttribute(ints, FunctionAttribute.PTX_VERSION, slot[0] as never);
    table.cuFuncGetAttribute(ints.subarray(1), FunctionAttribute.BINARY_VERSION, slot[0] as never);
    expect([...ints]).toEqual([arch === 'compute_75' ? 75 : 90, 90]);
    table.cuModuleUnload(loaded);
  });

  test('unsupported functions answer CUDA_ERROR_NOT_SUPPORTED', () => {
    const slot = new BigUint64Array(2);
    const ints = new Int32Array(1);
    const memory = cuda.memAlloc(16);
    table.cuModuleGetFunction(slot, module.handle, 'trap');
    const trap = slot[0] as Parameters<typeof table.cuFuncGetModule>[1];
    // A launch in clusters of two blocks.
    const attribute = new Uint32Array(18);
    attribute.set([4, 0, 2, 1, 1]);
    const config = new Uint32Array(14).fill(1, 0, 6);
    new BigUint64Array(config.buffer).set([addressOf(attribute), 1n], 5);
    expect({
      'cluster launch': table.cuLaunchKernelEx(config, trap, 0n, 0n),
      'block size by a callback': table.cuOccupancyMaxPotentialBlockSize(ints, ints, trap, 1n as never, 0, 0),
      'peer tokens': table.cuPointerGetAttribute(slot, 5, memory.ptr),
      'module at an address alone': table.cuModuleLoadData(slot, 4096n),
    }).toEqual({
      'cluster launch': 801,
      'block size by a callback': 801,
      'peer tokens': 801,
      'module at an address alone': 801,
    });
    memory.free();
  });

  test('a cooperative launch has no more blocks than fit at once', () => {
    const slot = new BigUint64Array(1);
    table.cuModuleGetFunction(slot, module.handle, 'places');
    const places = slot[0] as Parameters<typeof table.cuFuncGetModule>[1];
    using memory = cuda.toDevice(new BigInt64Array(4));
    const args = BigUint64Array.of(memory.ptr);
    const params = BigUint64Array.of(addressOf(args));
    const attribute = new Uint32Array(18);
    attribute.set([2, 0, 1]);
    const config = new Uint32Array(14).fill(1, 0, 6);
    new BigUint64Array(config.buffer).set([addressOf(attribute), 1n], 5);
    const each = new Int32Array(1);
    table.cuOccupancyMaxActiveBlocksPerMultiprocessor(each, places, 1, 0);
    const most = (each[0] ?? 0) * context.device.multiprocessorCount;
    expect(most).toBe(64);
    config[0] = most;
    expect(table.cuLaunchKernelEx(config, places, addressOf(params), 0n)).toBe(0);
    expect(cuda.fromDevice(memory, BigInt64Array)[0]).toBeGreaterThan(0n);
    config[0] = most + 1;
    expect(table.cuLaunchKernelEx(config, places, addressOf(params), 0n)).toBe(720);
  });

  test('attributes of pointers', () => {
    using array = cuda.pagelockedEmpty(16, 'i32');
    using memory = cuda.memAlloc(100);
    const read = (attribute: number, pointer: bigint): bigint => {
      const slot = new BigUint64Array(1);
      expect(table.cuPointerGetAttribute(slot, attribute, pointer as typeof memory.ptr)).toBe(0);
      return slot[0] ?? 0n;
    };
    const device = cuda.getDevicePointer(array);
    expect(read(2, memory.ptr)).toBe(2n);
    expect(read(2, addressOf(array))).toBe(1n);
    expect(read(3, addressOf(array))).toBe(device);
    expect(read(4, device)).toBe(addressOf(array));
    expect(read(12, memory.ptr + 50n)).toBe(100n);
    expect(read(11, memory.ptr + 50n)).toBe(memory.ptr);
  });

  test('the primary context works again after a reset', () => {
    const other = cpuDriver({ workers: 1, memoryBytes: 64 << 20 });
    const slot = new BigUint64Array(1);
    const call = <Name extends keyof typeof other>(name: Name, ...args: Parameters<(typeof other)[Name]>): number =>
      (other[name] as (...all: Parameters<(typeof other)[Name]>) => number)(...args);
    expect(call('cuMemAlloc', slot, 16)).toBe(201);
    call('cuDevicePrimaryCtxRetain', slot, 0);
    call('cuCtxSetCurrent', slot[0] as never);
    call('cuModuleLoadData', slot, cpuTestProgram());
    call('cuModuleGetFunction', slot, slot[0] as never, 'trap');
    const trap = slot[0] as never;
    expect(call('cuLaunchKernel', trap, 1, 1, 1, 1, 1, 1, 0, 0n as never, 0n, 0n)).toBe(0);
    expect([call('cuCtxSynchronize'), call('cuMemAlloc', slot, 16)]).toEqual([719, 719]);
    expect(call('cuDevicePrimaryCtxReset', 0)).toBe(0);
    expect([call('cuCtxSynchronize'), call('cuMemAlloc', slot, 16)]).toEqual([0, 0]);
    expect(call('cuLaunchKernel', trap, 1, 1, 1, 1, 1, 1, 0, 0n as never, 0n, 0n)).toBe(400);
    expect(call('cuDevicePrimaryCtxRelease', 0)).toBe(0);
    expect(call('cuMemAlloc', slot, 16)).toBe(709);
  });

  test('page-locked memory is the same memory for both sides', () => {
    using array = cuda.pagelockedZeros(64, 'i32', cuda.HostAllocFlags.DEVICEMAP);
    kernel('add')(int(cuda.getDevicePointer(array)), int(9), { block: 64 });
    context.synchronize();
    expect(new Set(array)).toEqual(new Set([9]));
  });
});
