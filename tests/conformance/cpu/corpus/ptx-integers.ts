import { kernelCase, range, type Case } from '../case.ts';
import { digits, forTypes, fromDigits, instructionsCase, least, magnitude, most, type Row } from '../instructions.ts';

const WORD = 0xffff_ffffn;

/** What the PTX ISA says of integer arithmetic, for unsigned or signed operands. */
const arithmetic = (types: readonly string[]): Row[] =>
  forTypes(types, (_, bits) => [
    { text: 'add.T %0, %1, %2;', of: (a, b) => a + b },
    { text: 'sub.T %0, %1, %2;', of: (a, b) => a - b },
    { text: 'mul.lo.T %0, %1, %2;', of: (a, b) => a * b },
    { text: 'mul.hi.T %0, %1, %2;', of: (a, b) => (a * b) >> BigInt(bits) },
    { text: 'mad.lo.T %0, %1, %2, %3;', of: (a, b, c) => a * b + c },
    { text: 'mad.hi.T %0, %1, %2, %3;', of: (a, b, c) => ((a * b) >> BigInt(bits)) + c },
    { text: 'sad.T %0, %1, %2, %3;', of: (a, b, c) => c + magnitude(a - b) },
    { text: 'min.T %0, %1, %2;', of: least },
    { text: 'max.T %0, %1, %2;', of: most },
    { text: 'add.T %0, %1, -3;', of: (a) => a - 3n },
  ]);

const signed = (type: string): Row[] =>
  forTypes([type], () => [
    { text: 'neg.T %0, %1;', of: (a) => -a },
    { text: 'abs.T %0, %1;', of: magnitude },
  ]);

const divisions = (type: string, bits: number): Row[] =>
  forTypes([type], (own) => {
    const by = (b: bigint): bigint => own(b | 2n) || 2n;
    const text = (op: string): string => `{ .reg .T d; or.b${bits} d, %2, 2; ${op}.T %0, %1, d; }`;
    return [
      { text: text('div'), of: (a, b) => a / by(b) },
      { text: text('rem'), of: (a, b) => a % by(b) },
    ];
  });

const clamp32 = (x: bigint): bigint => most(least(x, 2n ** 31n - 1n), -(2n ** 31n));
const int = (x: bigint, bits = 32): bigint => BigInt.asIntN(bits, x);
const low24 = (x: bigint, isSigned: boolean): bigint => (isSigned ? int(x, 24) : x & 0xff_ffffn);
/** The parts of a word, the lowest first. */
const parts = (x: bigint, bits: number, isSigned: boolean): bigint[] =>
  range(32 / bits, (i) => {
    const part = (x >> BigInt(i * bits)) & (2n ** BigInt(bits) - 1n);
    return isSigned ? int(part, bits) : part;
  });
const dot = (a: readonly bigint[], b: readonly bigint[]): bigint => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0n), 0n);

const dots: Row[] = ['u32', 's32'].flatMap((a) =>
  ['u32', 's32'].flatMap((b): Row[] => {
    const [sa, sb] = [a === 's32', b === 's32'];
    return [
      { text: `dp4a.${a}.${b} %0, %1, %2, %3;`, of: (x, y, z) => dot(parts(x, 8, sa), parts(y, 8, sb)) + z },
      { text: `dp2a.lo.${a}.${b} %0, %1, %2, %3;`, of: (x, y, z) => dot(parts(x, 16, sa), parts(y, 8, sb)) + z },
      {
        text: `dp2a.hi.${a}.${b} %0, %1, %2, %3;`,
        of: (x, y, z) => dot(parts(x, 16, sa), parts(y, 8, sb).slice(2)) + z,
      },
    ];
  }),
);

/** vabsdiff4 and vabsdiff2: a distance for each part, and the sum of all. */
const distances: Row[] = [8, 16].flatMap((bits) =>
  ['u32', 's32'].flatMap((a) =>
    ['u32', 's32'].flatMap((b): Row[] => {
      const each = (x: bigint, y: bigint): bigint[] => {
        const others = parts(y, bits, b === 's32');
        return parts(x, bits, a === 's32').map((part, i) => magnitude(part - (others[i] ?? 0n)));
      };
      const op = `vabsdiff${32 / bits}.u32.${a}.${b}`;
      const mask = 2n ** BigInt(bits) - 1n;
      return [
        { text: `${op}.add %0, %1, %2, %3;`, of: (x, y, z) => each(x, y).reduce((sum, one) => sum + one, z) },
        {
          text: `${op} %0, %1, %2, %3;`,
          of: (x, y) => each(x, y).reduce((all, one, i) => all | ((one & mask) << BigInt(i * bits)), 0n),
        },
      ];
    }),
  ),
);

