// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/cuda';

declare const source: KernelSource<{
  readonly sgemm: 'sgemm(float *c, const float *a, const float *b, int rows, int inner, int columns)';
}>;
export default source;
