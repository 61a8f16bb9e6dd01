import { expect } from '@jest/globals';
import * as cuda from '../../../src/cuda/index.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

needs.nvrtc().describe('Interop', () => {
  withDevice();
  const { test } = needs.cuda();
  const gpu = needs.gpu();

  test('an array of another library is waited for, and used by a kernel', () => {
    using module = new cuda.SourceModule(
      '__global__ void inc(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] += 1; }',
    );
    using stream = new cuda.Stream({ nonBlocking: true });
    using memory = cuda.toDevice(new Float32Array(32));
    const inc = module.getFunction('inc');
    const view = new cuda.TensorView(memory, { shape: [32], dtype: 'f32', stream });
    for (let i = 0; i < 10; i++) inc(memory, 32, { block: 32, stream });
    inc({ cudaArrayInterface: view.cudaArrayInterface }, 32, { block: 32 });
    using consumer = new cuda.Stream({ nonBlocking: true });
    inc(cuda.TensorView.from(view, consumer), 32, { block: 32, stream: consumer });
    consumer.synchronize();
    cuda.Context.current?.synchronize();
    expect(cuda.fromDevice(view, 'f32')[31]).toBe(12);
  });

  gpu.test.each([false, true])('a tensor is read back from DLPack (versioned: %s)', (versioned) => {
    using memory = cuda.toDevice(Float32Array.of(1, 2, 3, 4, 5, 6));
    using shared = cuda.toDLPack(new cuda.TensorView(memory, { shape: [2, 3], dtype: 'f32' }), { versioned });
    const { tensor, owner } = cuda.fromDLPack(shared.take(), { versioned });
    expect([...cuda.fromDevice(tensor, 'f32')]).toEqual([1, 2, 3, 4, 5, 6]);
    owner.close();
  });

  needs.attribute('TENSOR_MAP_ACCESS_SUPPORTED').test('a box of a tensor map reaches shared memory', () => {
    using module = new cuda.SourceModule(`
      struct alignas(64) Map { char bytes[128]; };
      __global__ void box(const __grid_constant__ Map map, int *out, int x, int y) {
        __shared__ alignas(128) int tile[8][16];
        __shared__ alignas(8) unsigned long long barrier;
        unsigned bar = (unsigned) __cvta_generic_to_shared(&barrier), to = (unsigned) __cvta_generic_to_shared(tile);
        if (threadIdx.x == 0) {
          asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(bar) : "memory");
          asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
          asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(bar), "r"((unsigned) sizeof tile) : "memory");
          asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                       :: "r"(to), "l"(&map), "r"(x), "r"(y), "r"(bar) : "memory");
        }
        __syncthreads();
        unsigned done = 0;
        while (!done)
          asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                       : "=r"(done) : "r"(bar) : "memory");
        out[threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16];
      }`);
    using memory = cuda.toDevice(Int32Array.from({ length: 32 * 64 }, (_, i) => i));
    using out = cuda.memAlloc(4 * 128);
    const map = cuda.tensorMap(memory, { dtype: 'i32', shape: [32, 64], box: [8, 16] });
    module.getFunction('box')(map, out, 16, 8, { block: 128 });
    const expected = Array.from({ length: 128 }, (_, i) => (8 + Math.floor(i / 16)) * 64 + 16 + (i % 16));
    expect([...cuda.fromDevice(out, 'i32')]).toEqual(expected);

    using negatives = cuda.toDevice(Int32Array.from({ length: 32 * 64 }, (_, i) => -i));
    map.replaceAddress(negatives);
    module.getFunction('box')(map, out, 16, 8, { block: 128 });
    expect([...cuda.fromDevice(out, 'i32')]).toEqual(expected.map((x) => -x));
  });

  const embedded = gpu.missing === undefined ? undefined : test;
  embedded?.('the embedded device shares no addresses', () => {
    using memory = cuda.memAlloc(64);
    const view = new cuda.TensorView(memory, { shape: [4], dtype: 'f32' });
    const refused = expect.objectContaining({ code: 'CUDA_ERROR_NOT_SUPPORTED' });
    expect(() => cuda.toDLPack(view)).toThrow(refused);
    const describe = (): unknown => cuda.tensorMap(memory, { dtype: 'f32', shape: [4], box: [4] });
    expect(describe).toThrow(refused);
    expect(describe).toThrow(/NOT_SUPPORTED\nThe embedded CPU device \(RAWKERNEL_DEVICE\) does not support this/);
  });
});
