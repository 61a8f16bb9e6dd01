import { describe, expect, test } from '@jest/globals';
import { toArray } from '../../../../src/cuda/copy/memcpy-array.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { Surface } from '../../../../src/cuda/texture/surface.ts';
import { checkedDevice } from '../../../../src/cuda/selection.ts';
import { needs } from '../../../helpers/require.ts';

const SOURCE = `
__global__ void read(float *out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1);
}
__global__ void write(float *out, cudaSurfaceObject_t s) {
  surf2Dwrite(1.0f, s, 4 * (int)threadIdx.x, 0);
}`;
const gpu = needs.cuda();
const missing = gpu.missing ?? (checkedDevice() ? undefined : 'a GPU says less');

(missing === undefined ? describe : describe.skip)('textures and surfaces without checks', () => {
  test('what is not a texture, and a write beyond a surface, end the kernel', () => {
    const attempt = (kernel: string, wrong?: bigint): string => {
      const context = new Context(new Device(0));
      try {
        using module = new SourceModule(SOURCE);
        using array = toArray(new Float32Array(64), { width: 8, height: 8, dtype: 'f32', surface: true });
        using surface = new Surface(array);
        using out = memAlloc(4 * 12);
        module.getFunction(kernel)(out, wrong ?? surface, { block: 12 });
        context.synchronize();
        return '';
      } catch (error) {
        return (error as Error).message;
      } finally {
        context.close();
      }
    };
    // Through the handle 0 a GPU reads zeros.
    expect(attempt('read', 0n)).toBe('');
    expect(attempt('read', 4096n)).toMatch(/not a texture[^]*CUDA_ERROR_ILLEGAL_ADDRESS/);
    expect(attempt('write')).toMatch(/outside of a surface[^]*CUDA_ERROR_ILLEGAL_ADDRESS/);
  });
});
