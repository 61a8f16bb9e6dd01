import type { KernelText } from '../kernel/source.ts';
import {
  accumulatorOfWork,
  placeTypes,
  preambleOf,
  readText,
  scanName,
  scanParameters,
  writeText,
  type ScanMode,
  type ScanWork,
} from './scan-text.ts';

/** How a thread of {@link serialScan} goes along its lines. */
export interface SerialScan {
  readonly mode: ScanMode;
  readonly wide: boolean;
  /** Lines that a thread has at once, whose elements are neighbours; 1 where neighbouring threads have them. */
  readonly block: number;
}

/**
 * The scan in which a thread goes along a line, or a chunk of it. Neighbouring threads have neighbouring lines, so that a GPU
 * reads neighbours at once where the lines lie across memory; where compilers put elements together, a thread has a block of such
 * lines. Threads are counted line by line, then chunk by chunk.
 */
export function serialScan(work: ScanWork, { mode, wide, block }: SerialScan): KernelText {
  const { index, stride } = placeTypes(wide);
  const { type, neutral, combine } = accumulatorOfWork(work);
  const { isExclusive = false } = work.operation;
  const isReduced = mode === 'reduce';
  const name = scanName(work, ['serial', mode, ...(block > 1 ? [`by${block}`] : [])], wide);
  const body = `
const ${index} thread = (${index})GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x);
const ${index} blocks = (n0 + ${block - 1}) / ${block};
const ${index} line_blocks = lines / n0 * blocks;
if (thread >= line_blocks * chunks) return;
const ${index} chunk = thread / line_blocks, row = thread % line_blocks;
const ${index} r1 = row / blocks, r0 = row % blocks * ${block};
const ${index} first = chunk * chunk_length;
const ${index} last = first + chunk_length < n ? first + chunk_length : n;
const ${index} line = r1 * n0 + r0;
${stride} from = (${stride})in_at + (${stride})r0 * in_step0 + (${stride})r1 * in_step1 + (${stride})first * in_step;
${isReduced ? '' : `${stride} to = (${stride})out_at + (${stride})r0 * out_step0 + (${stride})r1 * out_step1 + (${stride})first * out_step;`}
${block > 1 ? `const u32 width = (u32)(n0 - r0 < ${block} ? n0 - r0 : ${block});` : ''}
${block > 1 ? blockText() : lineText()}`;
  return { name, parameters: scanParameters(work, mode, wide), body, ...preambleOf(work) };

  function lineText(): string {
    const write = `out[to] = ${writeText(work, 'sum')};`;
    return `
${type} sum = ${neutral};
${mode === 'carry' ? 'if (chunk > 0) sum = sums[(chunk - 1) * lines + line];' : ''}
for (${index} i = first; i < last; i++) {
  const ${type} x = ${readText(work, 'from')};
${isExclusive && !isReduced ? `  ${write}\n` : ''}  sum = ${combine('sum', 'x')};
  from += in_step;
${isReduced ? '' : `${isExclusive ? '' : `  ${write}\n`}  to += out_step;`}
}
${isReduced ? 'sums[chunk * lines + line] = sum;' : ''}`;
  }

  function blockText(): string {
    return `
${type} sum[${block}];
for (u32 j = 0; j < ${block}; j++) sum[j] = ${neutral};
${mode === 'carry' ? 'if (chunk > 0) for (u32 j = 0; j < width; j++) sum[j] = sums[(chunk - 1) * lines + line + j];' : ''}
if (width == ${block}) {
  for (${index} i = first; i < last; i++) {
    for (u32 j = 0; j < ${block}; j++) {
${stepText('      ')}
    }
    from += in_step;
${isReduced ? '' : '    to += out_step;'}
  }
} else {
  for (${index} i = first; i < last; i++) {
    for (u32 j = 0; j < width; j++) {
${stepText('      ')}
    }
    from += in_step;
${isReduced ? '' : '    to += out_step;'}
  }
}
${isReduced ? 'for (u32 j = 0; j < width; j++) sums[chunk * lines + line + j] = sum[j];' : ''}`;
  }

  function stepText(indent: string): string {
    const lines = [
      `const ${type} x = ${readText(work, 'from + j')};`,
      `const ${type} before = sum[j];`,
      `const ${type} after = ${combine('before', 'x')};`,
      'sum[j] = after;',
      ...(isReduced ? [] : [`out[to + j] = ${writeText(work, isExclusive ? 'before' : 'after')};`]),
    ];
    return lines.map((line) => indent + line).join('\n');
  }
}
