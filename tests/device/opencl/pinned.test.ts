import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { numbers, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const { READ, WRITE, WRITE_INVALIDATE_REGION } = cl.MapFlags;
const COUNT = 1 << 16;
const SOURCE = '__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }';

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
  });
  afterAll(() => {
    for (const resource of [prg, queue, ctx]) resource.close();
  });

  const pinnedBuffer = (): cl.Buffer => new cl.Buffer(ctx, mf.READ_WRITE | mf.ALLOC_HOST_PTR, 4 * COUNT);

  test('The host writes pinned memory, a kernel works on it, the host reads it', () => {
    using shared = pinnedBuffer();
    const values = numbers(COUNT);
    for (let round = 1; round <= 3; round++) {
      using input = cl.enqueueMapBuffer(queue, shared, WRITE_INVALIDATE_REGION, { type: 'f32' });
      input.array.set(values);
      input.unmap();
      expect(input.array.length).toBe(0);
      prg.kernels.twice(queue, COUNT, null, shared);
      using output = cl.enqueueMapBuffer(queue, shared, READ, { type: 'f32' });
      expect(output.array.every((value, i) => value === 2 * (values[i] ?? NaN))).toBe(true);
    }
  });

  test('Non-blocking copies go through pinned memory that stays mapped', async () => {
    using pinned = pinnedBuffer();
    using a = new cl.Buffer(ctx, mf.READ_WRITE, 4 * COUNT);
    using staging = cl.enqueueMapBuffer(queue, pinned, READ | WRITE, { type: 'f32' });
    const values = numbers(COUNT, 7);
    for (let round = 1; round <= 3; round++) {
      staging.array.set(values);
      const there = cl.enqueueCopy(queue, a, staging.array, { blocking: false });
      const done = prg.kernels.twice(queue, COUNT, null, a, { waitFor: [there] });
      await cl.enqueueCopy(queue, staging.array, a, { blocking: false, waitFor: [done] }).done();
      expect(staging.array.every((value, i) => value === 2 * (values[i] ?? NaN))).toBe(true);
    }
  });

  test('Parts of pinned memory are mapped without blocking', async () => {
    using shared = pinnedBuffer();
    cl.enqueueFill(queue, shared, cl.float32(5));
    using part = cl.enqueueMapBuffer(queue, shared, READ | WRITE, {
      type: 'f32',
      offset: 4096,
      byteLength: 64,
      blocking: false,
    });
    await part.event.done();
    expect([...new Set(part.array)]).toEqual([5]);
    part.array.fill(6);
    part.unmap();
    const host = new Float32Array(COUNT);
    cl.enqueueCopy(queue, host, shared);
    expect([host[1023], host[1024], host[1039], host[1040]]).toEqual([5, 6, 6, 5]);
  });

  test('A host array can be its first content, and not the memory itself', () => {
    const values = numbers(16);
    using copied = new cl.Buffer(ctx, mf.ALLOC_HOST_PTR | mf.COPY_HOST_PTR, values);
    using map = cl.enqueueMapBuffer(queue, copied, READ, { type: 'f32' });
    expect([...map.array]).toEqual([...values]);
    expect(() => new cl.Buffer(ctx, mf.ALLOC_HOST_PTR | mf.USE_HOST_PTR, values)).toThrow(RangeError);
  });
});
