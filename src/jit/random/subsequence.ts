import { LinearMap } from './linear-map.ts';

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);

/**
 * SplitMix64: G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, 2014; its output behind a seed. Every
 * seed has another one.
 */
function splitMix64(seed: bigint): bigint {
  let z = wrap(seed + GOLDEN);
  z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

/** 2^64 divided by the golden ratio: what the state of SplitMix64 grows by. */
const GOLDEN = 0x9e3779b97f4a7c15n;

function rotated(x: bigint, bits: bigint): bigint {
  return wrap(x << bits) | (x >> (64n - bits));
}

/** How one step of xoroshiro128+ changes the state: see `operation/random.ts`. */
function stepped(s0: bigint, s1: bigint): readonly [bigint, bigint] {
  const sum = s0 ^ s1;
  return [rotated(s0, 55n) ^ sum ^ wrap(sum << 14n), rotated(sum, 36n)];
}

function oneStep(): LinearMap {
  const columns = new BigUint64Array(256);
  for (let bit = 0; bit < 128; bit++) {
    const one = 1n << BigInt(bit);
    columns.set(stepped(wrap(one), one >> 64n), 2 * bit);
  }
  return new LinearMap(new Uint32Array(columns.buffer));
}

/** 2^64 steps, found by squaring one step: made when it is first needed. */
let jump: LinearMap | undefined;

function subsequenceJump(): LinearMap {
  if (jump) return jump;
  let map = oneStep();
  for (let power = 0; power < 64; power++) map = map.squared();
  return (jump = map);
}

/**
 * The states of generators whose sequences are 2^64 steps apart, as Numba has them: both words of the first one are what SplitMix64
 * makes of the seed.
 *
 * @param count - generators
 * @param first - how many subsequences before the first generator's are left out
 * @returns two words a generator
 */
export function subsequences(count: number, seed: bigint, first: bigint): BigUint64Array<ArrayBuffer> {
  const words = new BigUint64Array(2 * count);
  if (count === 0) return words;
  // A state of zeros stays as it is: the one seed that has it gets the next output.
  const start = splitMix64(seed) || splitMix64(seed + GOLDEN);
  words.fill(start, 0, 2);
  const halves = new Uint32Array(words.buffer);
  const next = subsequenceJump();
  for (let rest = first, map = next; rest > 0n; rest >>= 1n) {
    if (rest & 1n) map.apply(halves, 0, 0);
    if (rest > 1n) map = map.squared();
  }
  for (let at = 4; at < halves.length; at += 4) next.apply(halves, at - 4, at);
  return words;
}
