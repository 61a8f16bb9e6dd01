import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';
import {
  kernelSource,
  noise,
  product,
  pullsOf,
  someBodies,
  sumOf,
  transposed,
  worstOf,
} from '../../helpers/shared-kernels.ts';
import { some } from '../../helpers/full.ts';

needs.opencl().describe.each(openclRows)('the kernels that are shared: %s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
  });

  const given = (array: Float32Array<ArrayBuffer>): cl.Buffer =>
    new cl.Buffer(ctx, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, array);
  const empty = (length: number): cl.Buffer => given(new Float32Array(length).fill(NaN));
  const read = (buffer: cl.Buffer): Float32Array<ArrayBuffer> => {
    const array = new Float32Array(buffer.byteLength / 4);
    cl.enqueueCopy(queue, array, buffer);
    return array;
  };
  /** The largest of some sizes of a group that the device takes. */
  const fitting = (...sizes: readonly number[]): number => {
    const most = Math.min(device.maxWorkGroupSize, ...device.maxWorkItemSizes.map(Number));
    return Math.max(1, ...sizes.filter((size) => size <= most));
  };

  test.each(
    some(
      [
        [1, 1, 1],
        [7, 1, 64],
        [1023, 3, 16],
        [100_000, 5, 128],
      ],
      2,
    ),
  )('reduction: %i floats by %i groups of up to %i', (n, groups, wanted) => {
    const local = fitting(wanted);
    using prg = new cl.Program(ctx, kernelSource('opencl/reduction.cl')).build();
    const from = noise(n);
    using fromG = given(from);
    using sums = empty(groups);
    using sum = empty(1);
    const parts = new cl.LocalMemory(4 * local);
    const reduction = prg.kernel('reduction');
    reduction(queue, local * groups, local, sums, fromG, n, parts);
    reduction(queue, local, local, sum, sums, groups, parts);
    expect(Math.abs((read(sum)[0] ?? NaN) - sumOf(from))).toBeLessThan(1e-5 * Math.sqrt(n));
  });

  test.each(
    some(
      [
        [32, 32],
        [96, 64],
        [100, 37],
        [1, 50],
      ],
      2,
    ),
  )('transpose: %i x %i', (rows, columns) => {
    const [tile, down] = fitting(256) === 256 ? [32, 8] : fitting(8) === 8 ? [8, 1] : [1, 1];
    using prg = new cl.Program(ctx, kernelSource('opencl/transpose.cl')).build([`-DTILE=${tile}`, `-DROWS=${down}`]);
    const from = noise(rows * columns);
    using fromG = given(from);
    using to = empty(rows * columns);
    const global = [tile * Math.ceil(columns / tile), down * Math.ceil(rows / tile)];
    prg.kernel('transpose')(queue, global, [tile, down], to, fromG, rows, columns);
    expect(read(to)).toEqual(transposed(from, rows, columns));
  });

  test.each(
    some(
      [
        [64, 16, 64],
        [64, 48, 128],
        [128, 32, 64],
      ],
      2,
    ),
  )('sgemm: %i x %i by the latter x %i', (rows, inner, columns) => {
    const side = fitting(256) === 256 ? 16 : fitting(16) === 16 ? 4 : 1;
    const [tile, step] = [4 * side, 16];
    using prg = new cl.Program(ctx, kernelSource('opencl/sgemm.cl')).build([`-DTILE=${tile}`, `-DSTEP=${step}`]);
    const [a, b] = [noise(rows * inner, 1), noise(inner * columns, 2)];
    using aG = given(a);
    using bG = given(b);
    using c = empty(rows * columns);
    prg.kernel('sgemm')(queue, [columns / 4, rows / 4], [side, side], c, aG, bG, rows, inner, columns);
    expect(worstOf(read(c), product(a, b, rows, inner, columns))).toBeLessThan(1e-5);
  });

  test.each(
    some(
      [
        [128, 64],
        [100, 16],
        [5, 8],
      ],
      2,
    ),
  )('n-body: %i bodies, groups of up to %i', (n, wantedSize) => {
    const local = fitting(wantedSize);
    using prg = new cl.Program(ctx, kernelSource('opencl/n-body.cl')).build();
    const [dt, softening] = [0.25, 0.1];
    const from = someBodies(n);
    const wanted = pullsOf(from, softening);
    using bodies = given(from);
    using velocities = given(new Float32Array(4 * n).fill(2));
    const global = local * Math.ceil(n / local);
    const tile = new cl.LocalMemory(16 * local);
    prg.kernel('kick')(queue, global, local, velocities, bodies, tile, n, softening, dt);
    const found = read(velocities);
    const most = wanted.reduce((x, y) => Math.max(x, Math.abs(y)), 0);
    const expected = wanted.map((pull) => 2 + dt * pull);
    expect(worstOf(found, expected)).toBeLessThan(1e-5 * most);

    prg.kernel('drift')(queue, global, local, bodies, velocities, n, dt);
    const moved = from.map((x, i) => (i % 4 === 3 ? x : x + dt * (found[i] ?? NaN)));
    expect(worstOf(read(bodies), moved)).toBeLessThan(1e-6 * Math.max(1, dt * most));
  });
});
