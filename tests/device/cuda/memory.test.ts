import { describe, expect, test } from '@jest/globals';
import { reclaim } from '../../../src/core/handle.ts';
import { ClosedError } from '../../../src/core/errors.ts';
import {
  fromDevice,
  memcpyDtoD,
  memcpyDtoH,
  memcpyHtoD,
  memcpyHtoDAsync,
  memcpyDtoHAsync,
  memcpyDtoDAsync,
  toDevice,
} from '../../../src/cuda/copy/memcpy.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { memAlloc, memAllocPitch, memGetInfo, type DeviceAllocation } from '../../../src/cuda/memory/memory.ts';
import { memsetD16, memsetD32, memsetD32Async, memsetD8 } from '../../../src/cuda/copy/memset.ts';
import {
  getDevicePointer,
  pagelockedEmpty,
  pagelockedFree,
  pagelockedZeros,
} from '../../../src/cuda/memory/host-memory.ts';
import { CudaMemoryError } from '../../../src/cuda/errors.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { HostAllocFlags } from '../../../src/cuda/sys/enums.ts';
import { expectWarnings } from '../../helpers/warnings.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.cuda().describe('memory on a CUDA device', () => {
  withDevice();

  test('allocations can be textures: their addresses are multiples of TEXTURE_ALIGNMENT', () => {
    const alignment = BigInt(new Device(0).getAttribute('TEXTURE_ALIGNMENT'));
    const made = [1, 300, 7, 257, 12].map((bytes) => memAlloc(bytes));
    expect(made.map(({ ptr }) => ptr % alignment)).toEqual([0n, 0n, 0n, 0n, 0n]);
    for (const memory of made) memory.free();
  });

  test('toDevice() and fromDevice() make a round trip', () => {
    const array = Float64Array.from({ length: 1000 }, (_, i) => i / 3);
    using memory = toDevice(array);
    expect(fromDevice(memory, Float64Array)).toEqual(array);
    expect(fromDevice(memory.slice(80), 'f64', 2)).toEqual(array.subarray(10, 12));
  });

  test('memcpyHtoD() honours the offset of a view and of a slice', () => {
    using memory = memAlloc(16);
    memsetD8(memory, 0, 16);
    memcpyHtoD(memory.slice(4, 8), new Uint8Array([9, 9, 1, 2, 3, 4, 9]).subarray(2, 6));
    expect([...fromDevice(memory, 'u8')]).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('memcpyDtoD() copies within the device', () => {
    using a = toDevice(Int32Array.of(1, 2, 3, 4));
    using b = memAlloc(16);
    memcpyDtoD(b, a);
    memcpyDtoD(b.slice(0), a.slice(8), 8);
    expect([...fromDevice(b, 'i32')]).toEqual([3, 4, 3, 4]);
  });

  test('memset fills with 8, 16 and 32 bits', () => {
    using memory = memAlloc(8);
    memsetD8(memory, 0xab, 8);
    expect([...fromDevice(memory, 'u16')]).toEqual([0xabab, 0xabab, 0xabab, 0xabab]);
    memsetD16(memory, 0x1234, 4);
    memsetD32(memory.slice(4), 0xdeadbeef, 1);
    expect([...fromDevice(memory, 'u32')]).toEqual([0x12341234, 0xdeadbeef]);
  });

  test('async copies through pinned memory run in stream order', async () => {
    using stream = new Stream({ nonBlocking: true });
    using source = pagelockedEmpty(1 << 20, 'i32');
    using target = pagelockedZeros(1 << 20, Int32Array);
    source.forEach((_, i) => (source[i] = i));
    using a = memAlloc(source.byteLength);
    using b = memAlloc(source.byteLength);
    memsetD32Async(b, 7, 1 << 20, stream);
    memcpyHtoDAsync(a, source, stream);
    memcpyDtoDAsync(b, a, a.byteLength, stream);
    memcpyDtoHAsync(target, b, stream);
    await stream.done();
    expect(Buffer.compare(Buffer.from(target.buffer), Buffer.from(source.buffer))).toBe(0);
  });

  test('async copies keep a pageable temporary alive', async () => {
    using stream = new Stream();
    const memories: DeviceAllocation[] = [];
    for (let i = 0; i < 20; i++) {
      const memory = memAlloc(4 << 20);
      memcpyHtoDAsync(memory, new Int32Array(1 << 20).fill(i), stream);
      memories.push(memory);
    }
    globalThis.gc?.();
    await stream.done();
    memories.forEach((memory, i) => {
      expect(fromDevice(memory.slice(4 << 19), 'i32', 1)[0]).toBe(i);
      memory.free();
    });
  });

  test('pagelockedFree() leaves arrays of length 0', () => {
    const array = pagelockedEmpty(16, 'f32');
    const view = new Uint8Array(array.buffer);
    pagelockedFree(array);
    expect([array.length, view.length]).toEqual([0, 0]);
    expect(() => {
      pagelockedFree(array);
    }).toThrow(ClosedError);
  });

  test('a kernel reads mapped pinned memory by its device pointer', () => {
    using array = pagelockedZeros(4, 'i32', HostAllocFlags.DEVICEMAP);
    using module = new SourceModule('__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x + 1; }');
    module.getFunction('fill')(getDevicePointer(array), { block: 4 });
    using done = toDevice(Int32Array.of(0));
    memcpyDtoH(new Int32Array(1), done);
    expect([...array]).toEqual([1, 2, 3, 4]);
  });

  test('memAllocPitch() gives rows at aligned addresses', () => {
    const { memory, pitch } = memAllocPitch(100, 3);
    expect(pitch).toBeGreaterThanOrEqual(100);
    expect(pitch % 32).toBe(0);
    expect(memory.byteLength).toBe(3 * pitch);
    memory.free();
  });

  test('memAlloc() reports what was asked for and what is free', () => {
    const { total } = memGetInfo();
    const fail = (): DeviceAllocation => memAlloc(total * 2);
    expect(fail).toThrow(CudaMemoryError);
    expect(fail).toThrow(/cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY[^]*asked\s+\d+ bytes/);
  });

  test('memAlloc() frees what a loop dropped before it gives up', () => {
    expectWarnings('RAWKERNEL_LEAK');
    const piece = Math.floor(memGetInfo().free / 3);
    for (let i = 0; i < 7; i++) memAlloc(piece);
    reclaim();
    expect(memGetInfo().free).toBeGreaterThan(2 * piece);
  });
});

describe('without a device', () => {
  test('the tests of this file say why they skip', () => {
    expect(needs.cuda().missing === undefined || needs.cuda().missing?.length).toBeTruthy();
  });
});
