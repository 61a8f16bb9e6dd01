import { BFLOAT16, fromBits, HALF, round, roundBig, ROUNDINGS, roundInteger, toBits, type Format } from './rounding.ts';
import type { FunctionGroup, FunctionRow } from './table.ts';

const REALS = [
  0,
  -0,
  1,
  -1,
  1.0004883,
  1.00048828125,
  1.00146484375,
  1.001953125,
  1.00390625,
  1.01171875,
  0.1,
  -0.3,
  2.980232238769531e-8,
  2.98e-8,
  3e-8,
  5.960464477539063e-8,
  6.1e-5,
  6.103515625e-5,
  0.000060976,
  65503,
  65504,
  65519,
  65519.99,
  65520,
  -65520,
  70000,
  1e-40,
  3.38e38,
  3.39e38,
  3.4e38,
  1e300,
  -1e300,
  1e-310,
  Infinity,
  -Infinity,
  NaN,
];
const INTEGERS = [
  0n,
  1n,
  -1n,
  2047n,
  2049n,
  2051n,
  -2049n,
  257n,
  259n,
  65503n,
  65505n,
  65519n,
  65520n,
  -70000n,
  2147483647n,
];
const FEW = [
  0, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01, 0x3800, 0x3555, 0xc248, 0x4248, 0x7bff, 0xfbff,
  0x7c00, 0xfc00, 0x7fff, 0x3f80, 0x3f81, 0xbf80, 0x7f7f, 0x7f80, 0xff80, 0x0080, 0x4049, 0x1234, 0xabcd, 0x6400,
  0x5c01,
];
const THREE = [
  0, 0x8000, 0x0001, 0x3c00, 0x3c01, 0xbc01, 0x3555, 0x4248, 0x7bff, 0x0400, 0x7c00, 0x1234, 0x3f81, 0xc2ff,
];

interface Type {
  readonly name: string;
  readonly type: string;
  readonly include: string;
  readonly format: Format;
}

