import {
  EDGE_FLOATS,
  EDGE_INTEGERS,
  HOST_TYPES,
  newNumbers,
  randomElements,
  randomNumbers,
  type HostType,
  type Numbers,
} from './random-jit-inputs.ts';
import type { JitProgram } from './jit-program-kernel.ts';

/** How a function of values is tried: `x`, `y` and `z` are operands of one type. */
export interface BuiltinRow {
  readonly text: string;
  /** The types of the operands. */
  readonly types: readonly HostType[];
  /** What the result is stored as; by default a float for floats and f64 for integers. */
  readonly result?: (type: HostType) => HostType;
  /** The error of the functions that are not exact, as OpenCL C 3.0, 7.4 has it. JavaScript's own is one more. */
  readonly ulp?: number;
  /** Whether OpenCL C has it not. */
  readonly isCuda?: boolean;
}

const ALL = HOST_TYPES;
const FLOATS = ['f32', 'f64'] as const;
const INTEGERS = HOST_TYPES.filter((type) => !type.startsWith('f'));

const inFloats = (type: HostType): HostType => (type === 'f32' ? 'f32' : 'f64');
const asInteger = (): HostType => 'i32';
const promoted = (type: HostType): HostType => (/^[iu](?:8|16)$/.test(type) ? 'i32' : type);
const unsigned = (type: HostType): HostType => (type.endsWith('64') ? 'u64' : 'u32');

/** Functions of floats with their errors in ulp. */
const ERRORS = {
  sqrt: 0, cbrt: 2, exp: 3, expm1: 3, log: 3, log2: 3, log10: 3, log1p: 2, sin: 4, cos: 4, tan: 5, asin: 4, acos: 4, atan: 5, sinh: 4,
  cosh: 4, tanh: 5, asinh: 4, acosh: 4, atanh: 5,
} as const; // prettier-ignore

const CASTS: Readonly<Record<string, HostType>> = {
  int8: 'i8', uint8: 'u8', int16: 'i16', uint16: 'u16', int32: 'i32', uint32: 'u32', int64: 'i64', uint64: 'u64', float32: 'f32',
  float64: 'f64', boolean: 'u8',
}; // prettier-ignore

