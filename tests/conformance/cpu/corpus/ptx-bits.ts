import { at, kernelCase, range, type Case } from '../case.ts';
import { digits, forTypes, fromDigits, instructionsCase, type Row } from '../instructions.ts';

const WORD = 0xffff_ffffn;
const clamped = (amount: bigint, bits: number): bigint => (amount < BigInt(bits) ? amount : BigInt(bits));

/** Bit by bit: the bit of the table whose number the bits of a, b and c give. */
const lookup =
  (table: number) =>
  (a: bigint, b: bigint, c: bigint): bigint => {
    const [x, y, z] = [digits(a, 32), digits(b, 32), digits(c, 32)];
    return fromDigits(range(32, (i) => (table >> (4 * at(x, i) + 2 * at(y, i) + at(z, i))) & 1));
  };

const fromBytes = (bytes: readonly number[]): bigint => bytes.reduceRight((all, byte) => all * 256n + BigInt(byte), 0n);

const permuted = (a: bigint, b: bigint, c: bigint): bigint => {
  const bytes = range(8, (i) => Number((((b << 32n) | a) >> BigInt(8 * i)) & 255n));
  return fromBytes(
    range(4, (i) => {
      const choice = Number((c >> BigInt(4 * i)) & 15n);
      const byte = at(bytes, choice & 7);
      return choice < 8 ? byte : byte >= 128 ? 255 : 0;
    }),
  );
};
/** The tables of prmt's modes in the PTX ISA: which byte goes to d.b3, d.b2, d.b1, d.b0, for each selector. */
const MODES: Readonly<Record<string, readonly string[]>> = {
  f4e: ['3210', '4321', '5432', '6543'],
  b4e: ['5670', '6701', '7012', '0123'],
  rc8: ['0000', '1111', '2222', '3333'],
  ecl: ['3210', '3211', '3222', '3333'],
  ecr: ['0000', '1110', '2210', '3210'],
  rc16: ['1010', '3232', '1010', '3232'],
};
const modes: Row[] = Object.entries(MODES).map(([mode, table]) => ({
  text: `prmt.b32.${mode} %0, %1, %2, %3;`,
  of: (a, b, c) => permuted(a, b, BigInt(`0x${table[Number(c & 3n)] ?? ''}`)),
}));

const funnel =
  (left: boolean, wrap: boolean) =>
  (a: bigint, b: bigint, c: bigint): bigint => {
    const by = wrap ? c & 31n : clamped(c, 32);
    const both = (b << 32n) | a;
    return left ? (both << by) >> 32n : both >> by;
  };

const logic = (bits: number): Row[] => [
  { text: `and.b${bits} %0, %1, %2;`, of: (a, b) => a & b },
  { text: `or.b${bits} %0, %1, %2;`, of: (a, b) => a | b },
  { text: `xor.b${bits} %0, %1, %2;`, of: (a, b) => a ^ b },
  { text: `not.b${bits} %0, %1;`, of: (a) => ~a },
  { text: `cnot.b${bits} %0, %1;`, of: (a) => (a === 0n ? 1n : 0n) },
  {
    text: `{ .reg .u32 n; cvt.u32.u${bits} n, %2; shl.b${bits} %0, %1, n; }`,
    of: (a, b) => a << clamped(b & WORD, bits),
  },
  {
    text: `{ .reg .u32 n; cvt.u32.u${bits} n, %2; shr.u${bits} %0, %1, n; }`,
    of: (a, b) => a >> clamped(b & WORD, bits),
  },
  {
    text: `{ .reg .u32 n; cvt.u32.u${bits} n, %2; shr.s${bits} %0, %1, n; }`,
    of: (a, b) => BigInt.asIntN(bits, a) >> clamped(b & WORD, bits),
  },
];

const bit = (yes: boolean): bigint => (yes ? 1n : 0n);
/** setp into a predicate, and from there into a number. */
const compared = (condition: string, of: (a: bigint, b: bigint) => boolean): Row => ({
  text: `{ .reg .pred p; setp.${condition}.T p, %1, %2; selp.u32 %0, 1, 0, p; }`,
  of: (a, b) => bit(of(a, b)),
  to: 32,
});
const comparisons = forTypes(['u32', 's32'], () => [
  compared('eq', (a, b) => a === b),
  compared('ne', (a, b) => a !== b),
  compared('lt', (a, b) => a < b),
  compared('le', (a, b) => a <= b),
  compared('gt', (a, b) => a > b),
  compared('ge', (a, b) => a >= b),
  {
    text: '{ .reg .pred p, q, r; setp.gt.T r, %3, 100; setp.lt.and.T p|q, %1, %2, r; selp.u32 %0, 2, 0, p; @q add.u32 %0, %0, 1; }',
    of: (a, b, c) => 2n * bit(a < b && c > 100n) + bit(a >= b && c > 100n),
  },
  {
    text: '{ .reg .pred p, r; setp.ne.T r, %3, 0; setp.ge.xor.T p, %1, %2, !r; selp.b32 %0, %1, %2, p; }',
    of: (a, b, c) => (a >= b !== (c === 0n) ? a : b),
  },
  { text: 'set.lt.u32.T %0, %1, %2;', of: (a, b) => (a < b ? WORD : 0n) },
  {
    text: '{ .reg .pred q; setp.eq.T q, %3, 7; set.gt.or.u32.T %0, %1, %2, q; }',
    of: (a, b, c) => (a > b || c === 7n ? WORD : 0n),
  },
]);

