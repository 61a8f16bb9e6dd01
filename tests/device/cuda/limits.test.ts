import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeProgram, pseudoPtx, type CpuProgram } from '../../../src/cpu/abi/program.ts';
import { CompileError, CudaError } from '../../../src/cuda/errors.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { moduleFromBuffer } from '../../../src/cuda/module/module.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { driver } from '../../../src/cuda/select.ts';
import type { DriverTable } from '../../../src/cuda/sys/tables.ts';
import { FunctionAttribute, LaunchAttributeId } from '../../../src/cuda/sys/enums.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const INVALID_VALUE = 1;
const INVALID_DEVICE = 101;
const INVALID_HANDLE = 400;
const COOPERATIVE_LAUNCH_TOO_LARGE = 720;

type Shape = readonly [number, number, number];
type Kernel = Parameters<DriverTable['cuLaunchKernel']>[0];

// The functions themselves: what is above them refuses most of this before the driver is asked.
needs.cuda().describe("the driver's own codes for what a device cannot do", () => {
  withDevice();
  let module: SourceModule;
  let kernel: Kernel;
  let bounded: Kernel;
  const handle = (name: string): Kernel => {
    const slot = new BigUint64Array(1);
    expect(driver().cuModuleGetFunction(slot, module.handle, name)).toBe(0);
    return slot[0] as Kernel;
  };
  beforeAll(() => {
    module = new SourceModule(`
      extern "C" __global__ void plain() { }
      extern "C" __global__ void __launch_bounds__(128) bounded() { }`);
    kernel = handle('plain');
    bounded = handle('bounded');
  });
  afterAll(() => {
    module.close();
  });

  const launch = (raw: Kernel, grid: Shape, block: Shape, shared = 0): number =>
    driver().cuLaunchKernel(raw, ...grid, ...block, shared, 0n as never, 0n, 0n);

  test.each<[string, Shape, Shape, number, number]>([
    ['all is well', [3, 2, 1], [32, 4, 2], 1024, 0],
    ['the largest block', [1, 1, 1], [1024, 1, 1], 0, 0],
    ['the deepest block', [1, 1, 1], [16, 1, 64], 0, 0],
    ['the highest grid', [1, 65_535, 1], [1, 1, 1], 0, 0],
    ['a grid without width', [0, 1, 1], [1, 1, 1], 0, INVALID_VALUE],
    ['a grid without depth', [1, 1, 0], [1, 1, 1], 0, INVALID_VALUE],
    ['a block without width', [1, 1, 1], [0, 1, 1], 0, INVALID_VALUE],
    ['a block without height', [1, 1, 1], [1, 0, 1], 0, INVALID_VALUE],
    ['a block that is too wide', [1, 1, 1], [1025, 1, 1], 0, INVALID_VALUE],
    ['a block that is too deep', [1, 1, 1], [1, 1, 65], 0, INVALID_VALUE],
    ['a block with too many threads', [1, 1, 1], [32, 33, 1], 0, INVALID_VALUE],
    ['a grid that is too wide', [2 ** 31, 1, 1], [1, 1, 1], 0, INVALID_VALUE],
    ['a grid that is too high', [1, 65_536, 1], [1, 1, 1], 0, INVALID_VALUE],
    ['a grid that is too deep', [1, 1, 65_536], [1, 1, 1], 0, INVALID_VALUE],
    ['more shared memory than without asking', [1, 1, 1], [1, 1, 1], 48 * 1024 + 1, INVALID_VALUE],
    ['more shared memory than there is', [1, 1, 1], [1, 1, 1], 2 ** 30, INVALID_VALUE],
  ])('cuLaunchKernel: %s', (_, grid, block, shared, status) => {
    expect(launch(kernel, grid, block, shared)).toBe(status);
    expect(driver().cuCtxSynchronize()).toBe(0);
  });

  test('cuLaunchKernel: more threads than the kernel was compiled for', () => {
    expect(launch(bounded, [1, 1, 1], [128, 1, 1])).toBe(0);
    expect(launch(bounded, [1, 1, 1], [129, 1, 1])).toBe(INVALID_VALUE);
    expect(driver().cuCtxSynchronize()).toBe(0);
  });

  test('cuLaunchKernelEx: a cooperative grid that does not fit', () => {
    const attribute = new Uint32Array(18);
    attribute.set([LaunchAttributeId.COOPERATIVE, 0, 1]);
    const config = new Uint32Array(14).fill(1, 0, 6);
    new BigUint64Array(config.buffer).set([addressOf(attribute), 1n], 5);
    expect(driver().cuLaunchKernelEx(addressOf(config), kernel, 0n, 0n)).toBe(0);
    config[0] = 1 << 20;
    expect(driver().cuLaunchKernelEx(addressOf(config), kernel, 0n, 0n)).toBe(COOPERATIVE_LAUNCH_TOO_LARGE);
    expect(driver().cuCtxSynchronize()).toBe(0);
  });

  test('cuFuncSetAttribute: more dynamic shared memory than a block can have', () => {
    const { MAX_DYNAMIC_SHARED_SIZE_BYTES } = FunctionAttribute;
    const most = new Device(0).maxSharedMemoryPerBlockOptin;
    const set = (bytes: number): number => driver().cuFuncSetAttribute(kernel, MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
    expect([set(most), set(most + 1), set(-1)]).toEqual([0, INVALID_VALUE, INVALID_VALUE]);
    expect(launch(kernel, [1, 1, 1], [32, 1, 1], most)).toBe(0);
    expect(driver().cuCtxSynchronize()).toBe(0);
  });

  test('invalid handles and devices', () => {
    const slot = new Int32Array(1);
    expect(driver().cuDeviceGet(slot, 99)).toBe(INVALID_DEVICE);
    expect(driver().cuDeviceGetAttribute(slot, 0, 0)).toBe(INVALID_VALUE);
    expect(launch(0n as Kernel, [1, 1, 1], [1, 1, 1])).toBe(INVALID_HANDLE);
  });

  test('PTX of a later architecture is refused', () => {
    const [major] = new Device(0).computeCapability;
    const ptx = `.version 8.7\n.target sm_${10 * major + 30}\n.address_size 64\n.visible .entry k() { ret; }\n`;
    expect(() => moduleFromBuffer(ptx)).toThrow(CompileError);
  });

  needs.gpu().test('a program of the embedded device is nothing that a GPU runs', () => {
    const wasm = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
    const kernel = {
      symbol: 'k',
      parameters: [],
      argumentBytes: 0,
      contextBytes: 0,
      contextFixed: 0,
      sharedBytes: 0,
      maxThreads: 1024,
      barriers: 0,
    };
    const program: CpuProgram = {
      wasm,
      kernels: [kernel],
      variables: [],
      lowered: {},
      sites: [],
      arch: 'compute_80',
      checked: false,
      source: '',
      file: 'kernel.cu',
    };
    expect(() => moduleFromBuffer(pseudoPtx(program))).toThrow(CompileError);
    expect(() => moduleFromBuffer(encodeProgram(program))).toThrow(CudaError);
  });

  test('attributes are those of a device that runs CUDA', () => {
    const device = new Device(0);
    expect([device.warpSize, device.maxThreadsPerBlock, device.maxBlockDimZ]).toEqual([32, 1024, 64]);
    expect([device.maxGridDimX, device.maxGridDimY, device.maxGridDimZ]).toEqual([2 ** 31 - 1, 65_535, 65_535]);
    expect(device.maxSharedMemoryPerBlock).toBe(48 * 1024);
    expect(device.maxSharedMemoryPerBlockOptin).toBeGreaterThan(48 * 1024);
    expect(device.multiprocessorCount).toBeGreaterThan(0);
    expect(device.totalConstantMemory).toBe(65_536);
  });
});
