import type { Dialect, Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { DIGITS, digitText, keyType } from './key.ts';
import {
  localDeclarations,
  localReadText,
  localRoundText,
  localTile,
  localWriteText,
  ROUND_BITS,
  type LocalSort,
} from './local-sort.ts';
import {
  addShared,
  countType,
  movedType,
  passParameters,
  passText,
  SORT_THREADS,
  workName,
  workText,
  type SortWork,
} from './work.ts';

const TILES: Parameter = { name: 'tiles', dtype: 'u32', kind: 'number' };

/** The lines that have the tile of a group. */
function tileText({ form }: SortWork): string {
  const tile = localTile(form);
  return `
const count_t base = (count_t)tile * ${tile};
const u32 count = n - base < ${tile} ? (u32)(n - base) : ${tile};`.trim();
}

const NUMBER = 'const u32 line = GROUP_ID(x) / tiles, tile = GROUP_ID(x) % tiles;';

/** How often each value of a digit is there in each tile: a row of counts a tile. */
export function countTiles(work: SortWork, dialect: Dialect): KernelText {
  const keys = { ...work, payload: 'none' } as const;
  const loop = (isFirst: boolean): string => `
for (u32 i = tid; i < count; i += ${SORT_THREADS}) {
  const ${keyType(work.form)} k = ${isFirst ? 'encode_key(keys_from[base + i], flip)' : 'keys_from[base + i]'};
  ${addShared(dialect, `mine + ${digitText('k', 'shift')}`, '1u')};
}`;
  const body = `
SHARED u32 mine[${DIGITS}];
const u32 tid = LOCAL_ID(x);
${NUMBER}
${passText(keys)}
${tileText(work)}
mine[tid] = 0;
BARRIER();
if (first) {
${indent(loop(true).trim())}
} else {
${indent(loop(false).trim())}
}
BARRIER();
counts[(u64)GROUP_ID(x) * ${DIGITS} + tid] = mine[tid];`;
  const parameters = passParameters(keys, [{ name: 'counts', dtype: countType(work), kind: 'output' }, TILES]);
  return { name: workName('count_tiles', keys), parameters, body, preamble: workText(work) };
}

/**
 * The pass after it, and after `before` has how many keys of a digit the tiles up to each have: a group puts its tile in order by the digit, in
 * two rounds of 4 bits, so that keys are written side by side. Groups wait for nobody.
 */
export function scatterTiles(work: SortWork, shuffles: boolean): KernelText {
  const { form, payload } = work;
  const moved = movedType(work);
  const sort: LocalSort = { form, withPlaces: moved !== undefined, shuffles };
  const value =
    payload === 'index'
      ? `(first ? (${moved})(base + from[i]) : values_from[base + from[i]])`
      : 'values_from[base + from[i]]';
  const body = `
${localDeclarations(sort)}
SHARED u32 starts_here[${DIGITS}];
${NUMBER}
${passText(work)}
${tileText(work)}
${payload === 'index' ? 'GLOBAL i64 *indices = values_out + values_out_at + line_at;' : ''}
// Behind the keys are some with the highest digit, which come behind all keys.
${localReadText(sort, `p >= count ? ~(${keyType(form)})0 : first ? encode_key(keys_from[base + p], flip) : keys_from[base + p]`)}
for (u32 round = 0; round < ${8 / ROUND_BITS}; round++) {
${indent(localRoundText(sort, `((u32)(key_of(key[i]) >> (shift + round * ${ROUND_BITS})) & ${2 ** ROUND_BITS - 1}u)`))}
}
${localWriteText(
  sort,
  `
const u32 digit = ${digitText('key[i]', 'shift')};
if (p == 0 || ${digitText('tile_keys[PLACE(p - 1)]', 'shift')} != digit) starts_here[digit] = p;`,
)}
BARRIER();
UNROLL
for (u32 i = 0; i < ${localTile(form) / SORT_THREADS}; i++) {
  const u32 p = tid + i * ${SORT_THREADS};
  if (p < count) {
    const u32 digit = ${digitText('key[i]', 'shift')};
    count_t to = starts[digit] + p - starts_here[digit];
    if (tile > 0) to += before[((u64)GROUP_ID(x) - 1) * ${DIGITS} + digit];
    if (writes_keys) keys_to[to] = last ? decode_key(key[i], flip) : key[i];
${
  moved === undefined
    ? ''
    : indent(
        indent(
          payload === 'index'
            ? `if (last) indices[to] = (i64)${value};\nelse values_to[to] = ${value};`
            : `values_to[to] = ${value};`,
        ),
      )
}
  }
}`;
  const parameters = passParameters(work, [{ name: 'before', dtype: countType(work), kind: 'input' }, TILES]);
  return { name: workName('scatter_tiles', work), parameters, body, preamble: workText(work) };
}
