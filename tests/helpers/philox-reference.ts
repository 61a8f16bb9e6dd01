/** Philox4x32-10 and what numbers are made of its words, written down once more: by bigints, and by f32 arithmetic of the host. */

const MASK = 0xffff_ffffn;

/** The four words of a counter of four words and a key of two. */
export function block(counter: readonly bigint[], key: readonly bigint[]): number[] {
  let [a = 0n, b = 0n, c = 0n, d = 0n] = counter;
  let [k = 0n, l = 0n] = key;
  for (let round = 0; round < 10; round++) {
    const [p, q] = [a * 0xd2511f53n, c * 0xcd9e8d57n];
    [a, b, c, d] = [(q >> 32n) ^ b ^ k, q & MASK, (p >> 32n) ^ d ^ l, p & MASK];
    [k, l] = [(k + 0x9e3779b9n) & MASK, (l + 0xbb67ae85n) & MASK];
  }
  return [a, b, c, d].map(Number);
}

/** Where the words of a call begin. */
export interface Start {
  readonly seed: bigint;
  readonly counter?: bigint;
  readonly jumps?: bigint;
}

/** The words of a block of a call; those of attempts after the first one are for integers. */
function wordsAt({ seed, counter = 0n, jumps = 0n }: Start, unit: number, attempt = 0): number[] {
  const at = BigInt.asUintN(64, counter + BigInt(unit));
  return block([at & MASK, at >> 32n, BigInt(attempt), jumps], [seed & MASK, seed >> 32n]);
}

/** So many words, one after another. */
export function words(start: Start, count: number): number[] {
  const units = Array.from({ length: Math.ceil(count / 4) }, (_, unit) => wordsAt(start, unit));
  return units.flat().slice(0, count);
}

/** Pairs of words as 64 bits, the first one lower. */
export function wideWords(start: Start, count: number): bigint[] {
  const all = words(start, 2 * count);
  return Array.from({ length: count }, (_, i) => (BigInt(all[2 * i + 1] ?? 0) << 32n) | BigInt(all[2 * i] ?? 0));
}

/** Integers from 0 below a count that is less than 2^32. */
export function boundedWords(start: Start, count: number, below: number): number[] {
  const limit = (2 ** 32 - below) % below;
  return Array.from({ length: count }, (_, i) => {
    for (let attempt = 0; ; attempt++) {
      const word = wordsAt(start, Math.floor(i / 4), attempt)[i % 4] ?? 0;
      const product = BigInt(word) * BigInt(below);
      if (Number(product & MASK) >= limit) return Number(product >> 32n);
    }
  });
}

const { fround } = Math;
const bits = new DataView(new ArrayBuffer(4));

function bitsOf(x: number): number {
  bits.setFloat32(0, x);
  return bits.getUint32(0);
}

function floatOf(word: number): number {
  bits.setUint32(0, word >>> 0);
  return bits.getFloat32(0);
}

/** Horner's rule in f32. */
function horner(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => fround(fround(sum * x) + fround(coefficient)), 0);
}

const LOG = [
  0.9999999403953552, -0.5000036358833313, 0.33335059881210327, -0.24969908595085144, 0.19900165498256683,
  -0.17250829935073853, 0.16222578287124634, -0.10106893628835678,
];
const SIN = [1.5707963705062866, -0.6459634900093079, 0.07968022674322128, -0.004602177068591118];
const COS = [1, -1.2336970567703247, 0.2535986304283142, -0.020408352836966515];

/** The logarithm of a positive f32, in f32. */
function logOf(x: number): number {
  const exponent = (bitsOf(x) - 0x3f3504f3) & 0xff800000;
  const f = fround(floatOf(bitsOf(x) - exponent) - 1);
  return fround(fround(exponent * fround(Math.LN2 / 2 ** 23)) + fround(horner(LOG, f) * f));
}

/** The negative logarithm of a word as a fraction of 2^32. */
function minusLog(word: number): number {
  const x = fround(fround(word) + 0.5);
  // Divided by 2^32: the exponent is less by 32.
  return -logOf(floatOf(bitsOf(x) - 0x10000000));
}

/** Numbers of an exponential distribution of mean 1. */
export function exponentials(start: Start, count: number): number[] {
  return words(start, count).map((word) => minusLog(word) + 0);
}

/** Numbers of the normal distribution. */
export function normals(start: Start, count: number): number[] {
  const all = words(start, Math.ceil(count / 4) * 4);
  const numbers: number[] = [];
  for (let i = 0; i < all.length; i += 2) {
    const [a = 0, b = 0] = all.slice(i, i + 2);
    const square = Math.max(2 * minusLog(a), floatOf(0x32800000));
    const radius = fround(Math.sqrt(square));
    const t = fround(floatOf((b & 0x7fffff) | 0x3f800000) - 1.5);
    const turn = fround(t * t);
    const [s, c] = [fround(horner(SIN, turn) * t), horner(COS, turn)];
    const [x, y] = [fround((b >>> 31 === 1 ? -radius : radius) * c), fround(radius * s)];
    numbers.push(...(((b >>> 30) & 1) === 1 ? [y, x] : [x, y]));
  }
  return numbers.slice(0, count);
}