/** bfe and bfi as the ISA's loops over bits have them. */
const field =
  (bits: number, isSigned: boolean) =>
  (a: bigint, b: bigint, c: bigint): bigint => {
    const [position, length] = [Number(b & 255n), Number(c & 255n)];
    const from = digits(a, bits);
    const sign = isSigned && length > 0 ? (from[Math.min(position + length - 1, bits - 1)] ?? 0) : 0;
    return fromDigits(range(bits, (i) => (i < length && position + i < bits ? (from[position + i] ?? 0) : sign)));
  };
const insert =
  (bits: number, position: number, length: number) =>
  (a: bigint, b: bigint): bigint => {
    const [source, whole] = [digits(a, bits), digits(b, bits)];
    for (let i = 0; i < length && position + i < bits; i++) whole[position + i] = source[i] ?? 0;
    return fromDigits(whole);
  };
const topBit = (x: bigint): bigint => BigInt(x.toString(2).length - 1);
const find =
  (bits: number, isSigned: boolean) =>
  (a: bigint): bigint => {
    const own = isSigned && a >> BigInt(bits - 1) ? BigInt.asUintN(bits, ~a) : a;
    return own === 0n ? WORD : topBit(own);
  };

const fields = (bits: 32 | 64): Row[] => [
  {
    text: `bfe.u${bits} %0, %1, ${bits === 32 ? '%2, %3' : '5, 70'};`,
    of: (a, b, c) => field(bits, false)(a, bits === 32 ? b : 5n, bits === 32 ? c : 70n),
  },
  {
    text: `bfe.s${bits} %0, %1, ${bits === 32 ? '%2, %3' : '11, 9'};`,
    of: (a, b, c) => field(bits, true)(a, bits === 32 ? b : 11n, bits === 32 ? c : 9n),
  },
  ...[
    [0, 8],
    [5, 20],
    [bits - 4, 9],
    [bits + 1, 3],
    [3, 255],
  ].map(([position = 0, length = 0]) => ({
    text: `bfi.b${bits} %0, %1, %2, ${position}, ${length};`,
    of: insert(bits, position, length),
  })),
  { text: `brev.b${bits} %0, %1;`, of: (a) => fromDigits(digits(a, bits).reverse()) },
  { text: `popc.b${bits} %0, %1;`, of: (a) => BigInt(digits(a, bits).filter((one) => one === 1).length), to: 32 },
  { text: `clz.b${bits} %0, %1;`, of: (a) => BigInt(bits - 1) - (a === 0n ? -1n : topBit(a)), to: 32 },
  ...[false, true].flatMap((isSigned): Row[] => {
    const type = `${isSigned ? 's' : 'u'}${bits}`;
    const position = find(bits, isSigned);
    return [
      { text: `bfind.${type} %0, %1;`, of: position, to: 32 },
      {
        text: `bfind.shiftamt.${type} %0, %1;`,
        of: (a) => (position(a) === WORD ? WORD : BigInt(bits - 1) - position(a)),
        to: 32,
      },
    ];
  }),
];

