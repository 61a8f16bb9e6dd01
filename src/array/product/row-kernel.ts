import type { KernelText } from '../kernel/source.ts';
import {
  addProductText,
  addText,
  batchText,
  operandText,
  outputText,
  productName,
  productParameters,
  sumTypeOf,
  zeroText,
  type ProductWork,
} from './product-text.ts';

/**
 * How the threads of a group share rows.
 *
 * - `along`: neighbouring threads read neighbours of one row
 * - `across`: neighbouring threads have neighbouring rows
 * - `alone`: each thread has a row, of which it adds up several parts at once; elements follow each other
 */
export type RowForm = 'along' | 'across' | 'alone';

/** Threads of a group of {@link rowProduct}. */
export const ROW_THREADS = 256;
/** Sums of a thread that has a row alone: compilers make vectors of them. */
const PARTS = 16;

/** Elements that a thread reads before it adds them up. */
const AHEAD = 4;

/** Names of the numbers of the kernel. */
const ROW_NUMBERS: readonly string[] = ['rows', 'k_length', 'row_groups'];

/** Names of its steps. */
function rowSteps({ right }: ProductWork): readonly string[] {
  return ['out_row', 'a_row', 'a_k', ...(right === undefined ? [] : ['b_row', 'b_k'])];
}

/**
 * The products of the rows of a matrix and a vector, or of those of another matrix, or the sums of rows: the threads along one
 * side of a group, a power of 2, share a row, the other side has different ones.
 */
export function rowProduct(work: ProductWork, form: RowForm, wide: boolean): KernelText {
  const [index, stride] = wide ? ['u64', 'i64'] : ['u32', 'i32'];
  const type = sumTypeOf(work.result);
  const hasRight = work.right !== undefined;
  const [shared, own] = form === 'along' ? ['x', 'y'] : ['y', 'x'];
  const add = (sum: string, at: (step: string) => string): string => {
    const a = `const ${type} left = ${operandText(work, 'a', `a1 + ${at('a_k')}`)};`;
    if (!hasRight) return `${a} ${addText(work, sum, 'left')}`;
    const b = `const ${type} right = ${operandText(work, 'b', `b1 + ${at('b_k')}`)};`;
    return `${a} ${b} ${addProductText(work, sum, 'left', 'right')}`;
  };
  const far = (i: string) => (step: string) => `(${stride})${i} * ${step}`;
  const places = `
const ${index} row = group % row_groups * rows_of_group + LOCAL_ID(${own});
group /= row_groups;
${batchText(work, wide)}
const ${stride} a1 = a0 + (${stride})row * a_row;
${hasRight ? `const ${stride} b1 = b0 + (${stride})row * b_row;` : ''}`.trim();
  const body =
    form === 'alone'
      ? `
${index} group = GROUP_ID(x);
const u32 rows_of_group = LOCAL_SIZE(x);
${places}
if (row >= rows) return;
${type} sums[${PARTS}];
for (u32 j = 0; j < ${PARTS}; j++) sums[j] = ${zeroText(type)};
${index} i = k_begin;
for (; i + ${PARTS} <= k_end; i += ${PARTS}) {
  for (u32 j = 0; j < ${PARTS}; j++) { ${add('sums[j]', () => 'i + j')} }
}
for (; i < k_end; i++) { ${add('sums[0]', () => 'i')} }
for (u32 rest = ${PARTS / 2}; rest > 0; rest /= 2) {
  for (u32 j = 0; j < rest; j++) { const ${type} other = sums[j + rest]; ${addText(work, 'sums[j]', 'other')} }
}
const ${type} sum = sums[0];
out[out0 + (${stride})row * out_row] = ${outputText(work, 'sum')};`
      : `
SHARED ${type} parts[${ROW_THREADS}];
${index} group = GROUP_ID(x);
const u32 part = LOCAL_ID(${shared}), part_count = LOCAL_SIZE(${shared}), rows_of_group = LOCAL_SIZE(${own});
const u32 slot = part * rows_of_group + LOCAL_ID(${own});
${places}
${type} sum = ${zeroText(type)};
if (row < rows) {
  ${index} i = k_begin + part;
  for (; i + ${AHEAD - 1} * part_count < k_end; i += ${AHEAD} * part_count) {
    ${type} ahead[${AHEAD}];
    UNROLL
    for (u32 j = 0; j < ${AHEAD}; j++) { ahead[j] = ${zeroText(type)}; ${add('ahead[j]', far('(i + j * part_count)'))} }
    UNROLL
    for (u32 j = 0; j < ${AHEAD}; j++) { ${addText(work, 'sum', 'ahead[j]')} }
  }
  for (; i < k_end; i += part_count) { ${add('sum', far('i'))} }
}
parts[slot] = sum;
for (u32 rest = part_count / 2; rest > 0; rest /= 2) {
  BARRIER();
  if (part < rest) {
    const ${type} other = parts[slot + rest * rows_of_group];
    ${addText(work, 'sum', 'other')}
    parts[slot] = sum;
  }
}
if (part == 0 && row < rows) out[out0 + (${stride})row * out_row] = ${outputText(work, 'sum')};`;
  return {
    name: productName(hasRight ? 'matvec' : 'sum', work, [form], wide),
    parameters: productParameters(work, wide, ROW_NUMBERS, rowSteps(work)),
    body,
  };
}