/** Inline PTX: logic, shifts, permutations of bytes, comparisons, and the ways of a template. */
export const ptxBitCases: readonly Case[] = [
  instructionsCase('ptx-logic', 32, [
    ...logic(32),
    ...[0x96, 0xe8, 0xca, 0x01, 0xb8, 0x78].map((table) => ({
      text: `lop3.b32 %0, %1, %2, %3, ${table};`,
      of: lookup(table),
    })),
    ...['l', 'r'].flatMap((side) =>
      ['clamp', 'wrap'].map((mode) => ({
        text: `shf.${side}.${mode}.b32 %0, %1, %2, %3;`,
        of: funnel(side === 'l', mode === 'wrap'),
      })),
    ),
    { text: 'prmt.b32 %0, %1, %2, %3;', of: permuted },
    { text: 'prmt.b32 %0, %1, %2, 0x0123;', of: (a, b) => permuted(a, b, 0x0123n) },
    ...modes,
  ]),
  instructionsCase('ptx-logic-of-64-bits', 64, logic(64)),
  instructionsCase('ptx-logic-of-16-bits', 16, logic(16)),
  instructionsCase('ptx-comparisons', 32, [
    ...comparisons,
    { text: 'slct.u32.s32 %0, %1, %2, %3;', of: (a, b, c) => (BigInt.asIntN(32, c) >= 0n ? a : b) },
    {
      text: '{ .reg .pred p; setp.hi.u32 p, %1, %2; @!p mov.u32 %0, %2; @p mov.u32 %0, %1; }',
      of: (a, b) => (a > b ? a : b),
    },
    {
      text: '{ .reg .pred p, q; setp.lo.u32 p, %1, %2; setp.hs.u32 q, %2, %3; and.pred p, p, q; not.pred q, p; selp.u32 %0, 5, 9, q; }',
      of: (a, b, c) => (a < b && b >= c ? 9n : 5n),
    },
  ]),
  kernelCase({
    name: 'ptx-loops-and-scopes',
    // The greatest common divisor by a loop with labels, Collatz by predicated branches, and registers of one name in scopes.
    source: `
      __device__ unsigned gcd(unsigned a, unsigned b)
      {
        asm volatile(
            "{\\n"
            "  .reg .pred  %%done;          // registers may have a percent sign\\n"
            "  .reg .u32   %%rest<3>;\\n"
            "LOOP:\\n"
            "  setp.eq.u32 %%done, %1, 0;\\n"
            "  @%%done bra END;\\n"
            "  rem.u32     %%rest1, %0, %1;    /* the rest */\\n"
            "  mov.u32     %0, %1;\\n"
            "  mov.u32     %1, %%rest1;\\n"
            "  bra.uni     LOOP;\\n"
            "END:\\n"
            "}"
            : "+r"(a), "+r"(b));
        return a;
      }
      template <int LIMIT> __device__ unsigned steps(unsigned long long x)
      {
        unsigned count;
        asm("{ .reg .pred odd, one, far; .reg .u64 y, low; mov.u64 y, %1; mov.u32 %0, 0;\\n"
            "again: setp.le.u64 one, y, 1; @one bra out; setp.ge.u32 far, %0, %2; @far bra out;\\n"
            "and.b64 low, y, 1; setp.ne.u64 odd, low, 0; @odd bra up; shr.u64 y, y, 1; bra next;\\n"
            "up: mad.lo.u64 y, y, 3, 1;\\n"
            "next: add.u32 %0, %0, 1; bra again; out: }" : "=r"(count) : "l"(x), "n"(LIMIT));
        return count;
      }
      __global__ void loops(const unsigned *x, unsigned *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        unsigned a = x[t], b = x[n + t], r;
        out[t] = gcd(a, b);
        out[n + t] = steps<50>(a & 0xffff);
        asm("{ .reg .u32 v; add.u32 v, %1, 1; { .reg .u32 v; mul.lo.u32 v, %1, 3; mov.u32 %0, v; } xor.b32 %0, %0, v; }"
            : "=r"(r) : "r"(a));
        out[2 * n + t] = r;
        // The same label in each copy of an inlined function.
        out[3 * n + t] = gcd(a, 360) * 1000 + gcd(b, 1024);
      }`,
    buffers: (random) => ({ x: random.uints(128, 1, 1 << 20), out: new Uint32Array(256) }),
    launches: ({ x, out }) => [{ kernel: 'loops', args: [x, out], block: 64 }],
    expected: ({ x }) => {
      const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
      const steps = (from: number): number => {
        let [y, count] = [from, 0];
        for (; y > 1 && count < 50; count++) y = y % 2 ? 3 * y + 1 : y / 2;
        return count;
      };
      const [a, b] = [x.subarray(0, 64), x.subarray(64)];
      return {
        out: Uint32Array.from([
          ...range(64, (t) => gcd(at(a, t), at(b, t))),
          ...Array.from(a, (one) => steps(one & 0xffff)),
          ...Array.from(a, (one) => (one * 3) ^ (one + 1)),
          ...range(64, (t) => gcd(at(a, t), 360) * 1000 + gcd(at(b, t), 1024)),
        ]),
      };
    },
  }),
];
