import type { KernelText } from '../kernel/source.ts';
import type { CompactText, CountType } from './compact-text.ts';
import { compactParameters, type CompactMode } from './tile-kernel.ts';

/** The same where threads run one after another: each goes through a chunk, whose length comes behind the other numbers. */
export function compactChunks(text: CompactText, mode: CompactMode, count: CountType): KernelText {
  const { holds, write, writeOther, value } = text;
  const isCount = mode === 'count';
  const read = value === undefined ? '' : `const ${value[0]} value = ${value[1]('i')};\n    `;
  const other =
    writeOther === undefined
      ? ''
      : ` else {
    ${read}${writeOther('i', 'rank', 'value')}
  }`;
  const step = isCount
    ? `rank += ${holds('i')} ? 1 : 0;`
    : `if (${holds('i')}) {
    ${read}${write('i', 'rank', 'value')}
    rank++;
  }${other}`;
  const body = `
const ${count} chunk = GROUP_ID(x), base = chunk * chunk_length;
const ${count} end = base + chunk_length < n ? base + chunk_length : n;
${count} rank = ${isCount ? '0' : `(${count})offsets[chunk]`};
for (${count} i = base; i < end; i++) {
  ${step}
}
${isCount ? 'counts[chunk] = rank;' : ''}`;
  const parameters = [
    ...compactParameters(text, mode, count).filter((parameter) => parameter.name !== 'flags_of_tiles'),
    { name: 'chunk_length', dtype: count, kind: 'number' } as const,
  ];
  const name = [text.name, mode, 'chunks', ...(count === 'u64' ? ['wide'] : [])].join('_');
  return { name, parameters, body, preamble: text.preamble ?? '', head: text.head ?? '' };
}