function groups({ name, type, include, format }: Type): FunctionGroup[] {
  const value = (bits: number): number => fromBits(bits, format);
  const nearest = (x: number): number => toBits(round(x, format, 'rn'), format);
  const h = (x: string): string => `__ushort_as_${name}(${x})`;
  const bits = (x: string): string => `__${name}_as_ushort(${x})`;
  const of = (call: string, count: number): string =>
    bits(`${call}(${['a', 'b', 'c'].slice(0, count).map(h).join(', ')})`);
  const unary = (call: string, f: (x: number) => number): FunctionRow => [
    of(call, 1),
    (a: number) => nearest(f(value(a))),
  ];
  const binary = (call: string, f: (x: number, y: number) => number): FunctionRow => [
    of(call, 2),
    (a: number, b: number) => nearest(f(value(a), value(b))),
  ];
  // Which NaN comes out is not defined.
  const number = (result: string): string => `__hisnan(${h('a')}) ? 0 : ${result}`;
  const saturated = (x: number): number => (x > 0 ? Math.min(x, 1) : 0);
  const relation = (call: string, f: (x: number, y: number) => boolean): FunctionRow[] => [
    [`__h${call}(${h('a')}, ${h('b')})`, (a: number, b: number) => Number(f(value(a), value(b)))],
    [
      `__h${call}u(${h('a')}, ${h('b')})`,
      (a: number, b: number) => Number(Number.isNaN(value(a)) || Number.isNaN(value(b)) || f(value(a), value(b))),
    ],
  ];
  const pair = (call: string, lane: FunctionRow[1]): FunctionRow => [
    bits(`__high2${name}(${call}(__halves2${name}2(${h('b')}, ${h('a')}), __halves2${name}2(${h('a')}, ${h('b')})))`),
    lane,
  ];
  const add = (a: number, b: number): number => nearest(value(a) + value(b));
  const isNaN2 = (x: number, y: number): boolean => Number.isNaN(x) || Number.isNaN(y);
  const extreme =
    (f: (x: number, y: number) => number) =>
    (x: number, y: number): number =>
      Number.isNaN(x) ? y : Number.isNaN(y) ? x : f(x, y);
  return [
    {
      name: `float to ${name}`,
      include,
      inputs: ['float'],
      values: [REALS.map(Math.fround)],
      output: 'unsigned short',
      rows: [
        ...ROUNDINGS.map((rounding): FunctionRow => [
          bits(`__float2${name}_${rounding}(a)`),
          (a: number) => toBits(round(a, format, rounding), format),
        ]),
        [bits(`${type}(a)`), nearest],
      ],
    },
    {
      name: `double to ${name}`,
      include,
      inputs: ['double'],
      values: [REALS.filter((x) => !Number.isNaN(x))],
      output: 'unsigned short',
      rows: [[bits(`__double2${name}(a)`), nearest]],
    },
    {
      name: `long long to ${name}`,
      include,
      inputs: ['long long'],
      values: [[...INTEGERS, 2n ** 60n + 1n, 2n ** 62n + 2n ** 51n + 1n, -(2n ** 62n) - 2n ** 54n - 1n]],
      output: 'unsigned short',
      rows: ROUNDINGS.map((rounding) => [
        bits(`__ll2${name}_${rounding}(a)`),
        (a: bigint) =>
          toBits(round(roundBig(a, { ...format, digits: format.digits }, rounding), format, rounding), format),
      ]),
    },
    {
      name: `${name} to float`,
      include,
      inputs: ['unsigned short'],
      values: [FEW],
      output: 'float',
      rows: [[`__${name}2float(${h('a')})`, value]],
    },
    {
      name: `${name} to integers`,
      include,
      inputs: ['unsigned short'],
      values: [FEW],
      output: 'int',
      rows: ROUNDINGS.flatMap((rounding): FunctionRow[] => {
        const clamped =
          (least: number, most: number) =>
          (a: number): number =>
            Number.isNaN(value(a)) ? 0 : Math.max(least, Math.min(most, roundInteger(value(a), rounding)));
        return [
          [`__${name}2int_${rounding}(${h('a')})`, clamped(-(2 ** 31), 2 ** 31 - 1)],
          [`__${name}2short_${rounding}(${h('a')})`, clamped(-32768, 32767)],
          [`__${name}2ushort_${rounding}(${h('a')})`, clamped(0, 65535)],
        ];
      }),
    },
    {
      name: `${name} arithmetic`,
      include,
      inputs: ['unsigned short', 'unsigned short'],
      values: [FEW, FEW],
      output: 'unsigned short',
      rows: [
        binary('__hadd', (x, y) => x + y),
        binary('__hsub', (x, y) => x - y),
        binary('__hmul', (x, y) => x * y),
        binary('__hdiv', (x, y) => x / y),
        binary('__hadd_sat', (x, y) => saturated(x + y)),
        binary(
          '__hmax',
          extreme((x, y) => Math.max(x, y)),
        ),
        binary(
          '__hmin',
          extreme((x, y) => Math.min(x, y)),
        ),
        binary('__hmax_nan', (x, y) => (isNaN2(x, y) ? NaN : Math.max(x, y))),
        unary('hsqrt', Math.sqrt),
        unary('hrint', (x) => (Number.isFinite(x) ? roundInteger(x, 'rn') : x)),
        unary('hfloor', Math.floor),
        unary('hceil', Math.ceil),
        unary('htrunc', Math.trunc),
        [bits(`${h('a')} + ${h('b')}`), add],
        [number(bits(`-${h('a')}`)), (a: number) => (Number.isNaN(value(a)) ? 0 : a ^ 0x8000)],
        [number(of('__habs', 1)), (a: number) => (Number.isNaN(value(a)) ? 0 : a & 0x7fff)],
        pair('__hadd2', add),
        pair('__hmul2', (a: number, b: number) => nearest(value(a) * value(b))),
      ],
    },
    {
      name: `${name} fused`,
      include,
      inputs: ['unsigned short', 'unsigned short', 'unsigned short'],
      values: [THREE, THREE, THREE],
      output: 'unsigned short',
      rows: [
        [
          of('__hfma', 3),
          (a: number, b: number, c: number) => toBits(fused(value(a), value(b), value(c), format), format),
        ],
      ],
    },
    {
      name: `${name} relations`,
      include,
      inputs: ['unsigned short', 'unsigned short'],
      values: [FEW, FEW],
      output: 'int',
      rows: [
        ...relation('eq', (x, y) => x === y),
        ...relation('lt', (x, y) => x < y),
        ...relation('le', (x, y) => x <= y),
        ...relation('gt', (x, y) => x > y),
        ...relation('ge', (x, y) => x >= y),
        [
          `__hne(${h('a')}, ${h('b')})`,
          (a: number, b: number) => Number(!isNaN2(value(a), value(b)) && value(a) !== value(b)),
        ],
        [`${h('a')} != ${h('b')}`, (a: number, b: number) => Number(value(a) !== value(b))],
        [`__hisnan(${h('a')})`, (a: number) => Number(Number.isNaN(value(a)))],
        [
          `(int)__heq2_mask(__halves2${name}2(${h('a')}, ${h('b')}), __halves2${name}2(${h('b')}, ${h('b')}))`,
          (a: number, b: number) => (value(a) === value(b) ? 0xffff : 0) | (Number.isNaN(value(b)) ? 0 : 0xffff0000),
        ],
      ],
    },
  ];
}

/** a * b + c, rounded once: in integers, as multiples of the smallest product. */
function fused(a: number, b: number, c: number, format: Format): number {
  const product = a * b;
  if (!Number.isFinite(product) || !Number.isFinite(c) || product === 0 || c === 0)
    return round(product + c, format, 'rn');
  const unit = 2 * (format.lowest - format.digits + 1);
  const integer = (x: number): bigint => {
    // A number is an integer times a power of two, which may be too small for a number itself.
    let scaled = x;
    let doubled = 0;
    while (!Number.isInteger(scaled)) {
      scaled *= 2;
      doubled++;
    }
    return BigInt(scaled) << BigInt(-unit - doubled);
  };
  const sum = integer(product) + integer(c);
  if (sum === 0n) return product + c;
  const magnitude = sum < 0n ? -sum : sum;
  const exponent = magnitude.toString(2).length - 1 + unit;
  const last = Math.max(exponent, format.lowest) - format.digits + 1;
  const dropped = BigInt(last - unit);
  const kept = magnitude >> dropped;
  const rest = magnitude - (kept << dropped);
  const half = 1n << (dropped - 1n);
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  const result = Number(kept + (up ? 1n : 0n)) * 2 ** last;
  return (sum < 0n ? -1 : 1) * (result > format.most ? Infinity : result);
}

export const HALVES: readonly FunctionGroup[] = [
  ...groups({ name: 'half', type: 'half', include: 'cuda_fp16.h', format: HALF }),
  ...groups({ name: 'bfloat16', type: '__nv_bfloat16', include: 'cuda_bf16.h', format: BFLOAT16 }),
];
