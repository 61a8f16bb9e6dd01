import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { binFunctions } from './bin-rule.ts';
import {
  countName,
  countParameters,
  edgeLines,
  elementLines,
  groupNotes,
  groupNotesEnd,
  noteLines,
  placeType,
  type CountWork,
} from './count-text.ts';

/** The numbers of {@link globalCounts} behind those of bins. */
const GLOBAL_NUMBERS: readonly string[] = ['bins'];

/**
 * Counts by atomic operations on counters in memory, for so many bins that shared memory would have to be filled too often.
 * Neighbouring threads read neighbours. A thread adds up elements of one bin that follow each other on its way: where all elements
 * are equal, the counters of one bin are not what everything waits for.
 */
export function globalCounts(work: CountWork, threads: number): KernelText {
  const { weights, counter } = work;
  const index = placeType(work);
  const [type, value] = weights === undefined ? ['u32', '1'] : [counter, 'weight'];
  const add = `if (held < bins) scatter_add_${counter}(rows, held, (${counter})sum);`;
  const [declaration, first] = groupNotes(work);
  const body = `
${declaration}const u32 tid = LOCAL_ID(x);
${first}${first === '' ? '' : 'BARRIER();\n'}${edgeLines(work)}${noteLines(work)}u32 held = bins;
${type} sum = 0;
const ${index} step = (${index})GROUPS(x) * ${threads};
for (${index} i = (${index})GROUP_ID(x) * ${threads} + tid; i < n; i += step) {
${indent(elementLines(work, 'i'))}
  if (bin != held) {
    ${add}
    held = bin;
    sum = 0;
  }
  sum += ${value};
}
${add}
${groupNotesEnd(work)}`;
  const name = countName(work, 'global');
  return {
    name,
    parameters: countParameters(work, GLOBAL_NUMBERS),
    body,
    preamble: binFunctions(work.axes, false),
    threads,
  };
}
