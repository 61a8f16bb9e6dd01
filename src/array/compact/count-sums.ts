import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { SCAN_THREADS, tileDeclarations, tileText, writeTileText, type TileForm } from '../scan/rows-kernel.ts';
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
  const form: TileForm = { items: ITEMS, index: 'u32', shuffles };
  const accumulator = countAccumulator('u64');
  const body = `
${tileDeclarations('u64', form)}
const u32 tid = LOCAL_ID(x), x = tid, width = ${SCAN_THREADS}, row_tile = 0;
u64 carry = 0;
for (u32 base = 0; base < parts; base += ${SCAN_THREADS * ITEMS}) {
${indent(tileText(accumulator, form, (i) => `(${i} < parts ? counts[${i}] : 0)`).trim())}
  before += carry;
${indent(writeTileText(accumulator, form, true, (i, _, previous) => `if (${i} < parts) offsets[${i}] = ${previous};`))}
  carry += total;
  BARRIER();
}
if (tid == 0) offsets[parts] = carry;`;
  return { name: 'count_sums', parameters, body };
}
