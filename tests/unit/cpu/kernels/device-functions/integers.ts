import type { FunctionGroup, FunctionRow, Value } from './table.ts';

const WORDS = [
  0, 1, -1, 2, 3, 7, -8, 31, 33, 255, 0x7fff, 0x8000, 0xffff, 0x12345678, 0x7fffffff, -0x80000000, -0x7fffffff,
  0xdeadbeef, 0x01020304, 0x80808080, 0x7f80ff01, 0x8000ffff,
];
const FEW = [0, 1, -1, 5, 0x7fffffff, -0x80000000, 0xdeadbeef, 0x01fe8070, 0x7fff8000];
const LONGS = [0n, 1n, -1n, 5n, 0x123456789abcdef0n, 0x7fffffffffffffffn, -0x8000000000000000n, 0xfedcba9876543210n];

const signed = (values: readonly number[]): number[] => values.map((value) => value | 0);
const unsigned = (values: readonly number[]): number[] => values.map((value) => value >>> 0);
const s64 = (x: bigint): bigint => BigInt.asIntN(64, x);
const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const bits = (x: bigint): string => u64(x).toString(2).padStart(64, '0');
const ones = (x: bigint): number => bits(x).replaceAll('0', '').length;
const u32 = (x: number): bigint => BigInt(x >>> 0);
const s32 = (x: number): bigint => BigInt(x | 0);
const low = (x: bigint): number => Number(BigInt.asUintN(32, x));
const bytes = (x: number): number[] => [0, 8, 16, 24].map((shift) => (x >>> shift) & 255);
const i8 = (x: number): number => (x << 24) >> 24;
const i16 = (x: number): number => (x << 16) >> 16;

function reversed(x: bigint, size: number): bigint {
  return BigInt(`0b${Array.from(BigInt.asUintN(size, x).toString(2).padStart(size, '0')).reverse().join('')}`);
}
function permuted(x: number, y: number, selector: number): number {
  const all = [...bytes(x), ...bytes(y)];
  return [0, 1, 2, 3].reduce((sum, i) => sum + (all[(selector >>> (4 * i)) & 7] ?? 0) * 2 ** (8 * i), 0);
}
function nthSet(mask: number, base: number, offset: number): number {
  const set = (i: number): boolean => ((mask >>> i) & 1) === 1;
  if (offset === 0) return set(base) ? base : 0xffffffff;
  const step = Math.sign(offset);
  const found: number[] = [];
  for (let i = base; i >= 0 && i < 32; i += step) if (set(i)) found.push(i);
  return found[Math.abs(offset) - 1] ?? 0xffffffff;
}

