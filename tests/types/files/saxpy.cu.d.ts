// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from 'rawkernel/cuda';

declare const source: KernelSource<{
  readonly saxpy: 'saxpy(int n, float a, const float *x, float *y)';
  readonly 'scale<double>': 'scale<double>(double *x, double by)';
}>;
export default source;
