import type { KernelText } from './source.ts';

/** Elements of a thread. */
export const NONZERO_ITEMS = 16;
const ITEMS = NONZERO_ITEMS;

/** The lines that add up `own` of every thread of a group: `sums[id]` is the sum up to it. */
const scan = (threads: number): string => `\
sums[id] = own;
for (u32 by = 1; by < ${threads}; by *= 2) {
  BARRIER();
  const u64 before = id >= by ? sums[id - by] : 0;
  BARRIER();
  sums[id] += before;
}
BARRIER();`;

const own = (threads: number): string => `\
SHARED u64 sums[${threads}];
const u32 id = LOCAL_ID(x);
const u64 start = ((u64)GROUP_ID(x) * ${threads} + id) * ${ITEMS};
u64 own = 0;
for (u64 i = start; i < start + ${ITEMS}; i++) {
  if (i < n && mask[mask_at + i] != 0) own++;
}`;

/** How many elements of a group's part of a mask are true. The mask has no gaps. */
export function countTrue(threads: number): KernelText {
  return {
    name: 'nonzero_count',
    parameters: [
      { name: 'counts', dtype: 'u64', kind: 'output' },
      { name: 'mask', dtype: 'bool', kind: 'input' },
      { name: 'mask_at', dtype: 'u64', kind: 'number' },
      { name: 'n', dtype: 'u64', kind: 'number' },
    ],
    body: `
${own(threads)}
${scan(threads)}
if (id == ${threads - 1}) counts[GROUP_ID(x)] = sums[id];`,
  };
}

/** The sums of the counts before each group, and behind them the sum of all, by one group. */
export function scanCounts(threads: number): KernelText {
  return {
    name: 'nonzero_scan',
    parameters: [
      { name: 'offsets', dtype: 'u64', kind: 'output' },
      { name: 'counts', dtype: 'u64', kind: 'input' },
      { name: 'n', dtype: 'u32', kind: 'number' },
    ],
    body: `
SHARED u64 sums[${threads}];
const u32 id = LOCAL_ID(x);
u64 total = 0;
for (u32 first = 0; first < n; first += ${threads * ITEMS}) {
  const u32 start = first + id * ${ITEMS};
  u64 own = 0;
  for (u32 i = start; i < start + ${ITEMS} && i < n; i++) own += counts[i];
  ${scan(threads).replaceAll('\n', '\n  ')}
  u64 before = total + sums[id] - own;
  for (u32 i = start; i < start + ${ITEMS} && i < n; i++) {
    offsets[i] = before;
    before += counts[i];
  }
  total += sums[${threads - 1}];
  BARRIER();
}
if (id == 0) offsets[n] = total;`,
  };
}

/**
 * The indices of the true elements of a mask, in row-major order: the index along an axis of the one that is the `k`-th is at
 * `k * item_step + axis * axis_step`.
 */
export function writeIndices(threads: number, rank: number): KernelText {
  const lines: string[] = [];
  for (let axis = rank - 1; axis > 0; axis--) {
    lines.push(`indices[at + ${axis} * axis_step] = (i64)(rest % n${axis});`, `rest /= n${axis};`);
  }
  lines.push('indices[at] = (i64)rest;');
  return {
    name: `nonzero_write_${rank}d`,
    parameters: [
      { name: 'indices', dtype: 'i64', kind: 'output' },
      { name: 'mask', dtype: 'bool', kind: 'input' },
      { name: 'offsets', dtype: 'u64', kind: 'input' },
      { name: 'mask_at', dtype: 'u64', kind: 'number' },
      { name: 'n', dtype: 'u64', kind: 'number' },
      { name: 'item_step', dtype: 'u64', kind: 'number' },
      { name: 'axis_step', dtype: 'u64', kind: 'number' },
      ...Array.from({ length: rank - 1 }, (_, i) => ({ name: `n${i + 1}`, dtype: 'u64', kind: 'number' }) as const),
    ],
    body: `
${own(threads)}
${scan(threads)}
u64 k = offsets[GROUP_ID(x)] + sums[id] - own;
for (u64 i = start; i < start + ${ITEMS}; i++) {
  if (i < n && mask[mask_at + i] != 0) {
    u64 rest = i;
    const u64 at = k * item_step;
    ${lines.join('\n    ')}
    k++;
  }
}`,
  };
}
