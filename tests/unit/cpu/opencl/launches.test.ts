import koffi from 'koffi';
import { describe, expect, test } from '@jest/globals';
import { Code } from '../../../../src/cpu/opencl/code.ts';
import { addressOf } from '../../../../src/ffi/memory.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { MemFlags } from '../../../../src/opencl/sys/enums.ts';
import { make, raw, withCpuOpenCL } from '../../../helpers/cpu-opencl.ts';
import { RECORD_STRIDE } from '../../../helpers/opencl-kernels.ts';

const embedded = withCpuOpenCL();
const { table } = embedded;
const NOBODY = 0n as never;

const sizes = (...values: number[]): BigUint64Array => BigUint64Array.from(values.map(BigInt));

describe('launches', () => {
  const q = (): never => raw(embedded.queue);

  interface Group {
    readonly origin: number[];
    readonly offset: number[];
    readonly size: number[];
    readonly base: number[];
    readonly groups: number[];
    readonly local: number[];
    readonly dimensions: number;
    readonly first: number;
    readonly launched: number[];
  }

  /** What the device was told for each group of a range. */
  function recordsOf(prg: cl.Program, global: number[], local: number[] | null, offset?: number[]): Group[] {
    const most = 1 << 16;
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, most);
    cl.enqueueFill(embedded.queue, buffer, 0);
    const options = offset ? [{ offset: offset as never }] : [];
    prg.kernel('record')(embedded.queue, global, local, buffer, ...options);
    const bytes = new Uint8Array(most);
    cl.enqueueCopy(embedded.queue, bytes, buffer);
    const view = new DataView(bytes.buffer);
    const wides = (at: number): number[] => [0, 8, 16].map((i) => Number(view.getBigUint64(at + i, true)));
    const words = (at: number, count = 3): number[] =>
      Array.from({ length: count }, (_, i) => view.getUint32(at + 4 * i, true));
    const groups: Group[] = [];
    for (let at = RECORD_STRIDE; view.getUint32(at + 108, true) !== 0; at += RECORD_STRIDE) {
      groups.push({
        origin: wides(at),
        offset: wides(at + 24),
        size: wides(at + 48),
        base: words(at + 72),
        groups: words(at + 84),
        local: words(at + 96),
        dimensions: words(at + 108, 1)[0] ?? 0,
        first: words(at + 112, 1)[0] ?? 0,
        launched: words(at + 116, 6),
      });
    }
    return groups;
  }

  test('tell kernels their range', () => {
    const groups = recordsOf(embedded.prg, [8, 4], [4, 2], [100, 200]);
    expect(groups.map(({ first }) => first).sort()).toEqual([0, 1, 2, 3]);
    for (const group of groups) {
      expect(group).toMatchObject({
        origin: [100, 200, 0],
        offset: [100, 200, 0],
        size: [8, 4, 1],
        base: [0, 0, 0],
        groups: [2, 2, 1],
        local: [4, 2, 1],
        dimensions: 2,
        launched: [4, 2, 1, 2, 2, 1],
      });
    }
  });

  test('cut off the groups at the ends, where the language has that', () => {
    using prg = new cl.Program(embedded.ctx, 'anything').build('-cl-std=CL3.0', { cache: false });
    const groups = recordsOf(prg, [10, 5], [4, 2], [1000, 0]);
    const shapes = new Set(groups.map(({ launched, base, origin }) => JSON.stringify({ launched, base, origin })));
    expect([...shapes].map((shape) => JSON.parse(shape) as unknown)).toEqual([
      { launched: [4, 2, 1, 2, 2, 1], base: [0, 0, 0], origin: [1000, 0, 0] },
      { launched: [4, 1, 1, 2, 1, 1], base: [0, 2, 0], origin: [1000, 4, 0] },
      { launched: [2, 2, 1, 1, 2, 1], base: [2, 0, 0], origin: [1008, 0, 0] },
      { launched: [2, 1, 1, 1, 1, 1], base: [2, 2, 0], origin: [1008, 4, 0] },
    ]);
    expect(groups).toHaveLength(9);
    for (const group of groups) expect(group).toMatchObject({ groups: [3, 3, 1], local: [4, 2, 1], size: [10, 5, 1] });
    expect(() => recordsOf(embedded.prg, [10, 5], [4, 2])).toThrow(/CL_INVALID_WORK_GROUP_SIZE/);
    using even = new cl.Program(embedded.ctx, 'anything').build('-cl-std=CL3.0 -cl-uniform-work-group-size', {
      cache: false,
    });
    expect(() => recordsOf(even, [10, 5], [4, 2])).toThrow(/CL_INVALID_WORK_GROUP_SIZE/);
  });

  test('choose a local size that divides the range, and enough groups', () => {
    for (const global of [[1000], [1024, 3], [7], [64, 64, 2], [997]]) {
      const groups = recordsOf(embedded.prg, global, null);
      const { launched = [] } = groups[0] ?? {};
      const items = launched.slice(0, 3).reduce((product, size) => product * size, 1);
      expect(items).toBeLessThanOrEqual(256);
      expect(global.every((size, i) => size % (launched[i] ?? 0) === 0)).toBe(true);
      expect(launched.slice(3).reduce((product, size) => product * size, 1) * items).toBe(
        global.reduce((product, size) => product * size, 1),
      );
    }
    expect(recordsOf(embedded.prg, [1000], null).length).toBeGreaterThanOrEqual(8);
  });

  test('use the size that the kernel asks for', () => {
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, 64);
    const kernel = make((errcode) => table.clCreateKernel(embedded.prg.raw('test'), 'sized', errcode)).handle;
    table.clSetKernelArg(kernel, 0, 8, BigUint64Array.of(raw(buffer)));
    const launch = (global: BigUint64Array, local: BigUint64Array | bigint): number =>
      table.clEnqueueNDRangeKernel(q(), kernel, global.length, 0n, global, local, 0, 0n, 0n);
    expect(launch(sizes(8, 4), 0n)).toBe(Code.SUCCESS);
    expect(launch(sizes(8, 4), sizes(4, 2))).toBe(Code.SUCCESS);
    expect(launch(sizes(8, 4), sizes(2, 4))).toBe(Code.INVALID_WORK_GROUP_SIZE);
    expect(launch(sizes(8), sizes(4))).toBe(Code.INVALID_WORK_GROUP_SIZE);
    expect(launch(sizes(6, 4), 0n)).toBe(Code.INVALID_WORK_GROUP_SIZE);
    table.clReleaseKernel(kernel);
  });

  test("are refused with OpenCL's own codes", () => {
    const kernel = make((errcode) => table.clCreateKernel(embedded.prg.raw('test'), 'add', errcode)).handle;
    const launch = (dimensions: number, global: BigUint64Array | bigint, local: BigUint64Array | bigint = 0n): number =>
      table.clEnqueueNDRangeKernel(q(), kernel, dimensions, 0n, global, local, 0, 0n, 0n);
    const buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE, 4096);
    table.clSetKernelArg(kernel, 0, 8, BigUint64Array.of(raw(buffer)));
    expect(launch(1, sizes(4))).toBe(Code.INVALID_KERNEL_ARGS);
    table.clSetKernelArg(kernel, 1, 8, sizes(1));
    expect(launch(1, sizes(4))).toBe(Code.SUCCESS);
    expect(launch(0, sizes(4))).toBe(Code.INVALID_WORK_DIMENSION);
    expect(launch(4, sizes(1, 1, 1, 1))).toBe(Code.INVALID_WORK_DIMENSION);
    expect(launch(1, sizes(4096), sizes(2048))).toBe(Code.INVALID_WORK_ITEM_SIZE);
    expect(launch(2, sizes(1024, 4), sizes(1024, 2))).toBe(Code.INVALID_WORK_GROUP_SIZE);
    expect(launch(1, sizes(4), sizes(0))).toBe(Code.INVALID_WORK_GROUP_SIZE);
    expect(launch(3, sizes(1, 1, 65), sizes(1, 1, 65))).toBe(Code.INVALID_WORK_ITEM_SIZE);
    expect(launch(1, sizes(2 ** 40), sizes(1))).toBe(Code.OUT_OF_RESOURCES);
    // Nothing to do, and no mistake.
    expect(launch(1, sizes(0))).toBe(Code.SUCCESS);
    expect(table.clEnqueueNDRangeKernel(1n as never, kernel, 1, 0n, sizes(1), 0n, 0, 0n, 0n)).toBe(
      Code.INVALID_COMMAND_QUEUE,
    );
    expect(table.clEnqueueNDRangeKernel(q(), 1n as never, 1, 0n, sizes(1), 0n, 0, 0n, 0n)).toBe(Code.INVALID_KERNEL);
    using other = new cl.Context(embedded.device);
    using foreign = new cl.CommandQueue(other);
    expect(table.clEnqueueNDRangeKernel(raw(foreign), kernel, 1, 0n, sizes(1), 0n, 0, 0n, 0n)).toBe(
      Code.INVALID_CONTEXT,
    );
    embedded.queue.finish();
    buffer.release();
    expect(launch(1, sizes(4))).toBe(Code.INVALID_KERNEL_ARGS);
    table.clReleaseKernel(kernel);
  });

  test('of one item are tasks', () => {
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, new Int32Array(4));
    const kernel = make((errcode) => table.clCreateKernel(embedded.prg.raw('test'), 'add', errcode)).handle;
    table.clSetKernelArg(kernel, 0, 8, BigUint64Array.of(raw(buffer)));
    table.clSetKernelArg(kernel, 1, 8, sizes(9));
    expect(table.clEnqueueTask(q(), kernel, 0, 0n, 0n)).toBe(Code.SUCCESS);
    const content = new Int32Array(4);
    cl.enqueueCopy(embedded.queue, content, buffer);
    expect([...content]).toEqual([9, 0, 0, 0]);
    table.clReleaseKernel(kernel);
  });
});

