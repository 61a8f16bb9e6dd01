import type { Data, OpenCLBench } from './bench.ts';
import { arrayOf, GREATEST, rounded, SHAPES, type FloatType } from './numbers.ts';

/** Bits of OpenCL C's integer types, and whether they have a sign. */
export const INTEGERS = {
  char: [8, true],
  uchar: [8, false],
  short: [16, true],
  ushort: [16, false],
  int: [32, true],
  uint: [32, false],
  long: [64, true],
  ulong: [64, false],
} as const;

export type IntegerType = keyof typeof INTEGERS;
export type ScalarType = IntegerType | FloatType;
export const INTEGER_TYPES = Object.keys(INTEGERS) as IntegerType[];
const SCALAR_TYPES: readonly ScalarType[] = [...INTEGER_TYPES, 'half', 'float', 'double'];

/** One function: `convert_uchar_sat_rte`. */
export interface Conversion {
  readonly to: ScalarType;
  readonly saturated: boolean;
  readonly mode: '' | '_rte' | '_rtz' | '_rtp' | '_rtn';
  /** Elements of the vectors that it is called over; 1 for scalars. */
  readonly width: number;
}

const MODES = ['', '_rte', '_rtz', '_rtp', '_rtn'] as const;
const WIDTHS = [1, 2, 1, 1, 3, 1, 1, 4, 1, 1, 1, 8, 1, 1, 1, 1, 16];

/** All conversions of a type; each is called over scalars, or over vectors of some width. */
export const CONVERSIONS: readonly Conversion[] = SCALAR_TYPES.flatMap((to) =>
  (isInteger(to) ? [false, true] : [false]).flatMap((saturated) => MODES.map((mode) => ({ to, saturated, mode }))),
).map((one, i) => ({ ...one, width: WIDTHS[i % WIDTHS.length] ?? 1 }));

/** Numbers of a kernel's array: divisible by every width of a vector. */
export const COUNT = 240;

function isInteger(type: ScalarType): type is IntegerType {
  return type in INTEGERS;
}

export function rangeOf(type: IntegerType): readonly [least: bigint, most: bigint] {
  const [bits, signed] = INTEGERS[type];
  const size = 1n << BigInt(bits);
  return signed ? [-size / 2n, size / 2n - 1n] : [0n, size - 1n];
}

/** A kernel that converts from a type, each result as the bits of 64. */
export function conversionKernel(from: ScalarType): string {
  const cases = CONVERSIONS.map(({ to, saturated, mode, width }, i) => {
    const count = width === 1 ? '' : String(width);
    const call = `convert_${to}${count}${saturated ? '_sat' : ''}${mode}`;
    const bits = { half: 'ushort', float: 'uint', double: 'ulong' }[to as string];
    const raw = (value: string): string => (bits === undefined ? value : `as_${bits}${count}(${value})`);
    if (width === 1) return `case ${i}: r[i] = convert_ulong(${raw(`${call}(x[i])`)}); break;`;
    const value = `convert_ulong${count}(${raw(`${call}(vload${count}(i, x))`)})`;
    return `case ${i}: if (i < ${COUNT / width}) vstore${count}(${value}, i, r); break;`;
  });
  const head = `kernel void from_${from}(int which, global const ${from} *x, global ulong *r)`;
  return `${head} { size_t i = get_global_id(0); switch (which) { ${cases.join('\n')} } }`;
}

/** What a conversion gives, as numbers of the type. */
export function convert(bench: OpenCLBench, from: ScalarType, which: number, numbers: Data): (number | bigint)[] {
  const results = new BigUint64Array(COUNT);
  bench.run(`from_${from}`, { global: [COUNT], local: [48] }, [which, numbers, results]);
  const { to } = CONVERSIONS[which] as Conversion;
  return [...results].map((bits) => fromBits(to, bits));
}

function fromBits(type: ScalarType, bits: bigint): number | bigint {
  if (isInteger(type)) {
    const [size, signed] = INTEGERS[type];
    return signed ? BigInt.asIntN(size, bits) : BigInt.asUintN(size, bits);
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  if (type === 'double') return view.getFloat64(0);
  return type === 'float' ? view.getFloat32(4) : halfOf(Number(bits & 0xffffn));
}

function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (mantissa + 1024) * 2 ** (exponent - 25));
}

/** What a conversion of a number must give; undefined where OpenCL leaves that open. */
export function wantedOf(
  { to, saturated, mode }: Conversion,
  from: ScalarType,
  value: number | bigint,
): number | bigint | undefined {
  if (!isInteger(to)) return typeof value === 'number' && !Number.isFinite(value) ? value : toFloat(to, value, mode);
  const [least, most] = rangeOf(to);
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return saturated ? 0n : undefined;
    if (!Number.isFinite(value)) return saturated ? (value > 0 ? most : least) : undefined;
    const whole = BigInt(toWhole(value, mode));
    if (whole < least || whole > most) return saturated ? (whole < least ? least : most) : undefined;
    return whole;
  }
  if (saturated) return value < least ? least : value > most ? most : value;
  const [bits, signed] = INTEGERS[to];
  return isInteger(from) ? (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) : undefined;
}

