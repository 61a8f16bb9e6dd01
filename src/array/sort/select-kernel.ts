import type { ArrayDType } from '../dtype.ts';
import type { Dialect, Parameter } from '../kernel/dialect.ts';
import type { KernelText } from '../kernel/source.ts';
import { DIGITS, keyStorage, keyText, keyType, type KeyForm } from './key.ts';
import { addShared } from './work.ts';

/** Keys of a thread in a tile, where many threads share one. */
export const SELECT_ITEMS = 8;

/** How the kernels of a selection are written. */
export interface SelectWork {
  readonly form: KeyForm;
  /** Threads of a group: 1 where they run one after another, whose tiles are as long as they are told to be. */
  readonly threads: number;
}

/** Words of a line: the chosen key as far as it is known, the rank among the keys that begin so, how many are less, how many equal. */
export const CHOSEN_WORDS = 4;

function memory(name: string, dtype: ArrayDType, kind: 'output' | 'input'): Parameter {
  return { name, dtype, kind };
}

function numbers(dtype: ArrayDType, names: readonly string[]): Parameter[] {
  return names.map((name) => ({ name, dtype, kind: 'number' }));
}

function nameOf(kind: string, { form, threads }: SelectWork): string {
  return `select_${kind}_${form}${threads === 1 ? '_serial' : ''}`;
}

const TILE = `
const u32 tid = LOCAL_ID(x);
const u64 line = GROUP_ID(x) / tiles, tile = GROUP_ID(x) % tiles;
const u64 begin = tile * tile_length, end = begin + tile_length < n ? begin + tile_length : n;`.trim();

/**
 * How often each value of a digit is there among the keys whose higher digits are those of the chosen one: the selection by digits
 * from the first one on, by T. Alabi, J. D. Blanchard, B. Gordon, R. Steinbach, "Fast k-selection algorithms for graphics
 * processing units" (2012).
 */
export function countChosen(work: SelectWork, dialect: Dialect): KernelText {
  const { form, threads } = work;
  const at = `counts_here + ((u32)(k >> shift) & ${DIGITS - 1}u)`;
  const body = `
SHARED u32 counts_here[${DIGITS}];
${TILE}
const u64 chosen_digits = chosen[line * ${CHOSEN_WORDS}] >> shift >> 8;
for (u32 i = tid; i < ${DIGITS}; i += ${threads}) counts_here[i] = 0;
BARRIER();
for (u64 i = begin + tid; i < end; i += ${threads}) {
  const ${keyType(form)} k = key_of(encode_key(keys_in[keys_in_at + line * n + i], flip));
  if ((u64)k >> shift >> 8 == chosen_digits) ${threads === 1 ? `(*(${at}))++` : addShared(dialect, at, '1u')};
}
BARRIER();
for (u32 i = tid; i < ${DIGITS}; i += ${threads}) {
  if (counts_here[i] > 0) scatter_add_u32(counts, line * ${DIGITS} + i, counts_here[i]);
}`;
  const parameters = [
    memory('counts', 'u32', 'output'),
    memory('keys_in', keyStorage(form), 'input'),
    memory('chosen', 'u64', 'input'),
    ...numbers('u64', ['keys_in_at', 'n', 'tiles', 'tile_length']),
    ...numbers('u32', ['shift']),
    ...numbers(keyType(form), ['flip']),
  ];
  return { name: nameOf('count', work), parameters, body, preamble: keyText(form) };
}

/** The digit that the key of the rank has, of each line by a group. The counts are 0 afterwards, for the next digit. */
export function chooseDigit({ threads }: SelectWork): KernelText {
  const body = `
SHARED u32 counts_here[${DIGITS}];
const u32 tid = LOCAL_ID(x);
const u64 line = GROUP_ID(x);
for (u32 i = tid; i < ${DIGITS}; i += ${threads}) {
  counts_here[i] = counts[line * ${DIGITS} + i];
  counts[line * ${DIGITS} + i] = 0;
}
BARRIER();
if (tid == 0) {
  GLOBAL u64 *mine = chosen + line * ${CHOSEN_WORDS};
  u32 digit = 0;
  u64 less = 0;
  while (digit < ${DIGITS - 1} && less + counts_here[digit] <= mine[1]) less += counts_here[digit++];
  mine[0] |= (u64)digit << shift;
  mine[1] -= less;
  mine[2] += less;
  mine[3] = counts_here[digit];
}`;
  const parameters = [
    memory('chosen', 'u64', 'output'),
    memory('counts', 'u32', 'output'),
    ...numbers('u32', ['shift']),
  ];
  return { name: `select_digit_by_${threads}`, parameters, body };
}

