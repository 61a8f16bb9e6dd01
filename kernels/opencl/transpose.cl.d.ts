// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/opencl';

declare const source: KernelSource<{
  readonly transpose: 'transpose(__global float *to, __global const float *from, int rows, int columns)';
}>;
export default source;
