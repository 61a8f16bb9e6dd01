// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/opencl';

declare const source: KernelSource<{
  readonly sgemm: 'sgemm(__global float *c, __global const float *a, __global const float *b, int rows, int inner, int columns)';
}>;
export default source;
