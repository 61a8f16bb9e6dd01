import type { ArrayDType } from '../dtype.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { keySize, keyStorage, keyType } from './key.ts';
import {
  localDeclarations,
  localReadText,
  localRoundText,
  localTile,
  localWriteText,
  ROUND_BITS,
  type LocalSort,
} from './local-sort.ts';
import { movedType, workName, workText, type SortWork } from './work.ts';

/** The parameters of kernels over whole lines. */
function lineParameters(work: SortWork, own: readonly Parameter[]): Parameter[] {
  const { form, payload } = work;
  const moved = movedType(work);
  const input = payload === 'index' ? undefined : moved;
  const number = (name: string, dtype: ArrayDType): Parameter => ({ name, dtype, kind: 'number' });
  return [
    { name: 'keys_out', dtype: keyStorage(form), kind: 'output' },
    ...(moved ? [{ name: 'values_out', dtype: payload === 'index' ? 'i64' : moved, kind: 'output' } as const] : []),
    ...own.filter(({ kind }) => kind === 'output'),
    { name: 'keys_in', dtype: keyStorage(form), kind: 'input' },
    ...(input ? [{ name: 'values_in', dtype: input, kind: 'input' } as const] : []),
    number('keys_in_at', 'u64'),
    number('keys_out_at', 'u64'),
    ...(moved ? [number('values_out_at', 'u64')] : []),
    ...(input ? [number('values_in_at', 'u64')] : []),
    number('n', 'u32'),
    number('lines', 'u64'),
    number('flip', keyType(form)),
    number('keeps_keys', 'u32'),
    ...own.filter(({ kind }) => kind === 'number'),
  ];
}

/** The lines of a group that follow each other, so that it has as many keys as it can sort at once. */
export function rowsOfTile({ form }: SortWork, n: number): number {
  return Math.floor(localTile(form) / n);
}

/** Rounds that put keys back to their lines. */
export function lineRounds(rows: number): number {
  return rows === 1 ? 0 : Math.ceil(Math.log2(rows + 1) / ROUND_BITS);
}

/**
 * The sort of short lines: a group has as many as fit into its shared memory, and sorts all of their keys as one by rounds of 4 bits,
 * those of keys first, then those of the line's number. Where keys were is known anyhow: one text, of a work with a payload, serves
 * sorts of keys alone, too.
 */
export function sortRows(work: SortWork, shuffles: boolean): KernelText {
  const { form, payload } = work;
  const sort: LocalSort = { form, withPlaces: true, shuffles };
  const keyRounds = (8 * keySize(form)) / ROUND_BITS;
  const round = (digit: string): string => indent(localRoundText(sort, digit));
  const value = payload === 'index' ? '(i64)(from[i] % n)' : 'values_in[values_in_at + first + from[i]]';
  const write = [
    'if (keeps_keys != 0) keys_out[keys_out_at + first + p] = decode_key(key[i], flip);',
    `if (keeps_values != 0) values_out[values_out_at + first + p] = ${value};`,
  ];
  const body = `
${localDeclarations(sort)}
const u64 line = (u64)GROUP_ID(x) * rows;
const u64 first = line * n;
const u32 count = (u32)(lines - line < rows ? lines - line : rows) * n;
${localReadText(sort, `p < count ? encode_key(keys_in[keys_in_at + first + p], flip) : ~(${keyType(form)})0`)}
for (u32 round = 0; round < ${keyRounds}; round++) {
${round(`((u32)(key_of(key[i]) >> (round * ${ROUND_BITS})) & ${2 ** ROUND_BITS - 1}u)`)}
}
for (u32 round = 0; round < line_rounds; round++) {
${round(`((from[i] / n >> (round * ${ROUND_BITS})) & ${2 ** ROUND_BITS - 1}u)`)}
}
${localWriteText(sort, `if (p < count) {\n${indent(write.join('\n'))}\n}`)}`;
  const parameters = lineParameters(work, [
    { name: 'rows', dtype: 'u32', kind: 'number' },
    { name: 'line_rounds', dtype: 'u32', kind: 'number' },
    { name: 'keeps_values', dtype: 'u32', kind: 'number' },
  ]);
  return { name: workName('rows', work), parameters, body, preamble: workText(work) };
}

/** Keys of a run that are put in order one by one. */
const RUN = 16;

/**
 * The same where threads run one after another: a thread sorts line after line, runs of a few keys first, which are merged. Of each
 * group there is room for a line, twice.
 */
export function mergeRows(work: SortWork): KernelText {
  const { form, payload } = work;
  const moved = movedType(work);
  const storage = keyStorage(form);
  const type = keyType(form);
  const hasValues = moved !== undefined;
  const place = (lines: string): string => (hasValues ? lines : '');
  const value = payload === 'index' ? '(i64)from[i]' : hasValues ? 'values_in[values_in_at + at + from[i]]' : '';
  const body = `
const u64 begin = GROUP_ID(x) * rows, end = begin + rows < lines ? begin + rows : lines;
GLOBAL ${storage} *one = room + (u64)GROUP_ID(x) * 2 * n, *other = one + n;
${place(`GLOBAL u32 *from = places + (u64)GROUP_ID(x) * 2 * n, *other_from = from + n;`)}
for (u64 line = begin; line < end; line++) {
  const u64 at = line * n;
  for (u32 i = 0; i < n; i++) {
    const ${type} k = encode_key(keys_in[keys_in_at + at + i], flip), order = key_of(k);
    u32 j = i;
    for (; j % ${RUN} > 0 && key_of(one[j - 1]) > order; j--) {
      one[j] = one[j - 1];
${place('      from[j] = from[j - 1];')}
    }
    one[j] = k;
${place('    from[j] = i;')}
  }
  for (u32 width = ${RUN}; width < n; width *= 2) {
    for (u32 start = 0; start < n; start += 2 * width) {
      const u32 middle = start + width < n ? start + width : n, stop = middle + width < n ? middle + width : n;
      u32 a = start, b = middle;
      for (u32 i = start; i < stop; i++) {
        const bool is_first = b >= stop || (a < middle && key_of(one[a]) <= key_of(one[b]));
        const u32 k = is_first ? a : b;
        other[i] = one[k];
${place('        other_from[i] = from[k];')}
        a += is_first ? 1 : 0;
        b += is_first ? 0 : 1;
      }
    }
    GLOBAL ${storage} *swapped = one;
    one = other;
    other = swapped;
${place('    GLOBAL u32 *swapped_from = from;\n    from = other_from;\n    other_from = swapped_from;')}
  }
  if (keeps_keys != 0) for (u32 i = 0; i < n; i++) keys_out[keys_out_at + at + i] = decode_key(one[i], flip);
${place(`  for (u32 i = 0; i < n; i++) values_out[values_out_at + at + i] = ${value};`)}
}`;
  const parameters = lineParameters(work, [
    { name: 'room', dtype: storage, kind: 'output' },
    ...(hasValues ? [{ name: 'places', dtype: 'u32', kind: 'output' } as const] : []),
    { name: 'rows', dtype: 'u64', kind: 'number' },
  ]);
  return { name: workName('merge_rows', work), parameters, body, preamble: workText(work) };
}