describe('a kernel that fails', () => {
  /** What becomes of a context with a kernel in it. */
  function ending(name: string): { before: number; failed: number; behind: number; finish: number; then: number } {
    using ctx = new cl.Context(embedded.device);
    using queue = new cl.CommandQueue(ctx);
    using prg = new cl.Program(ctx, 'anything').build('', { cache: false });
    using go = new cl.UserEvent(ctx);
    // All of it is enqueued before any of it runs.
    cl.enqueueMarker(queue, { waitFor: [go] });
    const good = prg.kernel('spin')(queue, 1, null, 0);
    const bad = prg.kernel(name)(queue, 1, null);
    const late = prg.kernel('spin')(queue, 1, null, 0);
    go.setStatus(0);
    const finish = table.clFinish(raw(queue));
    const [before, failed, behind] = [good.status, bad.status, late.status];
    const then = table.clEnqueueMarkerWithWaitList(raw(queue), 0, 0n, 0n);
    return { before, failed, behind, finish, then };
  }

  test.each(['trap', 'forever'])('%s ends its context and no other', (name) => {
    expect(ending(name)).toEqual({
      before: Code.SUCCESS,
      failed: Code.OUT_OF_RESOURCES,
      behind: Code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
      finish: Code.OUT_OF_RESOURCES,
      then: Code.OUT_OF_RESOURCES,
    });
    using buffer = new cl.Buffer(embedded.ctx, MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, new Int32Array(4));
    embedded.prg.kernel('add')(embedded.queue, 4, null, buffer, 2);
    const content = new Int32Array(4);
    cl.enqueueCopy(embedded.queue, content, buffer);
    expect([...content]).toEqual([2, 2, 2, 2]);
  });

  test('is told to the function that the context was made with', () => {
    const type = koffi.proto('void', [koffi.types.str, koffi.types.uint64, koffi.types.size_t, koffi.types.uint64]);
    const heard: unknown[] = [];
    const call = (text: string, _info: bigint, _size: bigint, data: bigint | number): number =>
      heard.push([text, BigInt(data)]);
    const address = koffi.register(call, koffi.pointer(type)) as unknown as never;
    const device = BigUint64Array.of(embedded.device.raw);
    const context = make((errcode) => table.clCreateContext(0n, 1, device, address, 9n, errcode)).handle;
    const queue = make((errcode) => table.clCreateCommandQueue(context, embedded.device.raw, 0, errcode)).handle;
    const text = new TextEncoder().encode('anything');
    const program = make((errcode) =>
      table.clCreateProgramWithSource(context, 1, BigUint64Array.of(addressOf(text)), sizes(text.length), errcode),
    ).handle;
    expect(table.clBuildProgram(program, 0, 0n, '', NOBODY, 0n)).toBe(Code.SUCCESS);
    const kernel = make((errcode) => table.clCreateKernel(program, 'trap', errcode)).handle;
    table.clEnqueueTask(queue, kernel, 0, 0n, 0n);
    expect(table.clFinish(queue)).toBe(Code.OUT_OF_RESOURCES);
    expect(heard).toEqual([[expect.stringMatching(/trap/), 9n]]);
    expect(table.clFinish(queue)).toBe(Code.OUT_OF_RESOURCES);
    expect(heard).toHaveLength(1);
    table.clReleaseKernel(kernel);
    table.clReleaseProgram(program);
    table.clReleaseCommandQueue(queue);
    table.clReleaseContext(context);
    koffi.unregister(address);
  });
});
