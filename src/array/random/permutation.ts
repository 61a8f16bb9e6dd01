import { normalizeAxis } from '../axes.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { take } from '../function/gather.ts';
import { lengthAt } from '../layout.ts';
import { engineOf, laneOf, type NDArray, type OutOptions } from '../ndarray.ts';
import { draw } from './draw.ts';
import type { DrawText } from './draw-text.ts';
import { philox } from './philox.ts';
import { word } from './philox-text.ts';
import type { PhiloxStream } from './stream.ts';
import type { Target } from './target.ts';

/** Rounds of the network, each with a key of its own. */
const ROUNDS = 24;
/** Bits of numbers that are permuted, at least. */
const MIN_BITS = 4;

/**
 * A text whose element at a place is what a bijection makes of the place: a Feistel network of two parts, each of which takes up a hash
 * of the other one, over as many bits as the length has. What it makes beyond the length goes through it again (cycle walking), so that
 * the places below the length are permuted. A network has even permutations alone: another bit swaps two integers or does not, so that
 * both signs are there. The idea is that of R. Mitchell, D. Stokes, E. Frank, G. Holmes: Bandwidth-optimal random
 * shuffling for GPUs (2021).
 */
function permutationText(dtype: ArrayDType): DrawText {
  const rounds = Array.from({ length: ROUNDS }, (_, i) => {
    const [one, other] = i % 2 === 0 ? ['low', 'high'] : ['high', 'low'];
    return `  CROSS(${one}, ${other}, r${i})`;
  });
  const bits = arrayDTypes[dtype].size * 8;
  const step = `\
u32 low = (u32)x & low_mask, high = (u32)(x >> low_bits) & high_mask;
${rounds.join('\n')}
x = ((u64)high << low_bits) | low;
x ^= x < 2 ? swap : 0;
value[0] = (${dtype})x;`;
  const isOpen = `(u32)((u64)(u${bits})value[0] >= length)`;
  return {
    name: `permutation_${dtype}`,
    dtype,
    lanes: 1,
    numbers: [
      { name: 'length', dtype: 'u64', kind: 'number' },
      { name: 'low_bits', dtype: 'u32', kind: 'number' },
      { name: 'low_mask', dtype: 'u32', kind: 'number' },
      { name: 'high_mask', dtype: 'u32', kind: 'number' },
      { name: 'swap', dtype: 'u32', kind: 'number' },
      ...Array.from({ length: ROUNDS }, (_, i) => ({ name: `r${i}`, dtype: 'u32', kind: 'number' }) as const),
    ],
    preamble: `
#define CROSS(one, other, key) \\
  { \\
    const u32 product = (other ^ key) * ${word(0x9e3779b1)}; \\
    const u32 hash = (product ^ (product >> 16)) * ${word(0x85ebca77)}; \\
    one ^= ((hash >> 16) | (hash << 16)) & one##_mask; \\
  }
`,
    // The counter is the place, also where several launches make a whole.
    lines: `u64 x = ((u64)c1 << 32) | (c0 + unit);\n${step}\nagain |= ${isOpen};`,
    retry: `u64 x = (u${bits})value[0];\n${step}\nagain = ${isOpen};`,
    isOpen,
  };
}

/** The first elements of a permutation of the integers from 0 below a length. */
export function permuted(stream: PhiloxStream, target: Target, length: number): NDArray {
  const text = permutationText(target.dtype);
  const bits = Math.max(MIN_BITS, (length - 1).toString(2).length);
  const low = Math.ceil(bits / 2);
  const { counter, jumps, key } = stream.take(ROUNDS / 4 + 1);
  const keys = Array.from({ length: ROUNDS / 4 + 1 }, (_, i) => {
    const at = BigInt.asUintN(64, counter + BigInt(i));
    return philox([Number(at & 0xffff_ffffn), Number(at >> 32n), 0, jumps], key);
  });
  const position = { counter: 0n, jumps: 0, key: [0, 0] as const };
  const words = keys.flat();
  const swap = (words[ROUNDS] as number) & 1;
  const masks = [2 ** low - 1, 2 ** (bits - low) - 1];
  return draw(target, text, position, [length, low, ...masks, swap, ...words.slice(0, ROUNDS)]);
}

/** The dtypes of places. */
export const PLACES: readonly ArrayDType[] = ['i64', 'i32'];

/** The elements of an axis in another order, in a new array or in `out`, which may be the array. */
export function shuffled(
  stream: PhiloxStream,
  array: NDArray,
  axis: number,
  what: string,
  options: OutOptions,
): NDArray {
  const at = normalizeAxis(axis, array.ndim, `${what}: axis`);
  const engine = engineOf(array);
  const lane = engine.laneOf(options, what) ?? laneOf(array);
  const length = lengthAt(array.shape, at);
  using order = permuted(stream, { engine, lane, shape: [length], dtype: 'i64', out: undefined }, length);
  return take(array, order, { ...options, axis: at });
}