/** Inline PTX: integer arithmetic, carries, fields of bits. */
export const ptxIntegerCases: readonly Case[] = [
  instructionsCase('ptx-integers-of-32-bits', 32, [
    ...arithmetic(['u32', 's32']),
    ...signed('s32'),
    ...divisions('u32', 32),
    ...divisions('s32', 32),
    { text: 'mul.wide.u32 %0, %1, %2;', of: (a, b) => a * b, to: 64 },
    { text: 'mul.wide.s32 %0, %1, %2;', of: (a, b) => int(a) * int(b), to: 64 },
    { text: '{ .reg .u64 c; cvt.u64.u32 c, %3; mad.wide.u32 %0, %1, %2, c; }', of: (a, b, c) => a * b + c, to: 64 },
    {
      text: '{ .reg .s64 c; cvt.s64.s32 c, %3; mad.wide.s32 %0, %1, %2, c; }',
      of: (a, b, c) => int(a) * int(b) + int(c),
      to: 64,
    },
    { text: 'add.sat.s32 %0, %1, %2;', of: (a, b) => clamp32(int(a) + int(b)) },
    { text: 'sub.sat.s32 %0, %1, %2;', of: (a, b) => clamp32(int(a) - int(b)) },
    { text: 'mad.hi.sat.s32 %0, %1, %2, %3;', of: (a, b, c) => clamp32(((int(a) * int(b)) >> 32n) + int(c)) },
    ...[false, true].flatMap((s): Row[] => {
      const type = s ? 's32' : 'u32';
      const product = (a: bigint, b: bigint): bigint => low24(a, s) * low24(b, s);
      return [
        { text: `mul24.lo.${type} %0, %1, %2;`, of: product },
        { text: `mul24.hi.${type} %0, %1, %2;`, of: (a, b) => product(a, b) >> 16n },
        { text: `mad24.lo.${type} %0, %1, %2, %3;`, of: (a, b, c) => product(a, b) + c },
      ];
    }),
  ]),
  instructionsCase('ptx-integers-of-64-bits', 64, [
    ...arithmetic(['u64', 's64']),
    ...signed('s64'),
    ...divisions('u64', 64),
    ...divisions('s64', 64),
  ]),
  instructionsCase('ptx-integers-of-16-bits', 16, [
    ...arithmetic(['u16', 's16']),
    ...signed('s16'),
    { text: 'mul.wide.u16 %0, %1, %2;', of: (a, b) => a * b, to: 32 },
    { text: 'mul.wide.s16 %0, %1, %2;', of: (a, b) => int(a, 16) * int(b, 16), to: 32 },
  ]),
  instructionsCase('ptx-dot-products', 32, dots),
  instructionsCase('ptx-distances', 32, distances),
  instructionsCase('ptx-fields-of-32-bits', 32, [
    ...fields(32),
    {
      text: 'bmsk.clamp.b32 %0, %1, %2;',
      of: (a, b) => (a >= 32n ? 0n : (2n ** least(a + b, 32n) - 2n ** a) & WORD),
    },
    {
      text: 'bmsk.wrap.b32 %0, %1, %2;',
      of: (a, b) => (2n ** least((a & 31n) + (b & 31n), 32n) - 2n ** (a & 31n)) & WORD,
    },
  ]),
  instructionsCase('ptx-fields-of-64-bits', 64, fields(64)),
  kernelCase({
    name: 'ptx-carries',
    // 128-bit sums and differences in one statement each, a product of 64 bits by 64 in another, and a sum whose carry
    // goes from one function's statement to the next.
    source: `
      __device__ __forceinline__ unsigned add_cc(unsigned a, unsigned b)
      { unsigned r; asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
      __device__ __forceinline__ unsigned addc_cc(unsigned a, unsigned b)
      { unsigned r; asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
      __device__ __forceinline__ unsigned addc(unsigned a, unsigned b)
      { unsigned r; asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
      __global__ void carries(const uint4 *x, uint4 *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        uint4 a = x[t], b = x[n + t], s, d, p, l;
        asm("add.cc.u32 %0, %4, %8;\\n\\taddc.cc.u32 %1, %5, %9;\\n\\taddc.cc.u32 %2, %6, %10;\\n\\taddc.u32 %3, %7, %11;"
            : "=r"(s.x), "=r"(s.y), "=r"(s.z), "=r"(s.w)
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w));
        asm("sub.cc.u32 %0, %4, %8; subc.cc.u32 %1, %5, %9; subc.cc.u32 %2, %6, %10; subc.u32 %3, %7, %11;"
            : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w));
        asm("{\\n"
            "  mul.lo.u32      %0, %4, %6;\\n"
            "  mul.hi.u32      %1, %4, %6;\\n"
            "  mad.lo.cc.u32   %1, %4, %7, %1;\\n"
            "  madc.hi.u32     %2, %4, %7, 0;\\n"
            "  mad.lo.cc.u32   %1, %5, %6, %1;\\n"
            "  madc.hi.cc.u32  %2, %5, %6, %2;\\n"
            "  madc.hi.u32     %3, %5, %7, 0;\\n"
            "  mad.lo.cc.u32   %2, %5, %7, %2;\\n"
            "  addc.u32        %3, %3, 0;\\n"
            "}"
            : "=r"(p.x), "=r"(p.y), "=r"(p.z), "=r"(p.w) : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
        l.x = add_cc(a.x, b.x);
        l.y = addc_cc(a.y, b.y);
        l.z = addc_cc(a.z, b.z);
        l.w = addc(a.w, b.w);
        out[t] = s; out[n + t] = d; out[2 * n + t] = p; out[3 * n + t] = l;
      }`,
    buffers: (random) => ({
      x: Uint32Array.from(
        range(512, () => (random.integer(0, 2) ? random.bits() : 0xffff_ffff - random.integer(0, 2))),
      ),
      out: new Uint32Array(1024),
    }),
    launches: ({ x, out }) => [{ kernel: 'carries', args: [x, out], block: 64 }],
    expected: ({ x }) => {
      const words = (whole: bigint): number[] => range(4, (i) => Number((whole >> BigInt(32 * i)) & WORD));
      const whole = (from: number, count: number): bigint =>
        range(count).reduceRight((sum, i) => (sum << 32n) | BigInt(x[from + i] ?? 0), 0n);
      const pairs = range(64, (t) => [4 * t, 256 + 4 * t] as const);
      const sums = pairs.flatMap(([a, b]) => words(whole(a, 4) + whole(b, 4)));
      return {
        out: Uint32Array.from([
          ...sums,
          ...pairs.flatMap(([a, b]) => words(BigInt.asUintN(128, whole(a, 4) - whole(b, 4)))),
          ...pairs.flatMap(([a, b]) => words(whole(a, 2) * whole(b, 2))),
          ...sums,
        ]),
      };
    },
  }),
];
