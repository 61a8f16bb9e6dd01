import { expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import * as cuda from '../../src/cuda/index.ts';
import { withDevice } from '../helpers/cuda.ts';
import { needs } from '../helpers/require.ts';
import { flatFor, LONG_TIMEOUT_MS } from './growth.ts';

const SOURCE = `
extern "C" __global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}`;
const N = 64;

needs.cuda().describe('everything at once, for as long as it is wanted', () => {
  withDevice();

  test(
    'leaves no memory behind, and gives the right results',
    async () => {
      const { code } = cuda.Program.compile(SOURCE);
      using module = new cuda.SourceModule(SOURCE);
      const axpy = module.getFunction('axpy');
      using stream = new cuda.Stream({ nonBlocking: true });
      using pool = new cuda.DeviceMemoryPool();
      const shape = { block: N, stream };
      const one = new Float32Array(N).fill(1);
      const live = liveObjects();
      const expectAll = (array: Float32Array, wanted: number): void => {
        if (!array.every((value) => value === wanted)) throw new Error(`expected ${wanted}, got ${array.join()}`);
      };

      await flatFor(
        'rounds of everything in CUDA',
        async (i) => {
          const a = i % 1000;
          using x = cuda.toDevice(one);
          using y = pool.allocate(4 * N);
          cuda.memsetD32(y, 0, N);
          axpy(y, x, a, N, { block: N });
          expectAll(cuda.fromDevice(y, 'f32'), a);
          const host = new Float32Array(N).fill(a);
          axpy(cuda.InOut(host), cuda.In(one), 1, N, { block: N });
          expectAll(host, a + 1);
          if (i % 10 === 0) {
            const z = cuda.memAllocAsync(4 * N, stream);
            cuda.memcpyHtoDAsync(z, one, stream);
            axpy(z, x, 1, N, shape);
            using event = new cuda.Event().record(stream);
            await event.done();
            expectAll(cuda.fromDevice(z, 'f32'), 2);
            z.freeAsync();
            await stream.done();
          }
          if (i % 50 === 0) {
            stream.beginCapture();
            axpy(x, x, 1, N, shape);
            using graph = stream.endCapture();
            using exec = graph.instantiate();
            exec.launch(stream);
            stream.synchronize();
            expect(() => (axpy as cuda.Function)(x, x, 2, { block: 1 })).toThrow(TypeError);
          }
          if (i % 500 === 0) {
            using other = cuda.moduleFromBuffer(code);
            using pinned = cuda.pagelockedEmpty(N, 'f32');
            cuda.memcpyDtoH(pinned, x);
            other.getFunction('axpy')(x, x, cuda.float32(1), cuda.int32(N), { block: N });
          }
        },
        () => {
          stream.synchronize();
          pool.freeHeld();
        },
      );
      expect(liveObjects()).toEqual(live);
    },
    LONG_TIMEOUT_MS,
  );
});
