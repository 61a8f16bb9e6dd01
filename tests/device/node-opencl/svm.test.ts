import { expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { build, withBench } from '../../helpers/node-opencl.ts';
import { lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

needs.opencl().describe.each(openclRows)('node-opencl: shared memory on %s', (_, device) => {
  const bench = withBench(device);
  const has = (): boolean => {
    let bits = 0;
    try {
      bits = device.getInfo('SVM_CAPABILITIES');
    } catch {
      // Nothing has it before OpenCL 2.0.
    }
    return !lacks(device, 'shared virtual memory', (bits & cl.DEVICE_SVM_COARSE_GRAIN_BUFFER) !== 0);
  };
  const alloc = (size = 64): ArrayBuffer => cl.SVMAlloc(bench.context, cl.MEM_READ_WRITE, size, null);

  test('is an ArrayBuffer that kernels work on', () => {
    if (!has()) return;
    const memory = alloc();
    expect(cl.enqueueSVMMap(bench.queue, true, cl.MAP_WRITE, memory, 64)).toBe(cl.SUCCESS);
    new Int32Array(memory).set([1, 2, 3, 4]);
    cl.enqueueSVMUnmap(bench.queue, memory);
    const kernel = build(bench, '__kernel void twice(__global int *a) { a[get_global_id(0)] *= 2; }', 'twice');
    // From the second int on.
    expect(cl.setKernelArgSVMPointer(kernel, 0, new Int32Array(memory, 4))).toBe(cl.SUCCESS);
    cl.enqueueNDRangeKernel(bench.queue, kernel, 1, null, [3], null);
    cl.enqueueSVMMap(bench.queue, true, cl.MAP_READ, memory, 64);
    expect([...new Int32Array(memory).subarray(0, 4)]).toEqual([1, 4, 6, 8]);
    cl.enqueueSVMUnmap(bench.queue, memory);
    cl.finish(bench.queue);
    cl.releaseKernel(kernel);
    cl.SVMFree(bench.context, memory);
    expect(memory.byteLength).toBe(0);
  });

  test('is copied and filled', () => {
    if (!has()) return;
    const memory = alloc();
    cl.enqueueSVMMemcpy(bench.queue, true, memory, Uint8Array.of(1, 2, 3, 4), 4);
    const event = cl.enqueueSVMMemFill(bench.queue, new Uint8Array(memory, 8, 8), Uint8Array.of(5, 6), 4, [], true);
    if (event === 0) throw new Error('an event was wanted');
    const bytes = new Uint8Array(12);
    cl.enqueueSVMMemcpy(bench.queue, true, bytes, memory, 12, [event]);
    expect([...bytes.subarray(0, 4), ...bytes.subarray(8)]).toEqual([1, 2, 3, 4, 5, 6, 5, 6]);
    cl.releaseEvent(event);
    cl.SVMFree(bench.context, new Uint8Array(memory));
  });

  test('refuses sizes and memory that do not fit', () => {
    if (!has()) return;
    const memory = alloc();
    const foreign = new Uint8Array(64);
    expect(() => cl.enqueueSVMMemcpy(bench.queue, true, memory, Uint8Array.of(1), 4)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueSVMMemFill(bench.queue, memory, Uint8Array.of(1, 2), 3)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueSVMMap(bench.queue, true, cl.MAP_READ, memory, 65)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueSVMMap(bench.queue, true, 0, null as never, 8)).toThrow(/Unsupported type of buffer/);
    expect(() => cl.enqueueSVMUnmap(bench.queue, foreign)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.SVMFree(bench.context, [] as never)).toThrow(/Unsupported type of buffer/);
    // What an array says of itself is not what it has.
    const liar = Object.defineProperty(new Uint8Array(4), 'byteLength', { value: 64 });
    expect(() => cl.enqueueSVMMemcpy(bench.queue, true, liar, memory, 64)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueSVMMemcpy(bench.queue, true, memory, liar, 64)).toThrow(cl.INVALID_VALUE.message);
    const part = Object.defineProperty(new Uint8Array(memory, 0, 4), 'byteLength', { value: 4096 });
    expect(() => cl.enqueueSVMMap(bench.queue, true, cl.MAP_READ, part, 4096)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueSVMMemFill(bench.queue, part, Uint8Array.of(1), 4096)).toThrow(cl.INVALID_VALUE.message);
    cl.SVMFree(bench.context, memory);
    expect(() => cl.SVMAlloc(null as never, 0, 64, null)).toThrow(cl.INVALID_CONTEXT.message);
    expect(() => cl.SVMAlloc(bench.context, 0, 2 ** 50, null)).toThrow(cl.INVALID_ARG_VALUE.message);
  });

  test('is freed once; other memory is left as it is', () => {
    if (!has()) return;
    const memory = alloc();
    const own = Uint8Array.of(1, 2);
    expect(cl.SVMFree(bench.context, own)).toBe(cl.SUCCESS);
    expect([...own]).toEqual([1, 2]);
    expect([1, 2].map(() => cl.SVMFree(bench.context, memory))).toEqual([cl.SUCCESS, cl.SUCCESS]);
  });

  test('is freed in the order of a queue; the callback needs no data', async () => {
    if (!has()) return;
    const [first, second, third] = [alloc(), alloc(), alloc()];
    const own = await new Promise<[unknown, cl.CLCommandQueue]>((resolve) => {
      const done = (...args: [unknown, cl.CLCommandQueue]): void => {
        resolve(args);
      };
      expect(cl.enqueueSVMFree(bench.queue, [first, second], done)).toBe(cl.SUCCESS);
    });
    expect(own[0]).toBeUndefined();
    expect(own[1].equals(bench.queue)).toBe(true);
    cl.releaseCommandQueue(own[1]);
    expect([first.byteLength, second.byteLength]).toEqual([0, 0]);
    const event = cl.enqueueSVMFree(bench.queue, [third], null, null, [], true);
    expect(String(event)).toMatch('CLEvent');
    expect(() => cl.enqueueSVMFree(bench.queue, [])).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueSVMFree(bench.queue, [third])).toThrow(cl.INVALID_VALUE.message);
    cl.finish(bench.queue);
  });
});
