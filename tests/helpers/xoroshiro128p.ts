const wrap = (x: bigint): bigint => BigInt.asUintN(64, x);
const rotl = (x: bigint, k: bigint): bigint => wrap(x << k) | (x >> (64n - k));

/** The polynomial of 2^64 steps that was published with the constants 55, 14, 36: its bits, the lowest first. */
const JUMP = [0xbeac0467eba5facbn, 0xd86b048b86aa9922n];

/** xoroshiro128+ of 2016 (D. Blackman, S. Vigna), and numbers of it as Numba has them: for tests, bit by bit on the host. */
export class Xoroshiro128pReference {
  s0: bigint;
  s1: bigint;

  constructor(s0: bigint, s1: bigint = s0) {
    [this.s0, this.s1] = [s0, s1];
  }

  next(): bigint {
    const { s0, s1 } = this;
    const both = s0 ^ s1;
    this.s0 = rotl(s0, 55n) ^ both ^ wrap(both << 14n);
    this.s1 = rotl(both, 36n);
    return wrap(s0 + s1);
  }

  /** 2^64 steps. */
  jump(): void {
    let [a, b] = [0n, 0n];
    for (const word of JUMP) {
      for (let bit = 0n; bit < 64n; bit++) {
        if ((word >> bit) & 1n) [a, b] = [a ^ this.s0, b ^ this.s1];
        this.next();
      }
    }
    [this.s0, this.s1] = [a, b];
  }

  uniform64(): number {
    return Number(this.next() >> 11n) / 2 ** 53;
  }

  /** Rounded once from 53 bits; what would be 1 is the number before it. */
  uniform32(): number {
    return Math.min(Math.fround(this.uniform64()), 1 - 2 ** -24);
  }

  /** Of both uniform numbers, which are given as they are. */
  normal(uniform: () => number): number {
    const [u1, u2] = [uniform(), uniform()];
    return Math.sqrt(-2 * Math.log(Math.max(u1, 2 ** -54))) * Math.cos(2 * Math.PI * u2);
  }
}

/** The generators of a seed, as Numba's create_xoroshiro128p_states makes them. */
export function referenceStates(count: number, splitMix: bigint, first: number): Xoroshiro128pReference[] {
  const walker = new Xoroshiro128pReference(splitMix);
  for (let i = 0; i < first; i++) walker.jump();
  return Array.from({ length: count }, () => {
    const state = new Xoroshiro128pReference(walker.s0, walker.s1);
    walker.jump();
    return state;
  });
}