const counts: readonly FunctionRow[] = [
  ['__popc(a)', (a: number): Value => ones(u32(a))],
  ['__clz(a)', (a: number): Value => Math.clz32(a)],
  ['__ffs(a)', (a: number): Value => (a ? 32 - Math.clz32(a & -a) : 0)],
  ['__brev(a)', (a: number): Value => low(reversed(u32(a), 32))],
];
const pairs: readonly FunctionRow[] = [
  ['__mulhi(a, b)', (a: number, b: number): Value => low((s32(a) * s32(b)) >> 32n) | 0],
  ['__mul24(a, b)', (a: number, b: number): Value => low(s32((a << 8) >> 8) * s32((b << 8) >> 8)) | 0],
  ['__hadd(a, b)', (a: number, b: number): Value => Math.floor((a + b) / 2)],
  ['__rhadd(a, b)', (a: number, b: number): Value => Math.floor((a + b + 1) / 2)],
  ['min(a, b)', (a: number, b: number): Value => Math.min(a, b)],
  ['max(a, b)', (a: number, b: number): Value => Math.max(a, b)],
  ['abs(a)', (a: number): Value => Math.abs(a)],
];
const unsignedPairs: readonly FunctionRow[] = [
  ['__umulhi(a, b)', (a: number, b: number): Value => low((u32(a) * u32(b)) >> 32n)],
  ['__umul24(a, b)', (a: number, b: number): Value => low(u32(a & 0xffffff) * u32(b & 0xffffff))],
  ['__uhadd(a, b)', (a: number, b: number): Value => Math.floor((a + b) / 2)],
  ['__urhadd(a, b)', (a: number, b: number): Value => Math.floor((a + b + 1) / 2)],
  ['min(a, b)', (a: number, b: number): Value => Math.min(a, b)],
  ['max(a, b)', (a: number, b: number): Value => Math.max(a, b)],
];
const words = (lowWord: number, high: number): bigint => (u32(high) << 32n) | u32(lowWord);
const triples: readonly FunctionRow[] = [
  ['__usad(a, b, c)', (a: number, b: number, c: number): Value => Math.abs(a - b) + c],
  ['__sad((int)a, (int)b, c)', (a: number, b: number, c: number): Value => Math.abs((a | 0) - (b | 0)) + c],
  ['__byte_perm(a, b, c)', permuted],
  ['__funnelshift_l(a, b, c)', (a: number, b: number, c: number): Value => low((words(a, b) << u32(c & 31)) >> 32n)],
  ['__funnelshift_r(a, b, c)', (a: number, b: number, c: number): Value => low(words(a, b) >> u32(c & 31))],
  [
    '__funnelshift_lc(a, b, c)',
    (a: number, b: number, c: number): Value => low((words(a, b) << u32(Math.min(c, 32))) >> 32n),
  ],
  ['__funnelshift_rc(a, b, c)', (a: number, b: number, c: number): Value => low(words(a, b) >> u32(Math.min(c, 32)))],
  ['__dp4a(a, b, c)', (a: number, b: number, c: number): Value => dot(bytes(a), bytes(b), c)],
  [
    '__dp4a((int)a, (int)b, (int)c)',
    (a: number, b: number, c: number): Value => dot(bytes(a).map(i8), bytes(b).map(i8), c),
  ],
  [
    '__dp2a_lo(a, b, c)',
    (a: number, b: number, c: number): Value => dot([a & 0xffff, a >>> 16], bytes(b).slice(0, 2), c),
  ],
  ['__dp2a_hi(a, b, c)', (a: number, b: number, c: number): Value => dot([a & 0xffff, a >>> 16], bytes(b).slice(2), c)],
  [
    '__dp2a_hi((int)a, (int)b, (int)c)',
    (a: number, b: number, c: number): Value => dot([i16(a), a >> 16], bytes(b).slice(2).map(i8), c),
  ],
  ['__fns(a, b & 31, (int)(c & 7) - 3)', (a: number, b: number, c: number): Value => nthSet(a, b & 31, (c & 7) - 3)],
  ['__viaddmax_s32(a, b, c)', (a: number, b: number, c: number): Value => Math.max((a + b) | 0, c | 0)],
  ['__vimin3_u32(a, b, c)', (a: number, b: number, c: number): Value => Math.min(a, b, c)],
];
function dot(left: readonly number[], right: readonly number[], sum: number): number {
  return left.reduce((total, x, i) => total + x * (right[i] ?? 0), sum);
}

const longs: readonly FunctionRow[] = [
  ['__popcll(a)', (a: bigint): Value => BigInt(ones(a))],
  ['__clzll(a)', (a: bigint): Value => BigInt(bits(a).indexOf('1') < 0 ? 64 : bits(a).indexOf('1'))],
  ['__ffsll(a)', (a: bigint): Value => BigInt(a ? 64 - bits(a).lastIndexOf('1') : 0)],
  ['__brevll(a)', (a: bigint): Value => reversed(a, 64)],
  ['__mul64hi(a, b)', (a: bigint, b: bigint): Value => (s64(a) * s64(b)) >> 64n],
  ['__umul64hi(a, b)', (a: bigint, b: bigint): Value => (u64(a) * u64(b)) >> 64n],
  ['min(a, b)', (a: bigint, b: bigint): Value => (a < b ? a : b)],
  ['max(a, b)', (a: bigint, b: bigint): Value => (a > b ? a : b)],
];

