import { DOUBLE, FLOAT, round, roundBig, ROUNDINGS, roundInteger, type Rounding } from './rounding.ts';
import type { CudaType, FunctionGroup, FunctionRow, Value } from './table.ts';

const REALS = [
  0,
  -0,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.49999997,
  1e-40,
  -1e-40,
  1e-310,
  3.7,
  -3.7,
  16777217,
  123456.789,
  2147483520,
  2147483647,
  2147483648,
  -2147483648,
  -2147483904,
  4294967040,
  4294967295.5,
  1e15,
  9.223371487098962e18,
  9.223372036854776e18,
  -9.223372036854776e18,
  1.8446742974197924e19,
  1.8446744073709552e19,
  1e30,
  -1e30,
  1e300,
  3.4e38,
  -3.5e38,
  1.0000000596046448,
  1.00000001,
  -1.00000001,
  Infinity,
  -Infinity,
  NaN,
];
const WORDS = [
  0, 1, -1, 16777215, 16777216, 16777217, 16777219, -16777217, 33554431, 2147483647, -2147483648, 0x7fffffc0,
];
const LONGS = [
  0n,
  1n,
  -1n,
  16777217n,
  -16777219n,
  9007199254740993n,
  -9007199254740995n,
  0x7fffffffffffffffn,
  -0x8000000000000000n,
  0x7fffff4000000000n,
  0x7fffff4000000001n,
  1234567890123456789n,
  -1234567890123456789n,
];

/** A real number as an integer of a type: saturated; what NaN gives depends on the types. */
function saturate(x: number, bits: number, isSigned: boolean, nan: bigint): bigint {
  if (Number.isNaN(x)) return nan;
  const least = isSigned ? -(1n << BigInt(bits - 1)) : 0n;
  const most = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n;
  if (!Number.isFinite(x)) return x < 0 ? least : most;
  const value = BigInt(x);
  return value < least ? least : value > most ? most : value;
}

function toInteger(from: 'float' | 'double', name: string, output: CudaType): FunctionGroup {
  const bits = name.endsWith('ll') ? 64 : 32;
  const isSigned = !name.startsWith('u');
  const nan = from === 'float' && bits === 32 ? 0n : 1n << BigInt(bits - 1);
  const convert = (x: number): Value => {
    const value = saturate(x, bits, isSigned, nan);
    return bits === 64 ? value : Number(value);
  };
  return {
    name: `${from} to ${name}`,
    inputs: [from],
    values: [from === 'float' ? REALS.map(Math.fround) : REALS],
    output,
    rows: ROUNDINGS.map((rounding) => [
      `__${from}2${name}_${rounding}(a)`,
      (a: number): Value => convert(Number.isFinite(a) ? roundInteger(a, rounding) : a),
    ]),
  };
}

function fromInteger(name: string, input: CudaType, to: 'float' | 'double'): FunctionGroup {
  const format = to === 'float' ? FLOAT : DOUBLE;
  const wide = name.endsWith('ll');
  const values = wide ? LONGS : WORDS.map(BigInt);
  const typed = values.map((x) => (name.startsWith('u') ? BigInt.asUintN(wide ? 64 : 32, x) : x));
  const roundings: readonly Rounding[] = to === 'double' && !wide ? ['rn'] : ROUNDINGS;
  return {
    name: `${name} to ${to}`,
    inputs: [input],
    values: [wide ? typed : typed.map(Number)],
    output: to,
    rows: roundings.map((rounding) => [
      `__${name}2${to}_${rounding}(a)`,
      (a: Value): Value => roundBig(BigInt(a), format, rounding),
    ]),
  };
}

const buffer = new DataView(new ArrayBuffer(8));
function bitsOf(x: number): bigint {
  buffer.setFloat64(0, x);
  return buffer.getBigInt64(0);
}
const FINITE = REALS.filter((x) => !Number.isNaN(x));
const casts: readonly FunctionRow[] = [
  ['__double_as_longlong(a)', (a: number): Value => bitsOf(a)],
  ['__double2hiint(a)', (a: number): Value => bitsOf(a) >> 32n],
  ['__double2loint(a)', (a: number): Value => BigInt.asIntN(32, bitsOf(a))],
  ['__double_as_longlong(__hiloint2double(__double2hiint(a), __double2loint(a)))', (a: number): Value => bitsOf(a)],
  ['__float_as_int((float)a)', (a: number): Value => (buffer.setFloat32(0, a), BigInt(buffer.getInt32(0)))],
  ['__float_as_uint((float)a)', (a: number): Value => (buffer.setFloat32(0, a), BigInt(buffer.getUint32(0)))],
  ['__double_as_longlong(__int_as_float(__float_as_int((float)a)))', (a: number): Value => bitsOf(Math.fround(a))],
  ['__double_as_longlong(__longlong_as_double(__double_as_longlong(a)))', (a: number): Value => bitsOf(a)],
];

export const CONVERSIONS: readonly FunctionGroup[] = [
  ...(['float', 'double'] as const).flatMap((from) => [
    toInteger(from, 'int', 'int'),
    toInteger(from, 'uint', 'unsigned'),
    toInteger(from, 'll', 'long long'),
    toInteger(from, 'ull', 'unsigned long long'),
  ]),
  ...(['float', 'double'] as const).flatMap((to) => [
    fromInteger('int', 'int', to),
    fromInteger('uint', 'unsigned', to),
    fromInteger('ll', 'long long', to),
    fromInteger('ull', 'unsigned long long', to),
  ]),
  {
    name: 'double to float',
    inputs: ['double'],
    values: [REALS],
    output: 'float',
    rows: ROUNDINGS.map((rounding) => [
      `__double2float_${rounding}(a)`,
      (a: number): Value => round(a, FLOAT, rounding),
    ]),
  },
  { name: 'casts', inputs: ['double'], values: [FINITE], output: 'long long', rows: casts },
];