/** The lines that count, of a thread's keys, those less than the chosen one in the lower half of `own`, equal ones in the upper half. */
function classify({ threads }: SelectWork): string {
  const items = threads === 1 ? 'tile_length' : String(SELECT_ITEMS);
  return `
${TILE}
const u64 chosen_key = chosen[line * ${CHOSEN_WORDS}];
const u64 start = begin + tid * ${items}, stop = start + ${items} < end ? start + ${items} : end;
u64 own = 0;
for (u64 i = start; i < stop; i++) {
  const u64 k = key_of(encode_key(keys_in[keys_in_at + line * n + i], flip));
  own += k < chosen_key ? 1 : k == chosen_key ? (u64)1 << 32 : 0;
}`.trim();
}

const PARAMETERS = (form: KeyForm): Parameter[] => [
  ...numbers('u64', ['keys_in_at', 'n', 'tiles', 'tile_length']),
  ...numbers(keyType(form), ['flip']),
];

/** How many keys of each tile are less than the chosen one, and how many are equal to it. */
export function countClasses(work: SelectWork): KernelText {
  const { form, threads } = work;
  const body = `
SHARED u64 sums[${threads}];
${classify(work)}
sums[tid] = own;
BARRIER();
for (u32 distance = ${Math.floor(threads / 2)}; distance > 0; distance /= 2) {
  if (tid < distance) sums[tid] += sums[tid + distance];
  BARRIER();
}
if (tid == 0) {
  classes[2 * (u64)GROUP_ID(x)] = (u32)sums[0];
  classes[2 * (u64)GROUP_ID(x) + 1] = sums[0] >> 32;
}`;
  const parameters = [
    memory('classes', 'u64', 'output'),
    memory('keys_in', keyStorage(form), 'input'),
    memory('chosen', 'u64', 'input'),
    ...PARAMETERS(form),
  ];
  return { name: nameOf('classes', work), parameters, body, preamble: keyText(form) };
}

/**
 * The keys less than the chosen one, then those equal to it, then the others, each in their order, up to `limit` of a line; and
 * where they were. `before` has how many of a class the tiles up to each have.
 */
export function writeClasses(work: SelectWork): KernelText {
  const { form, threads } = work;
  const scan =
    threads === 1
      ? 'const u64 own_before = 0;'
      : `
sums[tid] = own;
u32 now = 0;
BARRIER();
for (u32 distance = 1; distance < ${threads}; distance *= 2) {
  const u64 sum = sums[now + tid] + (tid >= distance ? sums[now + tid - distance] : 0);
  now ^= ${threads};
  sums[now + tid] = sum;
  BARRIER();
}
const u64 own_before = sums[now + tid] - own;`.trim();
  const body = `
${threads === 1 ? '' : `SHARED u64 sums[${2 * threads}];`}
${classify(work)}
${scan}
u64 less = (u32)own_before, equal = own_before >> 32;
if (tile > 0) {
  less += before[2 * ((u64)GROUP_ID(x) - 1)];
  equal += before[2 * ((u64)GROUP_ID(x) - 1) + 1];
}
const u64 all_less = chosen[line * ${CHOSEN_WORDS} + 2], not_greater = all_less + chosen[line * ${CHOSEN_WORDS} + 3];
for (u64 i = start; i < stop; i++) {
  const ${keyStorage(form)} element = keys_in[keys_in_at + line * n + i];
  const u64 k = key_of(encode_key(element, flip));
  u64 to = not_greater + i - less - equal;
  if (k < chosen_key) to = less++;
  else if (k == chosen_key) to = all_less + equal++;
  if (to < limit) {
    if (keeps_keys != 0) keys_out[keys_out_at + line * limit + to] = element;
    if (keeps_places != 0) places_out[places_out_at + line * limit + to] = (i64)i;
  }
}`;
  const parameters = [
    memory('keys_out', keyStorage(form), 'output'),
    memory('places_out', 'i64', 'output'),
    memory('keys_in', keyStorage(form), 'input'),
    memory('chosen', 'u64', 'input'),
    memory('before', 'u64', 'input'),
    ...PARAMETERS(form),
    ...numbers('u64', ['keys_out_at', 'places_out_at', 'limit']),
    ...numbers('u32', ['keeps_keys', 'keeps_places']),
  ];
  return { name: nameOf('write', work), parameters, body, preamble: keyText(form) };
}
