import { expect, test } from '@jest/globals';
import { fromDevice, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memsetD32 } from '../../../src/cuda/copy/memset.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { withDevice } from '../../helpers/cuda.ts';
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

needs.cuda().describe('the kernels that are shared', () => {
  withDevice();

  test.each(
    some(
      [
        [1, 1, 32],
        [7, 1, 64],
        [1023, 3, 256],
        [100_000, 5, 512],
        [4096, 2, 1024],
      ],
      2,
    ),
  )('reduction: %i floats by %i blocks of %i', (n, blocks, block) => {
    using module = new SourceModule(kernelSource('cuda/reduction.cu'));
    const reduction = module.getFunction('reduction');
    const from = noise(n);
    using given = toDevice(from);
    using sums = memAlloc(4 * blocks);
    using sum = memAlloc(4);
    const once = (): number => {
      reduction(sums, given, n, { block, grid: blocks });
      reduction(sum, sums, blocks, { block });
      return fromDevice(sum, 'f32')[0] ?? NaN;
    };
    const found = once();
    expect(Math.abs(found - sumOf(from))).toBeLessThan(1e-6 * Math.max(1, Math.sqrt(n)));
    expect(once()).toBe(found);
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
    using module = new SourceModule(kernelSource('cuda/transpose.cu'));
    const from = noise(rows * columns);
    using given = toDevice(from);
    using to = memAlloc(from.byteLength);
    const grid = [Math.ceil(columns / 32), Math.ceil(rows / 32)];
    module.getFunction('transpose')(to, given, rows, columns, { block: [32, 8], grid });
    expect(fromDevice(to, 'f32')).toEqual(transposed(from, rows, columns));
  });

  test.each(
    some(
      [
        [128, 8, 128],
        [128, 40, 256],
        [256, 128, 128],
      ],
      2,
    ),
  )('sgemm: %i x %i by the latter x %i', (rows, inner, columns) => {
    using module = new SourceModule(kernelSource('cuda/sgemm.cu'));
    const [a, b] = [noise(rows * inner, 1), noise(inner * columns, 2)];
    using left = toDevice(a);
    using right = toDevice(b);
    using c = memAlloc(4 * rows * columns);
    memsetD32(c, 0xffff_ffff, rows * columns);
    module.getFunction('sgemm')(c, left, right, rows, inner, columns, {
      block: 256,
      grid: [columns / 128, rows / 128],
    });
    // Sums of at most 128 products of at most 1/4.
    expect(worstOf(fromDevice(c, 'f32'), product(a, b, rows, inner, columns))).toBeLessThan(1e-5);
  });

  test.each(
    some(
      [
        [256, 256],
        [300, 64],
        [5, 32],
      ],
      2,
    ),
  )('n-body: %i bodies, blocks of %i', (n, block) => {
    using module = new SourceModule(kernelSource('cuda/n-body.cu'), { options: [`-DBLOCK=${block}`, '--ftz=true'] });
    const [dt, softening] = [0.25, 0.1];
    const from = someBodies(n);
    const wanted = pullsOf(from, softening);
    using bodies = toDevice(from);
    using velocities = toDevice(new Float32Array(4 * n).fill(2));
    const shape = { block, grid: Math.ceil(n / block) };
    module.getFunction('kick')(velocities, bodies, n, softening, dt, shape);
    const found = fromDevice(velocities, 'f32');
    const most = wanted.reduce((x, y) => Math.max(x, Math.abs(y)), 0);
    const expected = wanted.map((pull) => 2 + dt * pull);
    expect(worstOf(found, expected)).toBeLessThan(1e-5 * most);

    module.getFunction('drift')(bodies, velocities, n, dt, shape);
    const moved = from.map((x, i) => (i % 4 === 3 ? x : x + dt * (found[i] ?? NaN)));
    expect(worstOf(fromDevice(bodies, 'f32'), moved)).toBeLessThan(1e-6 * Math.max(1, dt * most));
  });
});
