// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/opencl';

declare const source: KernelSource<{
  readonly reduction: 'reduction(__global float *sums, __global const float *from, int n, __local float *parts)';
}>;
export default source;
