import { nameOf } from '../../core/check.ts';
import { arrayDTypes, checkHolds, type ArrayDType } from '../dtype.ts';
import type { NDArray } from '../ndarray.ts';
import { sizeOf } from '../shape.ts';
import { draw, unitsOf } from './draw.ts';
import type { DrawText } from './draw-text.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';
import { wideWord, wordsText } from './words.ts';

/** An integer that limits others. */
export type IntegerLimit = number | bigint;

/** The options of {@link RandomGenerator.integers}. */
export interface IntegerOptions<D extends ArrayDType = ArrayDType> extends RandomOptions<D> {
  /** Whether `high` is drawn too. */
  readonly endpoint?: boolean | undefined;
}

const INTEGERS: readonly ArrayDType[] = ['i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8', 'bool'];

const WORD = 1n << 32n;

/**
 * Integers of fewer than 2^32: the high half of a word times their number, and again by another word where the low half is one of
 * those that some integers would have more of. D. Lemire: Fast random integer generation in an interval (2019).
 */
function narrowText(dtype: ArrayDType): DrawText {
  const bits = arrayDTypes[dtype].size * 8;
  const each = (line: (k: number) => string): string => Array.from({ length: 4 }, (_, k) => line(k)).join('\n');
  const integer = (k: number): string => `(u${bits})((u${bits})low + (u${bits})(p${k} >> 32))`;
  const to = dtype === 'bool' ? 'u8' : dtype;
  return {
    name: `integers_${dtype}`,
    dtype,
    lanes: 4,
    numbers: [
      { name: 'low', dtype, kind: 'number' },
      { name: 'count', dtype: 'u32', kind: 'number' },
      { name: 'limit', dtype: 'u32', kind: 'number' },
    ],
    lines: `\
const words w = DRAW(0);
${each((k) => {
  return `\
const u64 p${k} = (u64)w.v[${k}] * count;
value[${k}] = (${to})${integer(k)};
again |= (u32)((u32)p${k} < limit) << ${k};`;
})}`,
    retry: `\
const words w = DRAW(attempt);
${each((k) => {
  return `\
const u64 p${k} = (u64)w.v[${k}] * count;
if ((again >> ${k} & 1u) != 0 && (u32)p${k} >= limit) {
  value[${k}] = (${to})${integer(k)};
  again &= ~${1 << k}u;
}`;
})}`,
  };
}

/** Integers of more: as many bits as they have, again where that is too many. */
function wideText(dtype: ArrayDType): DrawText {
  const each = (line: (k: number) => string): string => Array.from({ length: 2 }, (_, k) => line(k)).join('\n');
  return {
    name: `integers_wide_${dtype}`,
    dtype,
    lanes: 2,
    numbers: [
      { name: 'low', dtype, kind: 'number' },
      { name: 'count', dtype: 'u64', kind: 'number' },
      { name: 'mask', dtype: 'u64', kind: 'number' },
    ],
    lines: `\
const words w = DRAW(0);
${each((k) => {
  return `\
const u64 x${k} = ${wideWord(k)} & mask;
value[${k}] = (${dtype})((u64)low + x${k});
again |= (u32)(x${k} >= count) << ${k};`;
})}`,
    retry: `\
const words w = DRAW(attempt);
${each((k) => {
  return `\
const u64 x${k} = ${wideWord(k)} & mask;
if ((again >> ${k} & 1u) != 0 && x${k} < count) {
  value[${k}] = (${dtype})((u64)low + x${k});
  again &= ~${1 << k}u;
}`;
})}`,
  };
}

/** Integers from `low` below `high`. */
export function integers(
  find: FindEngine,
  stream: PhiloxStream,
  [low, high]: readonly [unknown, unknown],
  options: IntegerOptions | undefined,
): NDArray {
  const what = 'integers';
  const { endpoint, ...others } = options ?? {};
  if (endpoint !== undefined && typeof endpoint !== 'boolean') {
    throw new TypeError(`${what}: endpoint must be true or false, got ${nameOf(endpoint)}`);
  }
  const first = readInteger(low, `${what}: low`);
  const last = readInteger(high, `${what}: high`) - (endpoint === true ? 0n : 1n);
  const target = targetOf(find, what, others, INTEGERS);
  const { dtype } = target;
  if (last < first) {
    const least = endpoint === true ? 'at least' : 'greater than';
    throw new RangeError(`${what}: high must be ${least} low, ${first}, got ${String(high)}`);
  }
  checkRange(dtype, first);
  checkRange(dtype, last);
  const count = last - first + 1n;
  const bits = BigInt(arrayDTypes[dtype].size * 8);
  const take = (text: DrawText, numbers: readonly (number | bigint)[]): NDArray =>
    draw(target, text, stream.take(unitsOf(sizeOf(target.shape), text)), numbers);
  const lowest = bits === 64n ? first : Number(first);
  // All integers of 32 or 64 bits are words as they stand.
  if (count === 1n << bits && bits >= 32n) return take(wordsText(dtype), []);
  if (count < WORD) return take(narrowText(dtype), [lowest, Number(count), Number((WORD - count) % count)]);
  const mask = (1n << BigInt((count - 1n).toString(2).length)) - 1n;
  return take(wideText(dtype), [lowest, count, mask]);
}

function checkRange(dtype: ArrayDType, value: bigint): void {
  if (dtype !== 'bool') {
    checkHolds(dtype, value);
    return;
  }
  if (value !== 0n && value !== 1n) throw new RangeError(`${value} is not in 0 to 1, the range of bool`);
}

function readInteger(value: unknown, what: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  const message = `${what} must be an integer or a bigint, got ${nameOf(value)}`;
  throw typeof value === 'number' ? new RangeError(message) : new TypeError(message);
}