/** A SIMD intrinsic lane by lane, for two halfwords and four bytes. */
function lanes(name: string, lane: (a: number, b: number, size: number) => number, isSigned: boolean): FunctionRow[] {
  return [2, 4].map((n) => {
    const size = 32 / n;
    const reference = (a: number, b: number): number => {
      let result = 0;
      for (let i = 0; i < n; i++) {
        const part = (x: number): number => {
          const value = (x >>> (i * size)) & (2 ** size - 1);
          return isSigned && value >= 2 ** (size - 1) ? value - 2 ** size : value;
        };
        result += (lane(part(a), part(b), size) & (2 ** size - 1)) * 2 ** (i * size);
      }
      return result;
    };
    return [name.replace('N', String(n)), reference] as const;
  });
}
const clamp = (x: number, least: number, most: number): number => Math.max(least, Math.min(most, x));
const clampS = (x: number, size: number): number => clamp(x, -(2 ** (size - 1)), 2 ** (size - 1) - 1);
const clampU = (x: number, size: number): number => clamp(x, 0, 2 ** size - 1);
const relations: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  ges: (a, b) => a >= b,
  geu: (a, b) => a >= b,
  gts: (a, b) => a > b,
  gtu: (a, b) => a > b,
  les: (a, b) => a <= b,
  leu: (a, b) => a <= b,
  lts: (a, b) => a < b,
  ltu: (a, b) => a < b,
};
const simd: readonly FunctionRow[] = [
  ...lanes('__vaddN(a, b)', (a, b) => a + b, false),
  ...lanes('__vaddssN(a, b)', (a, b, size) => clampS(a + b, size), true),
  ...lanes('__vaddusN(a, b)', (a, b, size) => clampU(a + b, size), false),
  ...lanes('__vsubN(a, b)', (a, b) => a - b, false),
  ...lanes('__vsubssN(a, b)', (a, b, size) => clampS(a - b, size), true),
  ...lanes('__vsubusN(a, b)', (a, b, size) => clampU(a - b, size), false),
  ...lanes('__vmaxsN(a, b)', (a, b) => Math.max(a, b), true),
  ...lanes('__vmaxuN(a, b)', (a, b) => Math.max(a, b), false),
  ...lanes('__vminsN(a, b)', (a, b) => Math.min(a, b), true),
  ...lanes('__vminuN(a, b)', (a, b) => Math.min(a, b), false),
  ...lanes('__vnegN(a)', (a) => -a, false),
  ...lanes('__vnegssN(a)', (a, _, size) => clampS(-a, size), true),
  ...lanes('__vabsN(a)', (a) => Math.abs(a), true),
  ...lanes('__vabsssN(a)', (a, _, size) => clampS(Math.abs(a), size), true),
  ...lanes('__vabsdiffsN(a, b)', (a, b) => Math.abs(a - b), true),
  ...lanes('__vabsdiffuN(a, b)', (a, b) => Math.abs(a - b), false),
  ...lanes('__vavgsN(a, b)', (a, b) => Math.floor((a + b + Number(a + b >= 0)) / 2), true),
  ...lanes('__vavguN(a, b)', (a, b) => Math.floor((a + b + 1) / 2), false),
  ...lanes('__vhadduN(a, b)', (a, b) => Math.floor((a + b) / 2), false),
  ...Object.entries(relations).flatMap(([name, relation]) => [
    ...lanes(`__vcmp${name}N(a, b)`, (a, b) => (relation(a, b) ? -1 : 0), name.endsWith('s')),
    ...lanes(`__vset${name}N(a, b)`, (a, b) => (relation(a, b) ? 1 : 0), name.endsWith('s')),
  ]),
  [
    '__vsadu4(a, b)',
    (a: number, b: number): Value => bytes(a).reduce((sum, x, i) => sum + Math.abs(x - (bytes(b)[i] ?? 0)), 0),
  ],
  ['__vsads2(a, b)', (a: number, b: number): Value => Math.abs(i16(a) - i16(b)) + Math.abs((a >> 16) - (b >> 16))],
];

export const INTEGERS: readonly FunctionGroup[] = [
  { name: 'counts', inputs: ['int'], values: [signed(WORDS)], output: 'unsigned', rows: counts },
  { name: 'pairs', inputs: ['int', 'int'], values: [signed(WORDS), signed(WORDS)], output: 'int', rows: pairs },
  {
    name: 'unsigned pairs',
    inputs: ['unsigned', 'unsigned'],
    values: [unsigned(WORDS), unsigned(WORDS)],
    output: 'unsigned',
    rows: unsignedPairs,
  },
  {
    name: 'triples',
    inputs: ['unsigned', 'unsigned', 'unsigned'],
    values: [unsigned(FEW), unsigned(FEW), unsigned([...FEW, 31, 32, 33, 0x3210, 0x7654, 0xba98])],
    output: 'unsigned',
    rows: triples,
  },
  {
    name: '64 bits',
    inputs: ['long long', 'long long'],
    values: [LONGS.map(s64), LONGS.map(s64)],
    output: 'long long',
    rows: longs,
  },
  {
    name: 'SIMD',
    inputs: ['unsigned', 'unsigned'],
    values: [unsigned(WORDS), unsigned(WORDS)],
    output: 'unsigned',
    rows: simd,
  },
];