function toWhole(value: number, mode: Conversion['mode']): number {
  switch (mode) {
    case '_rte': {
      const below = Math.floor(value);
      const rest = value - below;
      return below + (rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? 1 : 0);
    }
    case '_rtp':
      return Math.ceil(value);
    case '_rtn':
      return Math.floor(value);
    default:
      return Math.trunc(value);
  }
}

function toFloat(type: FloatType, value: number | bigint, mode: Conversion['mode']): number {
  const { m, e } = wholeOf(value);
  if (m === 0n) return Number(value);
  const negative = m < 0n;
  const size = negative ? -m : m;
  const { digits, least } = SHAPES[type];
  const place = Math.max(size.toString(2).length + e - digits, least);
  const drop = BigInt(Math.max(0, place - e));
  const kept = drop === 0n ? size << BigInt(e - place) : size >> drop;
  const rest = drop === 0n ? 0n : size - (kept << drop);
  const half = drop === 0n ? 1n : 1n << (drop - 1n);
  const away = mode === '_rtp' ? !negative : mode === '_rtn' ? negative : false;
  const nearest = mode === '' || mode === '_rte';
  const up = nearest ? rest > half || (rest === half && (kept & 1n) === 1n) : away && rest > 0n;
  const first = Number(kept + (up ? 1n : 0n));
  const result = first * 2 ** (place >> 1) * 2 ** (place - (place >> 1));
  const limited = result <= GREATEST[type] ? result : nearest || away ? Infinity : GREATEST[type];
  return negative ? -limited : limited;
}

function wholeOf(value: number | bigint): { m: bigint; e: number } {
  if (typeof value === 'bigint') return { m: value, e: 0 };
  let e = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    e--;
  }
  return { m: BigInt(scaled), e };
}

/** Numbers of a type at which conversions may go wrong. */
export function edgesOf(type: ScalarType): { readonly numbers: readonly (number | bigint)[]; readonly data: Data } {
  if (isInteger(type)) {
    const [least, most] = rangeOf(type);
    const powers = Array.from({ length: 64 }, (_, i) => 1n << BigInt(i));
    const near = powers.flatMap((x) => [
      x - 1n,
      x,
      x + 1n,
      -x,
      1n - x,
      -x - 1n,
      x + x / 2n,
      x + (x >> 11n),
      x - (x >> 24n),
    ]);
    const all = [...new Set([0n, 65519n, 65520n, 65521n, 16777217n, 16777219n, 9007199254740993n, ...near])];
    const numbers = all.filter((x) => x >= least && x <= most).slice(0, COUNT);
    return { numbers, data: integerArray(type, numbers) };
  }
  const limits = INTEGER_TYPES.flatMap((one) => rangeOf(one).map(Number));
  const near = limits.flatMap((x) => [x, x + 0.5, x - 0.5, x + 1, x - 1, x * (1 + 2 ** -20), x * (1 - 2 ** -10)]);
  const small = [
    0,
    -0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.5,
    -2.5,
    0.49999997,
    -0.7,
    1e-30,
    -1e-30,
    5e-8,
    -5e-8,
    2 ** -24,
    2 ** -149,
  ];
  const odd = [
    Infinity,
    -Infinity,
    NaN,
    65519.99,
    65520,
    1e300,
    -1e300,
    2 ** -1074,
    1 / 3,
    -1 / 3,
    Math.PI,
    3.4e38,
    3.5e38,
  ];
  const numbers = [...new Set([...small, ...odd, ...near, ...GREATEST_OF])]
    .map((x) => rounded(type, x))
    .slice(0, COUNT);
  return { numbers, data: arrayOf(type, padded(numbers, 0)) };
}

const GREATEST_OF = [65504, -65504, 3.4028234663852886e38, -3.4028234663852886e38, Number.MAX_VALUE];

function padded<T>(numbers: readonly T[], filler: T): T[] {
  return Array.from({ length: COUNT }, (_, i) => numbers[i] ?? filler);
}

/** Integers in a kernel's array. */
export function integerArray(type: IntegerType, numbers: readonly bigint[]): Data {
  const all = padded(numbers, 0n);
  switch (type) {
    case 'long':
      return BigInt64Array.from(all);
    case 'ulong':
      return BigUint64Array.from(all);
    default: {
      const plain = all.map(Number);
      const arrays = {
        char: Int8Array,
        uchar: Uint8Array,
        short: Int16Array,
        ushort: Uint16Array,
        int: Int32Array,
        uint: Uint32Array,
      };
      return arrays[type].from(plain);
    }
  }
}
