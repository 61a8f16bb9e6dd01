import type { Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { DIGITS, digitText, keyType } from './key.ts';
import { countType, passParameters, passText, workName, workText, type SortWork } from './work.ts';

const CHUNKS: readonly Parameter[] = [
  { name: 'chunks', dtype: 'u32', kind: 'number' },
  { name: 'chunk_length', dtype: 'u64', kind: 'number' },
];

const CHUNK = `
const u32 line = GROUP_ID(x) / chunks, chunk = GROUP_ID(x) % chunks;
const count_t begin = (count_t)(chunk * chunk_length);
const count_t end = n - begin < chunk_length ? n : (count_t)(begin + chunk_length);
`.trim();

/**
 * How often each value of a digit is there in each chunk of a line, where the threads of a group run one after another: a thread
 * has a chunk.
 */
export function countDigits(work: SortWork): KernelText {
  const keys = { ...work, payload: 'none' } as const;
  const loop = (isFirst: boolean): string => `
for (count_t i = begin; i < end; i++) {
  const ${keyType(work.form)} k = ${isFirst ? 'encode_key(keys_from[i], flip)' : 'keys_from[i]'};
  mine[${digitText('k', 'shift')}]++;
}`;
  const body = `
u32 mine[${DIGITS}];
${CHUNK}
${passText(keys)}
for (u32 i = 0; i < ${DIGITS}; i++) mine[i] = 0;
if (first) {
${indent(loop(true).trim())}
} else {
${indent(loop(false).trim())}
}
for (u32 i = 0; i < ${DIGITS}; i++) counts[(u64)GROUP_ID(x) * ${DIGITS} + i] = mine[i];`;
  const parameters = passParameters(keys, [{ name: 'counts', dtype: countType(work), kind: 'output' }, ...CHUNKS]);
  return { name: workName('count_digits', keys), parameters, body, preamble: workText(work) };
}

/** The pass after it: a thread puts the keys of its chunk where those of their digit go, behind those of the chunks before. */
export function scatterChunks(work: SortWork): KernelText {
  const hasValues = work.payload !== 'none';
  const isIndex = work.payload === 'index';
  const loop = (isFirst: boolean, isLast: boolean): string => `
for (count_t i = begin; i < end; i++) {
  const ${keyType(work.form)} k = ${isFirst ? 'encode_key(keys_from[i], flip)' : 'keys_from[i]'};
  const count_t to = place[${digitText('k', 'shift')}]++;
  ${isLast ? 'if (writes_keys) keys_to[to] = decode_key(k, flip)' : 'keys_to[to] = k'};
${hasValues ? `  ${isIndex && isLast ? 'indices[to] = (i64)' : 'values_to[to] = '}${isIndex && isFirst ? 'i' : 'values_from[i]'};\n` : ''}}`;
  const body = `
count_t place[${DIGITS}];
${CHUNK}
${passText(work)}
${isIndex ? 'GLOBAL i64 *indices = values_out + values_out_at + line_at;' : ''}
for (u32 i = 0; i < ${DIGITS}; i++) place[i] = starts[i];
for (u32 c = 0; c < chunk; c++) {
  for (u32 i = 0; i < ${DIGITS}; i++) place[i] += counts[((u64)line * chunks + c) * ${DIGITS} + i];
}
if (first) {
  if (last) {
${indent(indent(loop(true, true).trim()))}
  } else {
${indent(indent(loop(true, false).trim()))}
  }
} else if (last) {
${indent(loop(false, true).trim())}
} else {
${indent(loop(false, false).trim())}
}`;
  const parameters = passParameters(work, [{ name: 'counts', dtype: countType(work), kind: 'input' }, ...CHUNKS]);
  return { name: workName('scatter', work), parameters, body, preamble: workText(work) };
}
