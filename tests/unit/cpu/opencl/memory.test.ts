import { describe, expect, test } from '@jest/globals';
import { Code } from '../../../../src/cpu/opencl/code.ts';
import { addressOf, viewOf } from '../../../../src/ffi/memory.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { BufferCreateType, MapFlags, MemFlags, MemObjectType, SvmMemFlags } from '../../../../src/opencl/sys/enums.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';

const embedded = withCpuOpenCL();
const { table } = embedded;
const mf = MemFlags;
const NO_EVENT = 0n as never;

const bufferOf = (values: ArrayLike<number>, flags: number = mf.READ_WRITE): cl.Buffer =>
  new cl.Buffer(embedded.ctx, flags | mf.COPY_HOST_PTR, Int32Array.from(values));
const contentOf = (buffer: cl.Buffer): number[] => {
  const content = new Int32Array(buffer.byteLength / 4);
  cl.enqueueCopy(embedded.queue, content, buffer);
  return [...content];
};
const sizes = (...values: number[]): BigUint64Array => BigUint64Array.from(values.map(BigInt));

describe('buffers', () => {
  const create = (flags: number, size: number, host: bigint | Uint8Array = 0n): number => {
    const { handle, status } = make((errcode) => table.clCreateBuffer(raw(embedded.ctx), flags, size, host, errcode));
    if (status === Code.SUCCESS) table.clReleaseMemObject(handle);
    return status;
  };

  test('refuse sizes, flags and host memory that do not go together', () => {
    const host = new Uint8Array(16);
    expect(create(mf.READ_WRITE, 16)).toBe(Code.SUCCESS);
    expect(create(0, 16)).toBe(Code.SUCCESS);
    expect(create(0, 0)).toBe(Code.INVALID_BUFFER_SIZE);
    expect(create(0, embedded.device.maxMemAllocSize + 1)).toBe(Code.INVALID_BUFFER_SIZE);
    expect(create(mf.READ_ONLY | mf.WRITE_ONLY, 16)).toBe(Code.INVALID_VALUE);
    expect(create(mf.HOST_READ_ONLY | mf.HOST_NO_ACCESS, 16)).toBe(Code.INVALID_VALUE);
    expect(create(mf.USE_HOST_PTR | mf.COPY_HOST_PTR, 16, host)).toBe(Code.INVALID_VALUE);
    expect(create(0x4000_0000, 16)).toBe(Code.INVALID_VALUE);
    expect(create(mf.READ_WRITE, 16, host)).toBe(Code.INVALID_HOST_PTR);
    expect(create(mf.COPY_HOST_PTR, 16)).toBe(Code.INVALID_HOST_PTR);
    expect(create(mf.COPY_HOST_PTR, 17, host)).toBe(Code.INVALID_HOST_PTR);
  });

  test('run out of memory with a status, and give it back', () => {
    const most = embedded.device.maxMemAllocSize;
    const [one, two] = [most, most].map((size) =>
      make((errcode) => table.clCreateBuffer(raw(embedded.ctx), 0, size - 4096, 0n, errcode)),
    );
    expect([one?.status, two?.status]).toContain(Code.MEM_OBJECT_ALLOCATION_FAILURE);
    for (const made of [one, two]) if (made?.status === 0) table.clReleaseMemObject(made.handle);
    expect(create(0, most - 4096)).toBe(Code.SUCCESS);
  });

  test('answer queries', () => {
    using buffer = bufferOf([1, 2, 3]);
    expect(buffer.getInfo('TYPE')).toBe(MemObjectType.BUFFER);
    expect(buffer.getInfo('SIZE')).toBe(12);
    expect(buffer.getInfo('FLAGS')).toBe(mf.READ_WRITE | mf.COPY_HOST_PTR);
    expect(buffer.getInfo('HOST_PTR')).toBe(0n);
    expect(buffer.getInfo('CONTEXT')).toBe(raw(embedded.ctx));
    expect(buffer.getInfo('PROPERTIES')).toEqual([]);
    expect(buffer.getInfo('USES_SVM_POINTER')).toBe(false);
  });

  test('have parts that share their bytes and keep them', () => {
    const align = embedded.device.memBaseAddrAlign / 8;
    const buffer = new cl.Buffer(embedded.ctx, mf.READ_WRITE, 4 * align);
    cl.enqueueFill(embedded.queue, buffer, 0);
    using part = buffer.subRegion(align, 8);
    expect(part.getInfo('ASSOCIATED_MEMOBJECT')).toBe(raw(buffer));
    expect([part.getInfo('OFFSET'), part.getInfo('SIZE')]).toEqual([align, 8]);
    buffer.close();
    cl.enqueueFill(embedded.queue, part, cl.int32(3));
    expect(contentOf(part)).toEqual([3, 3]);
    const region = (offset: number, size: number, flags = 0): number =>
      make((errcode) =>
        table.clCreateSubBuffer(raw(part), flags, BufferCreateType.REGION, sizes(offset, size), errcode),
      ).status;
    // A sub-buffer of a sub-buffer is refused.
    expect(region(0, 4)).toBe(Code.INVALID_MEM_OBJECT);
    using whole = new cl.Buffer(embedded.ctx, mf.READ_ONLY, 4 * align);
    const of = (offset: number, size: number, flags = 0): number =>
      make((errcode) =>
        table.clCreateSubBuffer(raw(whole), flags, BufferCreateType.REGION, sizes(offset, size), errcode),
      ).status;
    expect(of(0, 0)).toBe(Code.INVALID_BUFFER_SIZE);
    expect(of(1, 4)).toBe(Code.MISALIGNED_SUB_BUFFER_OFFSET);
    expect(of(align, 4 * align)).toBe(Code.INVALID_VALUE);
    expect(of(0, 4, mf.WRITE_ONLY)).toBe(Code.INVALID_VALUE);
    expect(of(0, 4, mf.COPY_HOST_PTR)).toBe(Code.INVALID_VALUE);
  });

  test('let the host do only what their flags allow', () => {
    const bytes = new Uint8Array(4);
    const q = raw(embedded.queue);
    const read = (buffer: cl.Buffer): number => table.clEnqueueReadBuffer(q, raw(buffer), 1, 0, 4, bytes, 0, 0n, 0n);
    const write = (buffer: cl.Buffer): number => table.clEnqueueWriteBuffer(q, raw(buffer), 1, 0, 4, bytes, 0, 0n, 0n);
    using readable = bufferOf([1], mf.HOST_READ_ONLY);
    using writable = bufferOf([1], mf.HOST_WRITE_ONLY);
    using hidden = bufferOf([1], mf.HOST_NO_ACCESS);
    expect([readable, writable, hidden].map(read)).toEqual([0, Code.INVALID_OPERATION, Code.INVALID_OPERATION]);
    expect([readable, writable, hidden].map(write)).toEqual([Code.INVALID_OPERATION, 0, Code.INVALID_OPERATION]);
    const map = (buffer: cl.Buffer, flags: number): number =>
      make((errcode) => table.clEnqueueMapBuffer(q, raw(buffer), 1, flags, 0, 4, 0, 0n, 0n, errcode)).status;
    expect(map(hidden, MapFlags.READ)).toBe(Code.INVALID_OPERATION);
    expect(map(readable, MapFlags.WRITE)).toBe(Code.INVALID_OPERATION);
    expect(map(writable, MapFlags.READ)).toBe(Code.INVALID_OPERATION);
  });

  test('copies check offsets and overlaps', () => {
    using a = bufferOf([1, 2, 3, 4]);
    const q = raw(embedded.queue);
    const copy = (from: number, to: number, size: number): number =>
      table.clEnqueueCopyBuffer(q, raw(a), raw(a), from, to, size, 0, 0n, 0n);
    expect(copy(0, 4, 8)).toBe(Code.MEM_COPY_OVERLAP);
    expect(copy(0, 12, 8)).toBe(Code.INVALID_VALUE);
    expect(copy(0, 8, 8)).toBe(Code.SUCCESS);
    expect(contentOf(a)).toEqual([1, 2, 1, 2]);
    expect(table.clEnqueueReadBuffer(q, raw(a), 1, 8, 9, new Uint8Array(9), 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clEnqueueReadBuffer(q, raw(a), 1, 0, 8, 0n, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clEnqueueReadBuffer(q, raw(a), 1, 0, 8, new Uint8Array(7), 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clEnqueueReadBuffer(q, NO_EVENT, 1, 0, 8, new Uint8Array(8), 0, 0n, 0n)).toBe(Code.INVALID_MEM_OBJECT);
    using other = new cl.Context(embedded.device);
    using foreign = new cl.Buffer(other, mf.READ_WRITE, 16);
    expect(table.clEnqueueCopyBuffer(q, raw(a), raw(foreign), 0, 0, 4, 0, 0n, 0n)).toBe(Code.INVALID_CONTEXT);
  });

  test.each([1, 2, 4, 8, 16, 32, 64, 128])(
    'are filled with patterns of %i bytes, at once and behind a kernel',
    (size) => {
      const pattern = Uint8Array.from({ length: size }, (_, i) => i + 1);
      const long = 1 << 19;
      for (const byteLength of [4 * size, long]) {
        using buffer = new cl.Buffer(embedded.ctx, mf.READ_WRITE, 2 * long);
        cl.enqueueFill(embedded.queue, buffer, 0);
        if (byteLength === long) embedded.prg.kernel('spin')(embedded.queue, 1, null, 1_000_000);
        cl.enqueueFill(embedded.queue, buffer, pattern, { offset: 2 * size, byteLength });
        const bytes = new Uint8Array(2 * long);
        cl.enqueueCopy(embedded.queue, bytes, buffer);
        const wrong = bytes.findIndex((byte, i) => {
          const inside = i >= 2 * size && i < 2 * size + byteLength;
          return byte !== (inside ? (i % size) + 1 : 0);
        });
        expect(wrong).toBe(-1);
      }
    },
  );

  test('refuse patterns that do not fit', () => {
    using buffer = bufferOf([1, 2, 3, 4]);
    const fill = (pattern: Uint8Array | bigint, size: number, offset: number, byteLength: number): number =>
      table.clEnqueueFillBuffer(raw(embedded.queue), raw(buffer), pattern, size, offset, byteLength, 0, 0n, 0n);
    const bytes = new Uint8Array(256);
    expect(fill(bytes, 3, 0, 12)).toBe(Code.INVALID_VALUE);
    expect(fill(bytes, 256, 0, 256)).toBe(Code.INVALID_VALUE);
    expect(fill(0n, 4, 0, 4)).toBe(Code.INVALID_VALUE);
    expect(fill(bytes, 4, 2, 4)).toBe(Code.INVALID_VALUE);
    expect(fill(bytes, 4, 0, 6)).toBe(Code.INVALID_VALUE);
    expect(fill(bytes, 4, 16, 4)).toBe(Code.INVALID_VALUE);
  });
});

describe('rectangles', () => {
  const q = (): never => raw(embedded.queue);
  const WIDTH = 5;
  const grid = (): number[] => Array.from({ length: 3 * 4 * WIDTH }, (_, i) => i);

  test('are read and written with pitches of both sides', () => {
    using buffer = bufferOf(grid());
    // 2 x 3 x 2 numbers from (1, 1, 1) of rows of 5 and slices of 4 rows.
    const [origin, region] = [sizes(4, 1, 1), sizes(8, 3, 2)];
    const host = new Int32Array(3 * 3 * 2).fill(-1);
    const pitches = [4 * WIDTH, 4 * 4 * WIDTH, 12, 36] as const;
    const read = table.clEnqueueReadBufferRect(
      q(), raw(buffer), 1, origin, sizes(4, 0, 0), region, ...pitches, host, 0, 0n, 0n,
    ); // prettier-ignore
    expect(read).toBe(Code.SUCCESS);
    const expected = [1, 2].flatMap((z) =>
      [1, 2, 3].flatMap((y) => [-1, (z * 4 + y) * WIDTH + 1, (z * 4 + y) * WIDTH + 2]),
    );
    expect([...host]).toEqual(expected);
    const write = table.clEnqueueWriteBufferRect(
      q(), raw(buffer), 1, sizes(0, 0, 0), sizes(4, 0, 0), region, ...pitches, host, 0, 0n, 0n,
    ); // prettier-ignore
    expect(write).toBe(Code.SUCCESS);
    const content = contentOf(buffer);
    expect(content.slice(0, 3)).toEqual([4 * WIDTH + WIDTH + 1, 4 * WIDTH + WIDTH + 2, 2]);
    expect(content[4 * WIDTH]).toBe((2 * 4 + 1) * WIDTH + 1);
  });

  test('are copied between buffers and within one', () => {
    using from = bufferOf(grid());
    using to = bufferOf(grid().map(() => -1));
    const copy = (source: cl.Buffer, target: cl.Buffer, at: BigUint64Array, toAt: BigUint64Array, region: BigUint64Array) =>
      table.clEnqueueCopyBufferRect(
        q(), raw(source), raw(target), at, toAt, region, 20, 80, 20, 80, 0, 0n, 0n,
      ); // prettier-ignore
    expect(copy(from, to, sizes(0, 0, 0), sizes(8, 1, 0), sizes(8, 2, 1))).toBe(Code.SUCCESS);
    expect(contentOf(to).slice(5, 15)).toEqual([-1, -1, 0, 1, -1, -1, -1, 5, 6, -1]);
    expect(copy(from, from, sizes(0, 0, 0), sizes(4, 1, 0), sizes(8, 2, 1))).toBe(Code.MEM_COPY_OVERLAP);
    expect(copy(from, from, sizes(0, 0, 0), sizes(8, 0, 0), sizes(8, 4, 3))).toBe(Code.SUCCESS);
    expect(contentOf(from).slice(0, 5)).toEqual([0, 1, 0, 1, 4]);
  });

  test('stay inside', () => {
    using buffer = bufferOf(grid());
    const host = new Int32Array(60);
    const read = (origin: BigUint64Array | bigint, region: BigUint64Array, row: number, slice: number): number =>
      table.clEnqueueReadBufferRect(
        q(), raw(buffer), 1, origin, sizes(0, 0, 0), region, row, slice, 0, 0, host, 0, 0n, 0n,
      ); // prettier-ignore
    expect(read(sizes(0, 0, 0), sizes(20, 4, 3), 0, 0)).toBe(Code.SUCCESS);
    expect(read(sizes(4, 0, 0), sizes(20, 4, 3), 0, 0)).toBe(Code.INVALID_VALUE);
    expect(read(sizes(0, 0, 0), sizes(20, 4, 0), 0, 0)).toBe(Code.INVALID_VALUE);
    expect(read(sizes(0, 0, 0), sizes(20, 4, 3), 16, 0)).toBe(Code.INVALID_VALUE);
    expect(read(sizes(0, 0, 0), sizes(20, 4, 3), 20, 70)).toBe(Code.INVALID_VALUE);
    expect(read(0n, sizes(20, 4, 3), 0, 0)).toBe(Code.INVALID_VALUE);
  });
});

describe('maps', () => {
  test('are views of the device memory itself', () => {
    using buffer = bufferOf([1, 2, 3, 4]);
    const map = cl.enqueueMapBuffer(embedded.queue, buffer, MapFlags.WRITE | MapFlags.READ, { type: 'i32' });
    expect(buffer.getInfo('MAP_COUNT')).toBe(1);
    embedded.prg.kernel('add')(embedded.queue, 4, null, buffer, 10);
    embedded.queue.finish();
    expect([...map.array]).toEqual([11, 12, 13, 14]);
    map.array[0] = 5;
    map.unmap();
    expect(buffer.getInfo('MAP_COUNT')).toBe(0);
    expect(contentOf(buffer)).toEqual([5, 12, 13, 14]);
  });

  test('refuse unmapping an unknown pointer, and two mappings that write to the same bytes', () => {
    using buffer = bufferOf([1, 2, 3, 4]);
    const q = raw(embedded.queue);
    const map = (flags: number, offset: number, size: number): { handle: never; status: number } =>
      make((errcode) => table.clEnqueueMapBuffer(q, raw(buffer), 1, flags, offset, size, 0, 0n, 0n, errcode));
    const first = map(MapFlags.WRITE, 0, 8);
    expect(first.status).toBe(Code.SUCCESS);
    expect(map(MapFlags.WRITE, 4, 8)).toEqual({ handle: 0n, status: Code.INVALID_OPERATION });
    const second = map(MapFlags.READ, 0, 16);
    expect(second).toEqual({ handle: first.handle, status: Code.SUCCESS });
    expect(map(8, 0, 4).status).toBe(Code.INVALID_VALUE);
    expect(map(5, 0, 4).status).toBe(Code.INVALID_VALUE);
    expect(map(1, 12, 8).status).toBe(Code.INVALID_VALUE);
    expect(map(1, 12, 0).status).toBe(Code.INVALID_VALUE);
    for (const { handle } of [first, second]) {
      expect(table.clEnqueueUnmapMemObject(q, raw(buffer), handle, 0, 0n, 0n)).toBe(Code.SUCCESS);
    }
    expect(table.clEnqueueUnmapMemObject(q, raw(buffer), first.handle, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
  });

  test('bring host memory under USE_HOST_PTR up to date, both ways', () => {
    const host = Int32Array.of(1, 2, 3, 4);
    using buffer = new cl.Buffer(embedded.ctx, mf.READ_WRITE | mf.USE_HOST_PTR, host);
    expect(buffer.getInfo('HOST_PTR')).toBe(addressOf(host));
    const add = embedded.prg.kernel('add');
    add(embedded.queue, 4, null, buffer, 10);
    const map = cl.enqueueMapBuffer(embedded.queue, buffer, MapFlags.READ | MapFlags.WRITE, { type: 'i32', offset: 4 });
    expect([...map.array]).toEqual([12, 13, 14]);
    expect([...host]).toEqual([1, 12, 13, 14]);
    map.array[0] = 100;
    map.unmap();
    add(embedded.queue, 4, null, buffer, 1);
    expect(contentOf(buffer)).toEqual([12, 101, 14, 15]);
    const write = cl.enqueueMapBuffer(embedded.queue, buffer, MapFlags.WRITE_INVALIDATE_REGION, { type: 'i32' });
    // What was there is not asked for.
    expect([...host]).toEqual([1, 100, 13, 14]);
    write.array.set([7, 8, 9, 10]);
    write.unmap();
    expect(contentOf(buffer)).toEqual([7, 8, 9, 10]);
  });
});

describe('shared virtual memory', () => {
  const alloc = (size: number, flags = 0, alignment = 0): bigint =>
    table.clSVMAlloc(raw(embedded.ctx), flags, size, alignment);

  test('is one for the host and the kernels', () => {
    const pointer = alloc(16, SvmMemFlags.SVM_FINE_GRAIN_BUFFER);
    const host = new Int32Array(viewOf(pointer, 16));
    host.set([1, 2, 3, 4]);
    const { handle: kernel } = make((errcode) => table.clCreateKernel(embedded.prg.raw('test'), 'add', errcode));
    expect(table.clSetKernelArgSVMPointer(kernel, 0, pointer + 4n)).toBe(Code.SUCCESS);
    expect(table.clSetKernelArgSVMPointer(kernel, 1, pointer)).toBe(Code.INVALID_ARG_VALUE);
    expect(table.clSetKernelArgSVMPointer(kernel, 2, pointer)).toBe(Code.INVALID_ARG_INDEX);
    expect(table.clSetKernelArgSVMPointer(kernel, 0, new Uint8Array(8))).toBe(Code.INVALID_ARG_VALUE);
    table.clSetKernelArg(kernel, 1, 8, BigInt64Array.of(5n));
    const q = raw(embedded.queue);
    expect(table.clEnqueueNDRangeKernel(q, kernel, 1, 0n, sizes(3), 0n, 0, 0n, 0n)).toBe(Code.SUCCESS);
    embedded.queue.finish();
    expect([...host]).toEqual([1, 7, 8, 9]);
    table.clReleaseKernel(kernel);
    table.clSVMFree(raw(embedded.ctx), pointer);
  });

  test('is copied, filled, mapped and migrated', () => {
    const [a, b] = [alloc(64), alloc(64)];
    const q = raw(embedded.queue);
    const pattern = Int32Array.of(7);
    expect(table.clEnqueueSVMMemFill(q, a, pattern, 4, 64, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(table.clEnqueueSVMMemFill(q, pattern, pattern, 4, 4, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clEnqueueSVMMemcpy(q, 1, b, a, 64, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(table.clEnqueueSVMMemcpy(q, 1, a + 8n, a, 16, 0, 0n, 0n)).toBe(Code.MEM_COPY_OVERLAP);
    const plain = new Int32Array(16);
    expect(table.clEnqueueSVMMemcpy(q, 1, plain, b, 64, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(new Set(plain)).toEqual(new Set([7]));
    expect(table.clEnqueueSVMMap(q, 1, MapFlags.READ, a, 64, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(table.clEnqueueSVMUnmap(q, a, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(table.clEnqueueSVMMap(q, 1, 8, a, 64, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clEnqueueSVMMigrateMem(q, 1, BigUint64Array.of(a), 0n, 0, 0, 0n, 0n)).toBe(Code.SUCCESS);
    expect(table.clEnqueueSVMMigrateMem(q, 1, BigUint64Array.of(5n), 0n, 0, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
    expect(table.clEnqueueSVMFree(q, 2, BigUint64Array.of(a, b), 0n as never, 0n, 0, 0n, 0n)).toBe(Code.SUCCESS);
    embedded.queue.finish();
    expect(table.clEnqueueSVMMemFill(q, a, pattern, 4, 64, 0, 0n, 0n)).toBe(Code.INVALID_VALUE);
  });

  test('is the memory of a buffer over it', () => {
    const pointer = alloc(16);
    const host = new Int32Array(viewOf(pointer, 16)).fill(1);
    const { handle } = make((errcode) =>
      table.clCreateBuffer(raw(embedded.ctx), mf.USE_HOST_PTR, 16, pointer, errcode),
    );
    expect(table.clEnqueueFillBuffer(raw(embedded.queue), handle, Int32Array.of(6), 4, 0, 16, 0, 0n, 0n)).toBe(0);
    embedded.queue.finish();
    expect([...host]).toEqual([6, 6, 6, 6]);
    const uses = new Uint32Array(1);
    table.clGetMemObjectInfo(handle, 0x1109, 4, uses, 0n);
    expect(uses[0]).toBe(1);
    table.clReleaseMemObject(handle);
    table.clSVMFree(raw(embedded.ctx), pointer);
  });

  test('is NULL where it cannot be', () => {
    expect(alloc(0)).toBe(0n);
    expect(alloc(2 ** 40)).toBe(0n);
    expect(alloc(16, SvmMemFlags.SVM_ATOMICS)).toBe(0n);
    expect(alloc(16, 0x10)).toBe(0n);
    expect(alloc(16, 0, 3)).toBe(0n);
    expect(alloc(16, 0, 256)).toBe(0n);
    const aligned = alloc(16, 0, 128);
    expect(aligned % 128n).toBe(0n);
    table.clSVMFree(raw(embedded.ctx), aligned);
  });
});
