import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { conversion, load } from '../kernel/conversion.ts';
import type { KernelText } from '../kernel/source.ts';

/**
 * The greatest and the least of some elements, `m` of them from the first on with one distance, and the last of all, by one group:
 * what tells how many bins a count is likely to need. Numbers beyond i64 count as its greatest.
 */
export function limitsKernel(dtype: ArrayDType, threads: number): KernelText {
  const most = '((i64)0x7fffffffffffffff)';
  const read = (at: string): string => {
    const element = load(dtype, 'x', at);
    const value = conversion(element, dtype, 'i64');
    return dtype === 'u64' ? `(${element} > (u64)${most} ? ${most} : ${value})` : value;
  };
  const type = arrayDTypes[dtype].name;
  return {
    name: `count_limits_${type}`,
    parameters: [
      { name: 'limits', dtype: 'i64', kind: 'output' },
      { name: 'x', dtype, kind: 'input' },
      { name: 'x_at', dtype: 'u64', kind: 'number' },
      { name: 'n', dtype: 'u64', kind: 'number' },
      { name: 'x_step', dtype: 'i64', kind: 'number' },
      { name: 'm', dtype: 'u32', kind: 'number' },
      { name: 'distance', dtype: 'u64', kind: 'number' },
    ],
    body: `
SHARED i64 greatest[${threads}];
SHARED i64 least[${threads}];
const u32 tid = LOCAL_ID(x);
i64 high = ${read('(i64)x_at + (i64)(n - 1) * x_step')}, low = high;
for (u32 j = tid; j < m; j += ${threads}) {
  const i64 at = (i64)x_at + (i64)(j * distance) * x_step;
  const i64 value = ${read('at')};
  high = value > high ? value : high;
  low = value < low ? value : low;
}
greatest[tid] = high;
least[tid] = low;
for (u32 by = ${threads / 2}; by > 0; by /= 2) {
  BARRIER();
  if (tid < by) {
    if (greatest[tid + by] > greatest[tid]) greatest[tid] = greatest[tid + by];
    if (least[tid + by] < least[tid]) least[tid] = least[tid + by];
  }
}
if (tid == 0) {
  limits[0] = greatest[0];
  limits[1] = least[0];
}`,
  };
}
