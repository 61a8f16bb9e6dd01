import { closeSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { currentDevice } from '../../../src/cuda/device/context.ts';
import { CudaError } from '../../../src/cuda/errors.ts';
import { fromDevice, memcpyHtoD } from '../../../src/cuda/copy/memcpy.ts';
import { memsetD32 } from '../../../src/cuda/copy/memset.ts';
import { AddressRange, memGranularity, PhysicalMemory } from '../../../src/cuda/memory/virtual-memory.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.gpu().describe('address space on a GPU', () => {
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
  });
});
