import { afterAll, beforeAll } from '@jest/globals';
import { fromDevice } from '../../src/cuda/copy/memcpy.ts';
import type { KernelFunction } from '../../src/cuda/kernel/function.ts';
import type { DeviceMemory } from '../../src/cuda/memory/device-pointer.ts';
import { SourceModule } from '../../src/cuda/module/source-module.ts';

/** What {@link withGraphKernels} compiles. */
export const GRAPH_KERNELS = `
extern "C" __global__ void add(int *x, int n) { x[threadIdx.x] += n; }
extern "C" __global__ void times(int *x, int n) { x[threadIdx.x] *= n; }
extern "C" __global__ void nothing() { }`;

/** The elements of the arrays, one for each thread. */
export const N = 32;
/** One block for one array. */
export const shape: { readonly block: number } = { block: N };

/** Kernels that add to and multiply an array, for the tests of this file: what order they ran in shows. */
export function withGraphKernels(): { readonly module: SourceModule; add: KernelFunction; times: KernelFunction } {
  const kernels = {} as { module: SourceModule; add: KernelFunction; times: KernelFunction };
  beforeAll(() => {
    const module = new SourceModule(GRAPH_KERNELS);
    Object.assign(kernels, { module, add: module.getFunction('add'), times: module.getFunction('times') });
  });
  afterAll(() => {
    kernels.module.close();
  });
  return kernels;
}

/** The values that an array has. */
export function values(memory: DeviceMemory): number[] {
  return [...new Set(fromDevice(memory, 'i32', N))];
}
