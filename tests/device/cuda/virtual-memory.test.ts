import { closeSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { currentDevice } from '../../../src/cuda/device/context.ts';
import { CudaError } from '../../../src/cuda/errors.ts';
import { Event } from '../../../src/cuda/stream/event.ts';
import { memIpcHandle } from '../../../src/cuda/memory/ipc.ts';
import { fromDevice, memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32 } from '../../../src/cuda/copy/memset.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { AddressRange, memGranularity, PhysicalMemory } from '../../../src/cuda/memory/virtual-memory.ts';
import { runChild } from '../../helpers/child.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.gpu().describe('address space and other processes on a GPU', () => {
  withDevice();

  test('an address range grows without moving', () => {
    const unit = memGranularity();
    expect(memGranularity({ recommended: true }) % unit).toBe(0);
    using range = new AddressRange(4 * unit);
    const first = new PhysicalMemory(unit);
    range.map(0, first);
    first.close();
    range.setAccess(currentDevice(), 'readwrite');
    memcpyHtoD(range.slice(0, 12), Int32Array.of(1, 2, 3));
    using second = new PhysicalMemory(unit);
    range.map(unit, second);
    range.setAccess(currentDevice(), 'readwrite');
    expect(range.getAccess(currentDevice(), unit)).toBe('readwrite');
    memsetD32(range.slice(unit - 4, 8), 7, 2);
    expect([...fromDevice(range.slice(0, 12), 'i32')]).toEqual([1, 2, 3]);
    expect([...fromDevice(range.slice(unit - 4, 8), 'i32')]).toEqual([7, 7]);
    range.unmap(unit);
    expect([...fromDevice(range.slice(0, 12), 'i32')]).toEqual([1, 2, 3]);
  });

  test('physical memory may be mapped twice, and travels by a descriptor', () => {
    const unit = memGranularity();
    using memory = new PhysicalMemory(unit, { shareable: true });
    const descriptor = memory.exportHandle();
    using twin = PhysicalMemory.fromHandle(descriptor, unit);
    closeSync(descriptor);
    using range = new AddressRange(2 * unit);
    range.map(0, memory);
    range.map(unit, twin);
    range.setAccess(currentDevice(), 'readwrite');
    memcpyHtoD(range.slice(0, 8), Int32Array.of(5, 6));
    expect([...fromDevice(range.slice(unit, 8), 'i32')]).toEqual([5, 6]);
  });

  test('another process reads and writes an allocation, in the order of an event', async () => {
    using memory = toDevice(Int32Array.from({ length: 1024 }, (_, i) => i));
    using stream = new Stream();
    using event = new Event({ interprocess: true, timing: false });
    event.record(stream);
    const { code, stdout, stderr } = await runChild(
      `import '@/src/cuda/autoinit.ts';
       import { Event } from '@/src/cuda/stream/event.ts';
       import { openIpcMemory } from '@/src/cuda/memory/ipc.ts';
       import { fromDevice, memcpyHtoD } from '@/src/cuda/copy/memcpy.ts';
       const bytes = (name) => new Uint8Array(Buffer.from(process.env[name], 'hex'));
       const event = Event.fromIpcHandle(bytes('EVENT'));
       event.synchronize();
       const memory = openIpcMemory(bytes('MEMORY'));
       console.log(fromDevice(memory, 'i32', 1024)[1000]);
       memcpyHtoD(memory, Int32Array.of(-1, -2));
       memory.free();
       event.close();`,
      {
        MEMORY: Buffer.from(memIpcHandle(memory)).toString('hex'),
        EVENT: Buffer.from(event.ipcHandle()).toString('hex'),
      },
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '1000\n', stderr: '' });
    expect([...fromDevice(memory, 'i32', 3)]).toEqual([-1, -2, 2]);
  }, 60_000);
});

needs.cuda().describe('what a device cannot do', () => {
  withDevice();

  test('address space that is not managed here is CUDA_ERROR_NOT_SUPPORTED, or there', () => {
    if (currentDevice().virtualMemoryManagementSupported === 1) {
      expect(memGranularity()).toBeGreaterThan(0);
      return;
    }
    expect(() => memGranularity()).toThrow(expect.objectContaining({ code: 'CUDA_ERROR_NOT_SUPPORTED' }));
    expect(() => new AddressRange(1 << 20)).toThrow(CudaError);
    using memory = memAlloc(16);
    expect(() => memIpcHandle(memory)).toThrow(expect.objectContaining({ code: 'CUDA_ERROR_NOT_SUPPORTED' }));
  });
});
