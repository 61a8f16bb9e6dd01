import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { SCAN_THREADS, threadsText, totalsDeclaration } from '../scan/rows-kernel.ts';
import { countAccumulator } from './tile-kernel.ts';

/** Counts of a thread at once. */
const ITEMS = 16;

/** The sums of the counts before each part, and behind them the sum of all: by one group, or by one thread of its own. */
export function countSums(isSerial: boolean, shuffles: boolean): KernelText {
  const parameters = [
    { name: 'offsets', dtype: 'u64', kind: 'output' },
    { name: 'counts', dtype: 'u64', kind: 'input' },
    { name: 'parts', dtype: 'u32', kind: 'number' },
  ] as const;
  if (isSerial) {
    const body = `
u64 sum = 0;
for (u32 i = 0; i < parts; i++) {
  offsets[i] = sum;
  sum += counts[i];
}
offsets[parts] = sum;`;
    return { name: 'count_sums_serial', parameters, body };
  }
  const loop = (step: string): string => `for (u32 i = begin; i < begin + ${ITEMS} && i < parts; i++) ${step}`;
  const body = `
${totalsDeclaration('u64', shuffles)}
const u32 tid = LOCAL_ID(x), x = tid, width = ${SCAN_THREADS};
u64 sum = 0;
for (u32 first = 0; first < parts; first += ${SCAN_THREADS * ITEMS}) {
  const u32 begin = first + tid * ${ITEMS};
  u64 v[1];
  v[0] = 0;
  ${loop('v[0] += counts[i];')}
${indent(threadsText(countAccumulator('u64'), { items: 1, shuffles }))}
  u64 at = sum + before;
  ${loop('{\n    offsets[i] = at;\n    at += counts[i];\n  }')}
  sum += total;
  BARRIER();
}
if (tid == 0) offsets[parts] = sum;`;
  return { name: 'count_sums', parameters, body };
}
