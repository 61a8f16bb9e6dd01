// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/cuda';

declare const source: KernelSource<{
  readonly transpose: 'transpose(float *to, const float *from, int rows, int columns)';
}>;
export default source;
