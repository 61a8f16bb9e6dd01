import { float2, int4 } from '../../src/cuda/kernel/vectors.ts';
import { struct, type Fields, type StructType } from '../../src/core/struct.ts';
import type { RandomType } from './random-jit-forms.ts';
import { randomElements, randomNumbers, type HostType } from './random-jit-inputs.ts';

const INNER = { m: 'i32', g: 'f32' } as const;
// Fields of each size, so that there are gaps between them and behind the last one.
const FIELDS = {
  b: 'i8',
  d: 'f64',
  h: 'u16',
  w: 'i64',
  in: struct(INNER),
  f: 'f32',
  k: 'bool',
  q: 'u64',
  s: 'i16',
  v: float2,
  u: 'u32',
  c: 'u8',
  n: 'i32',
  p: int4,
} as const;

/** The structs that random programs read and write. */
export const Row: StructType = struct(FIELDS as Fields);

/** The numbers in a struct by the paths to them. */
export const ROW_PATHS: readonly (readonly [path: string, type: RandomType])[] = [
  ...Object.entries(FIELDS).flatMap(([name, type]): [string, RandomType][] =>
    typeof type === 'string' ? [[name, type]] : [],
  ),
  ...Object.entries(INNER).map(([name, type]): [string, RandomType] => [`in.${name}`, type]),
  ...['x', 'y'].map((lane): [string, RandomType] => [`v.${lane}`, 'f32']),
  ...['x', 'y', 'z', 'w'].map((lane): [string, RandomType] => [`p.${lane}`, 'i32']),
];

/** The bytes of random structs. */
export function randomRows(seed: number, length: number): Uint8Array<ArrayBuffer> {
  const number = randomNumbers(seed ^ 0x0b0e);
  const list = (type: HostType, count = 1): ArrayLike<number | bigint> => randomElements(type, length * count, number);
  const flat = Object.entries(FIELDS).flatMap(([name, type]) =>
    typeof type === 'string' && type !== 'bool' ? [[name, list(type)] as const] : [],
  );
  const [m, g, v, p] = [list('i32'), list('f32'), list('f32', 2), list('i32', 4)];
  const value = (from: ArrayLike<number | bigint>, i: number): number => from[i] as number;
  return Row.pack(
    Array.from({ length }, (_, i) => ({
      ...Object.fromEntries(flat.map(([name, from]) => [name, from[i] as number])),
      in: { m: value(m, i), g: value(g, i) },
      k: number() < 0.5,
      v: float2(value(v, 2 * i), value(v, 2 * i + 1)),
      p: int4(value(p, 4 * i), value(p, 4 * i + 1), value(p, 4 * i + 2), value(p, 4 * i + 3)),
    })),
  );
}

type RowValue = Readonly<Record<string, unknown>>;

/** The names of fields in which two structs differ; NaN is one number, whatever its bits. What is between fields does not count. */
export function rowDifferences(a: RowValue, b: RowValue): readonly string[] {
  return Object.keys(FIELDS).filter((name) => {
    const [one, other] = [a, b].map((row) => numbersOf(row[name]));
    return !(one as unknown[]).every((value, i) => Object.is(value, other?.[i]));
  });
}

function numbersOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}
