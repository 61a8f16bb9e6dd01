// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/cuda';

declare const source: KernelSource<{
  readonly reduction: 'reduction(float *sums, const float *from, int n)';
}>;
export default source;