const CONSTANTS = [
  ...['PI', 'E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'SQRT2', 'SQRT1_2'].map((name) => `Math.${name}`),
  ...['MAX_VALUE', 'MIN_VALUE', 'EPSILON', 'MAX_SAFE_INTEGER', 'POSITIVE_INFINITY', 'NEGATIVE_INFINITY', 'NaN'].map(
    (name) => `Number.${name}`,
  ),
  'Infinity',
  'NaN',
];

function vectorRows(): [string, readonly BuiltinRow[]][] {
  return ([['float32x', 'f32'], ['float64x', 'f64'], ['int32x', 'i32'], ['uint32x', 'u32']] as const).flatMap(([name, type]) =>
    [2, 3, 4].map((size): [string, readonly BuiltinRow[]] => {
      const made = `cuda.${name}${size}(${['x', 'y', 'z', 'x'].slice(0, size).join(', ')})`;
      const fields = ['x', 'y', 'z', 'w'].slice(0, size);
      return [`${name}${size}`, fields.map((field) => ({ text: `(${made}).${field}`, types: [type], result: () => type }))];
    }),
  ); // prettier-ignore
}

/** Each function of values, by its row in the tables of `src/jit/operation`. */
export const BUILTIN_ROWS: Readonly<Record<string, readonly BuiltinRow[]>> = {
  ...Object.fromEntries(Object.entries(ERRORS).map(([name, ulp]) => [`Math.${name}`, [{ text: `Math.${name}(x)`, types: ALL, ulp }]])),
  ...Object.fromEntries(['floor', 'ceil', 'trunc', 'round'].map((name) => [`Math.${name}`, [{ text: `Math.${name}(x)`, types: ALL, result: promoted }]])),
  ...Object.fromEntries(['max', 'min'].map((name) => [`Math.${name}`, ['x', 'x, y', 'x, y, z', 'x, 0', '-0, x'].map((args) => ({ text: `Math.${name}(${args})`, types: args.startsWith('-') ? FLOATS : ALL, result: promoted }))])),
  'Math.abs': [{ text: 'Math.abs(x)', types: ALL, result: promoted }],
  'Math.sign': [{ text: 'Math.sign(x)', types: ALL }],
  'Math.pow': [
    { text: 'Math.pow(x, y)', types: ALL, ulp: 16 },
    { text: 'x ** y', types: ALL, ulp: 16 },
    { text: 'x ** 2', types: FLOATS, ulp: 16 },
    { text: 'x ** 3', types: INTEGERS, result: promoted },
    { text: 'x ** 0.5', types: FLOATS, ulp: 16 },
  ],
  __pow: [{ text: '__pow(x, y)', types: ALL, ulp: 16 }],
  'Math.atan2': [{ text: 'Math.atan2(x, y)', types: ALL, ulp: 6 }],
  'Math.hypot': [{ text: 'Math.hypot(x, y)', types: ALL, ulp: 4 }],
  'Math.fround': [{ text: 'Math.fround(x)', types: ALL, result: () => 'f32' }],
  'Math.imul': [{ text: 'Math.imul(x, y)', types: INTEGERS, result: asInteger }],
  'Math.clz32': [{ text: 'Math.clz32(x)', types: INTEGERS, result: asInteger }],
  ...Object.fromEntries(CONSTANTS.map((name) => [name, [{ text: name, types: FLOATS }, { text: `(x < ${name})`, types: FLOATS, result: asInteger }]])),
  ...Object.fromEntries(['Number.isNaN', 'Number.isFinite', 'isNaN', 'isFinite'].map((name) => [name, [{ text: `${name}(x)`, types: ALL, result: asInteger }]])),
  ...Object.fromEntries(Object.entries(CASTS).map(([name, type]) => [name, ['x', '(x < y)'].map((x) => ({ text: `cuda.${name}(${x})`, types: ALL, result: () => type }))])),
  Boolean: [{ text: 'Boolean(x)', types: ALL, result: asInteger }],
  Number: [{ text: 'Number(x)', types: ALL, result: promoted }, { text: 'Number(x < y)', types: ALL, result: asInteger }],
  ...Object.fromEntries(vectorRows()),
  fma: [{ text: 'cuda.fma(x, y, z)', types: ALL }],
  cbrt: [{ text: 'cuda.cbrt(x)', types: ALL, ulp: 2 }],
  rsqrt: [{ text: 'cuda.rsqrt(x)', types: ALL, ulp: 2 }],
  selp: [{ text: 'cuda.selp(x > y, x, z)', types: ALL, result: (type) => type }],
  popc: [{ text: 'cuda.popc(x)', types: INTEGERS, result: asInteger }],
  clz: [{ text: 'cuda.clz(x)', types: INTEGERS, result: asInteger }],
  ffs: [{ text: 'cuda.ffs(x)', types: INTEGERS, result: asInteger, isCuda: true }],
  brev: [{ text: 'cuda.brev(x)', types: INTEGERS, result: unsigned, isCuda: true }],
}; // prettier-ignore

/** Inputs of each function: a power of two. */
const INPUTS = 1024;

/** Programs of all rows, for each type that they permit. */
export function builtinPrograms(isCuda: boolean): readonly JitProgram[] {
  return Object.values(BUILTIN_ROWS)
    .flat()
    .filter((row) => isCuda || row.isCuda !== true)
    .flatMap(({ text, types, result = inFloats, ulp = 0 }) =>
      types.map((type) => ({
        type: result(type),
        value: `+(${text.replaceAll(/\b([xyz])\b(?!\d|\()/g, (name, letter: string, at: number) => (text[at - 1] === '.' ? name : `${type}${letter}[i]`))})`,
        ...(ulp > 0 ? { ulp: ulp + 1 } : {}),
      })),
    );
}

/** Pairs and triples of the ends of each type, then random numbers. */
export function builtinInputs(seed: number): ReadonlyMap<string, Numbers> {
  const number = randomNumbers(seed);
  return new Map(
    HOST_TYPES.flatMap((type) => {
      const edges = edgesOf(type);
      const count = edges.length;
      return ['x', 'y', 'z'].map((letter, axis) => {
        const list = randomElements(type, INPUTS, number);
        // Each with each, as far as there is room.
        const place = (i: number): number =>
          axis === 0 ? i : axis === 1 ? i * 7 + Math.floor(i / count) : i * 11 + Math.floor(i / 5);
        for (let i = 0; i < INPUTS * 0.75; i++) list[i] = edges[place(i) % count] as number | bigint;
        return [`${type}${letter}`, list] as const;
      });
    }),
  );
}

function edgesOf(type: HostType): readonly (number | bigint)[] {
  const all: readonly (number | bigint)[] =
    type === 'f32' || type === 'f64'
      ? EDGE_FLOATS
      : type.endsWith('64')
        ? EDGE_INTEGERS
        : EDGE_INTEGERS.map((value) => Number(BigInt.asIntN(32, value)));
  const list = newNumbers(type, all.length);
  for (const [i, value] of all.entries()) list[i] = value;
  return [...new Set(Array.from(list as unknown as ArrayLike<number | bigint>))];
}

/** Rows that say what to write in their place. */
export const REFUSED_ROWS: Readonly<Record<string, { readonly text: string; readonly reason: string }>> = {
  'Math.random': { text: 'Math.random()', reason: 'a kernel has no Math.random' },
};
