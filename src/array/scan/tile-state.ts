import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { shuffleText } from './rows-kernel.ts';
import { accumulatorType, type ScanWork } from './scan-text.ts';

/** Words of 64 bits that have the state of a tile and its sum: one for each 32 bits of the sum. */
export function stateWords(accumulator: ArrayDType): number {
  return arrayDTypes[accumulator].size / 4;
}

/**
 * The lines that publish a sum, in the words at `word`: above each 32 bits of it is 1 where it is the tile's, 2 where it is that of
 * all up to it. A word is written at once, so that a sum is whole where all of its words say the same, and nothing has to be fenced.
 */
export function publishText(accumulator: ArrayDType, stage: string, name: string): string {
  return wordsText(accumulator, name)
    .map((bits, i) => `word[${i}] = (u64)${stage} << 32 | ${bits};`)
    .join('\n');
}

/**
 * The lines in which the first warp looks at the tiles before `tile_of_line`, whose words are at `word`, a warp's width of them at
 * once, until one says what all up to it come to. Then `earlier` has what the tiles before come to.
 */
export function lookBackText(work: ScanWork): string {
  const { accumulator, operation } = work;
  const type = accumulatorType(work);
  const { combine } = operation;
  const words = stateWords(accumulator);
  return `
for (i64 back = 1; ; back += 32) {
  const i64 at = (i64)tile_of_line - back - tid;
  u64 seen[${words}];
  u32 stage, ends, nearest;
  do {
    stage = 2;
    if (at >= 0) {
      UNROLL
      for (u32 i = 0; i < ${words}; i++) seen[i] = *(word - (back + tid) * ${words} + i);
      stage = (u32)(seen[0] >> 32);
      UNROLL
      for (u32 i = 1; i < ${words}; i++) if ((u32)(seen[i] >> 32) != stage) stage = 0;
    }
    ends = __ballot_sync(0xffffffffu, stage == 2);
    nearest = ends == 0 ? 31 : __ffs(ends) - 1;
  } while (__any_sync(0xffffffffu, stage == 0 && tid <= nearest));
  ${type} part = ${operation.neutral(accumulator)};
  if (at >= 0 && tid <= nearest) part = ${ofWordsText(accumulator)};
  UNROLL
  for (u32 mask = 16; mask > 0; mask /= 2) {
    const ${type} other = ${shuffleText(accumulator, 'xor', 'part', 'mask')};
    part = ${combine('part', 'other', accumulator)};
  }
  earlier = ${combine('part', 'earlier', accumulator)};
  if (ends != 0) break;
}`.trim();
}

/** The bits of a sum, 32 at a time. */
function wordsText(accumulator: ArrayDType, name: string): string[] {
  const { kind, part, size } = arrayDTypes[accumulator];
  if (kind === 'complex') return ['x', 'y'].flatMap((each) => wordsText(part, `${name}.${each}`));
  if (size === 4) return [part === 'f32' ? `BITS_F32(${name})` : `(u32)${name}`];
  const bits = part === 'f64' ? `BITS_F64(${name})` : `(u64)${name}`;
  return [`(u32)${bits}`, `(u32)(${bits} >> 32)`];
}

/** The sum of the words that have been seen, from the given one on. */
function ofWordsText(accumulator: ArrayDType, first = 0): string {
  const { kind, part, size } = arrayDTypes[accumulator];
  if (kind === 'complex') {
    return `${accumulator.toUpperCase()}(${ofWordsText(part, first)}, ${ofWordsText(part, first + size / 8)})`;
  }
  const low = `(u32)seen[${first}]`;
  if (size === 4) return part === 'f32' ? `FLOAT_U32(${low})` : `(${accumulator})${low}`;
  const bits = `((u64)(u32)seen[${first + 1}] << 32 | ${low})`;
  return part === 'f64' ? `FLOAT_U64(${bits})` : `(${accumulator})${bits}`;
}
