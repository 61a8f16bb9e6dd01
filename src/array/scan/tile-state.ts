import { indent } from '../kernel/indent.ts';
import type { Accumulator } from './accumulator.ts';
import { WARP } from './rows-kernel.ts';

/** Words of 64 bits that have the state of a tile and its sum: one for each 32 bits of the sum. */
export function stateWords({ size }: Pick<Accumulator, 'size'>): number {
  return Math.ceil(size / 4);
}

/**
 * The lines that publish a sum, in the words at `word`: above each 32 bits of it is 1 where it is the tile's, 2 where it is that of
 * all up to it. A word is written at once, so that a sum is whole where all of its words say the same, and nothing has to be fenced.
 */
export function publishText({ words }: Accumulator, stage: string, name: string): string {
  return words(name)
    .map((bits, i) => `word[${i}] = (u64)${stage} << 32 | ${bits};`)
    .join('\n');
}

/**
 * The lines in which the first warp looks at the tiles before `tile_of_line`, whose words are at `word`, a warp's width of them at
 * once, until one says what all up to it come to. Then `earlier` has what the tiles before come to.
 */
export function lookBackText(accumulator: Accumulator): string {
  const { type, neutral, combine } = accumulator;
  const words = stateWords(accumulator);
  const seen = Array.from({ length: words }, (_, i) => `(u32)seen[${i}]`);
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
  ${type} part = ${neutral};
  if (at >= 0 && tid <= nearest) part = ${accumulator.ofWords(seen)};
  UNROLL
  for (u32 mask = 1; mask < 32; mask *= 2) {
    const ${type} other = ${accumulator.shuffle('down', 'part', 'mask')};
    if (tid + mask < 32) part = ${combine('other', 'part')};
  }
  part = ${accumulator.shuffle('', 'part', '0')};
  earlier = ${combine('part', 'earlier')};
  if (ends != 0) break;
}`.trim();
}

/**
 * The lines that have, behind a tile's own `before` and `total`, in `carry` what the tiles before it come to; `before` begins with
 * that. The first warp publishes and looks back, `start` is in shared memory.
 */
export function carryText(accumulator: Accumulator): string {
  const { type, neutral, combine } = accumulator;
  return `
if (tid < ${WARP}) {
  ${type} earlier = ${neutral};
  if (tile_of_line > 0) {
    if (tid == 0) {
${indent(indent(indent(publishText(accumulator, '1', 'total'))))}
    }
${indent(indent(lookBackText(accumulator)))}
  }
  if (tid == 0) {
    start = earlier;
    const ${type} sum = ${combine('earlier', 'total')};
${indent(indent(publishText(accumulator, '2', 'sum')))}
  }
}
BARRIER();
const ${type} carry = start;
before = ${combine('carry', 'before')};`.trim();
}
