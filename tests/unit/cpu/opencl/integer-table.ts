import { INTEGERS, rangeOf, type IntegerType } from './conversions.ts';

/** An integer function over up to three arguments of one type. */
export interface IntegerFunction {
  readonly name: string;
  readonly arguments: 1 | 2 | 3;
  /** The result; undefined where OpenCL leaves it open. */
  readonly wanted: (args: readonly bigint[], type: IntegerType) => bigint | undefined;
  /** The types that it is for; all if not given. */
  readonly types?: readonly IntegerType[];
  /** The result has no sign. */
  readonly unsigned?: boolean;
}

const bitsOf = (type: IntegerType): number => INTEGERS[type][0];
const sizeOf = (type: IntegerType): bigint => 1n << BigInt(bitsOf(type));
const clamped = (x: bigint, [least, most]: readonly [bigint, bigint]): bigint =>
  x < least ? least : x > most ? most : x;
const saturated = (x: bigint, type: IntegerType): bigint => clamped(x, rangeOf(type));
/** As it is kept in the type. */
function wrapped(x: bigint, type: IntegerType): bigint {
  const [bits, signed] = INTEGERS[type];
  return signed ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x);
}
const raw = (x: bigint, type: IntegerType): bigint => BigInt.asUintN(bitsOf(type), x);
const textOf = (x: bigint, type: IntegerType): string => raw(x, type).toString(2).padStart(bitsOf(type), '0');
const within24 = (x: bigint): boolean => x >= -(1n << 23n) && x < 1n << 23n;
const size = (x: bigint): bigint => (x < 0n ? -x : x);

const unary = (name: string, wanted: (x: bigint, type: IntegerType) => bigint, unsigned = false): IntegerFunction => ({
  name,
  arguments: 1,
  unsigned,
  wanted: ([x = 0n], type) => wanted(x, type),
});
const binary = (
  name: string,
  wanted: (x: bigint, y: bigint, type: IntegerType) => bigint | undefined,
): IntegerFunction => ({
  name,
  arguments: 2,
  wanted: ([x = 0n, y = 0n], type) => wanted(x, y, type),
});
const ternary = (
  name: string,
  wanted: (x: bigint, y: bigint, z: bigint, type: IntegerType) => bigint | undefined,
): IntegerFunction => ({ name, arguments: 3, wanted: ([x = 0n, y = 0n, z = 0n], type) => wanted(x, y, z, type) });

/** OpenCL C's integer functions. */
export const INTEGER_FUNCTIONS: readonly IntegerFunction[] = [
  unary('abs', (x) => size(x), true),
  unary('clz', (x, type) => BigInt(textOf(x, type).indexOf('1') < 0 ? bitsOf(type) : textOf(x, type).indexOf('1'))),
  unary('ctz', (x, type) => {
    const last = textOf(x, type).lastIndexOf('1');
    return BigInt(last < 0 ? bitsOf(type) : bitsOf(type) - 1 - last);
  }),
  unary('popcount', (x, type) => BigInt(textOf(x, type).replaceAll('0', '').length)),
  { ...binary('abs_diff', (x, y) => size(x - y)), unsigned: true },
  binary('add_sat', (x, y, type) => saturated(x + y, type)),
  binary('sub_sat', (x, y, type) => saturated(x - y, type)),
  binary('hadd', (x, y) => (x + y) >> 1n),
  binary('rhadd', (x, y) => (x + y + 1n) >> 1n),
  binary('max', (x, y) => (x > y ? x : y)),
  binary('min', (x, y) => (x < y ? x : y)),
  binary('mul_hi', (x, y, type) => (x * y) >> BigInt(bitsOf(type))),
  binary('rotate', (x, y, type) => {
    const by = Number(raw(y, type) % BigInt(bitsOf(type)));
    const text = textOf(x, type);
    return wrapped(BigInt(`0b${text.slice(by)}${text.slice(0, by)}`), type);
  }),
  ternary('clamp', (x, y, z) => (y <= z ? clamped(x, [y, z]) : undefined)),
  ternary('mad_hi', (x, y, z, type) => wrapped(((x * y) >> BigInt(bitsOf(type))) + z, type)),
  ternary('mad_sat', (x, y, z, type) => saturated(x * y + z, type)),
  ternary('bitselect', (x, y, z, type) =>
    wrapped((raw(x, type) & ~raw(z, type)) | (raw(y, type) & raw(z, type)), type),
  ),
  {
    ...binary('mul24', (x, y, type) => (within24(x) && within24(y) ? wrapped(x * y, type) : undefined)),
    types: ['int', 'uint'],
  },
  {
    ...ternary('mad24', (x, y, z, type) => (within24(x) && within24(y) ? wrapped(x * y + z, type) : undefined)),
    types: ['int', 'uint'],
  },
];

/** Numbers at which such functions may go wrong. */
export function integerEdges(type: IntegerType): bigint[] {
  const [least, most] = rangeOf(type);
  const size = sizeOf(type);
  const some = [0n, 1n, 2n, 3n, 5n, 7n, 8n, 100n, -1n, -2n, -3n, -100n, 1234567n, -8000000n, 0x5a5a5a5a5a5a5a5an];
  const edges = [
    least,
    least + 1n,
    most,
    most - 1n,
    size / 2n,
    size / 4n,
    size / 4n - 1n,
    size / 3n,
    -size / 4n,
    -size / 3n,
  ];
  return [...new Set([...some, ...edges])].filter((x) => x >= least && x <= most);
}
