import { freemem } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../src/opencl/index.ts';
import { isThorough, openclRows } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { size, tell } from './growth.ts';
import { checkPart, PART, sizeThatFits, UNIT, valueAt } from './large-buffer.ts';
import { manyAtOnce } from './many.ts';

const mf = cl.MemFlags;
const SOURCE = `
__kernel void add(__global int *x, int n) { x[get_global_id(0)] += n; }
__kernel void fill(__global unsigned *to, ulong count) {
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
    to[i] = (uint)i ^ (uint)(i >> 32) * 0x9e3779b9u;
}`;
const LARGEST = 32 * 2 ** 30;
const SMALLEST = 2 ** 30;

needs.opencl().describe.each(openclRows)('many objects at once: %s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;
  // A simulator takes its time.
  const fewer = (count: number): number => (isThorough(device) ? count : count / 10);
  const name = (what: string): string => `${device.platform.name}: ${what}`;
  const settle = (): void => {
    queue.finish();
  };
  const read = (buffer: cl.Buffer): number[] => {
    const host = new Int32Array(buffer.byteLength / 4);
    cl.enqueueCopy(queue, host, buffer);
    return [...host];
  };

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
    // Made once for all tests.
    expect(prg.kernels.add.name + prg.kernels.fill.name).toBe('addfill');
  });
  afterAll(() => {
    for (const resource of [prg.kernels.add, prg.kernels.fill, prg, queue, ctx]) resource.close();
  });

  test('10,000 buffers hold each its own content', async () => {
    const words = (i: number): number => 1 + (i % 97);
    const what = {
      name: name('live buffers'),
      count: fewer(10_000),
      make: (i: number) => new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, new Int32Array(words(i)).fill(i)),
      use: (all: readonly cl.Buffer[]) => {
        all.forEach((buffer, i) => {
          prg.kernels.add(queue, words(i), null, buffer, i);
        });
        const wrong = all.flatMap((buffer, i) => (read(buffer).every((value) => value === 2 * i) ? [] : [i]));
        expect(wrong).toEqual([]);
      },
    };
    await manyAtOnce(what, { settle });
  });

  test('1,000 queues have each work of its own', async () => {
    const count = fewer(1_000);
    const buffers = Array.from({ length: count }, () => new cl.Buffer(ctx, mf.READ_WRITE, 4));
    const what = {
      name: name('queues'),
      count,
      make: () => new cl.CommandQueue(ctx),
      use: async (all: readonly cl.CommandQueue[]) => {
        const last = all.map((own, i) => {
          const buffer = buffers[i];
          cl.enqueueFill(own, buffer as cl.Buffer, cl.int32(0));
          for (let round = 0; round < 9; round++) prg.kernels.add(own, 1, null, buffer as cl.Buffer, i);
          return prg.kernels.add(own, 1, null, buffer as cl.Buffer, i);
        });
        await Promise.all(last.map((event) => event.done()));
        expect(buffers.flatMap((buffer, i) => (read(buffer)[0] === 10 * i ? [] : [i]))).toEqual([]);
      },
    };
    await manyAtOnce(what, { settle });
    for (const buffer of buffers) buffer.close();
  });

  test('1,000 programs of the same binaries give each the right result', async () => {
    const { binaries } = prg;
    const count = fewer(1_000);
    using buffer = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, new Int32Array(count));
    const what = {
      name: name('programs'),
      count,
      make: () => cl.Program.fromBinaries(ctx, binaries).build(),
      use: (all: readonly cl.Program[]) => {
        cl.enqueueFill(queue, buffer, cl.int32(0));
        all.forEach((own, i) => {
          using add = new cl.Kernel(own, 'add');
          add(queue, 1, null, buffer, 3 * i, { offset: i });
        });
        expect(read(buffer).flatMap((value, i) => (value === 3 * i ? [] : [i]))).toEqual([]);
      },
    };
    await manyAtOnce(what, { settle });
  });

  test('a buffer beyond 32 bits is filled and read back by parts', () => {
    const start = performance.now();
    const { maxMemAllocSize, globalMemSize } = device;
    // What the host has free, a device that is the host must leave to others, too.
    const free = device.getInfo('HOST_UNIFIED_MEMORY') ? freemem() / 3 : globalMemSize;
    const room = Math.min(maxMemAllocSize / 0.9, free);
    const bytes = isThorough(device) ? sizeThatFits(LARGEST, room, SMALLEST) : undefined;
    if (bytes === undefined) {
      process.stderr.write(`Skipping the large buffer on ${device.name}: it has room for ${size(room)}\n`);
      return;
    }
    using buffer = new cl.Buffer(ctx, mf.READ_WRITE, bytes);
    prg.kernels.fill(queue, 1 << 20, null, buffer, cl.uint64(bytes / UNIT));
    // In the last part, behind all that 32 bits reach. No fill: with one behind 2 GiB, NVIDIA's driver ended in a fault.
    const marked = bytes - PART + 4096;
    cl.enqueueCopy(queue, buffer, new Uint32Array(256).fill(0x5eed), { dstOffset: marked });
    const part = new Uint32Array(PART / UNIT);
    for (let at = 0; at < bytes; at += PART) {
      cl.enqueueCopy(queue, part, buffer, { srcOffset: at });
      if (at + PART === bytes) {
        expect(part.subarray(1024, 1024 + 256).every((value) => value === 0x5eed)).toBe(true);
        for (let i = 1024; i < 1024 + 256; i++) part[i] = valueAt(at / UNIT + i);
      }
      checkPart(part, at);
    }
    tell(name('parts of a large buffer'), bytes / PART, start, `${size(bytes)} in all`);
  });
});
