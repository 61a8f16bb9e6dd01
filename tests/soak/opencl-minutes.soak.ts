import { expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import * as cl from '../../src/opencl/index.ts';
import { openclRows } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { flatFor, LONG_TIMEOUT_MS } from './growth.ts';

const mf = cl.MemFlags;
const SOURCE = `
__kernel void axpy(__global float *y, __global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}`;
const N = 64;

needs.opencl().describe.each(openclRows)('everything at once, for as long as it is wanted: %s', (_, device) => {
  test(
    'leaves no memory behind, and gives the right results',
    async () => {
      using ctx = new cl.Context(device);
      using queue = new cl.CommandQueue(ctx);
      using other = new cl.CommandQueue(ctx);
      using prg = new cl.Program(ctx, SOURCE).build();
      using axpy = new cl.Kernel(prg, 'axpy');
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      const { binaries } = prg;
      const one = new Float32Array(N).fill(1);
      const live = liveObjects();
      const expectAll = (array: Float32Array, wanted: number): void => {
        if (!array.every((value) => value === wanted)) throw new Error(`expected ${wanted}, got ${array.join()}`);
      };

      await flatFor(
        `${device.platform.name}: rounds of everything`,
        async (i) => {
          const a = i % 1000;
          using x = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, one);
          using y = pool.allocate(4 * N);
          cl.enqueueCopy(queue, y, new Float32Array(N));
          axpy(queue, N, null, y, x, a, N).close();
          const host = new Float32Array(N);
          cl.enqueueCopy(queue, host, y, { byteLength: 4 * N });
          expectAll(host, a);
          if (i % 10 === 0) {
            using marker = cl.enqueueMarker(other);
            using after = axpy(queue, N, null, x, x, 1, N, { waitFor: [marker] });
            await after.done();
            using copy = cl.enqueueCopy(queue, host, x, { blocking: false });
            await copy.done();
            expectAll(host, 2);
          }
          if (i % 50 === 0) {
            using map = cl.enqueueMapBuffer(queue, x, cl.MapFlags.READ, { type: 'f32' });
            expect(map.array).toHaveLength(N);
            expect(() => axpy(queue, N, null, x, x, 2)).toThrow(TypeError);
          }
          if (i % 500 === 0) {
            using again = cl.Program.fromBinaries(ctx, binaries).build();
            using kernel = new cl.Kernel(again, 'axpy');
            kernel(queue, N, null, x, x, 1, N).wait();
          }
        },
        () => {
          queue.finish();
          pool.freeHeld();
        },
      );
      expect(liveObjects()).toEqual(live);
    },
    LONG_TIMEOUT_MS,
  );
});
