// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/opencl';

declare const source: KernelSource<{
  readonly matmul: 'matmul(__global const float *a, __global const float *b, __global float *c, int m, int k)';
}>;
export default source;
