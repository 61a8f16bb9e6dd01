import type { KernelArray } from './kernel-array.ts';

/** Names of element types in signatures: ours, NumPy's and Numba's. */
interface Names {
  bool: 'bool';
  boolean: 'bool';
  b1: 'bool';
  i8: 'i8';
  int8: 'i8';
  i1: 'i8';
  u8: 'u8';
  uint8: 'u8';
  u1: 'u8';
  i16: 'i16';
  int16: 'i16';
  i2: 'i16';
  u16: 'u16';
  uint16: 'u16';
  u2: 'u16';
  i32: 'i32';
  int32: 'i32';
  i4: 'i32';
  u32: 'u32';
  uint32: 'u32';
  u4: 'u32';
  i64: 'i64';
  int64: 'i64';
  u64: 'u64';
  uint64: 'u64';
  f16: 'f16';
  float16: 'f16';
  f2: 'f16';
  bf16: 'bf16';
  bfloat16: 'bf16';
  f32: 'f32';
  float32: 'f32';
  f4: 'f32';
  f64: 'f64';
  float64: 'f64';
}

type Trim<S extends string> = S extends ` ${infer Rest}` ? Trim<Rest> : S extends `${infer Rest} ` ? Trim<Rest> : S;

/** The pieces of a list at commas that are in no brackets. */
type Split<S extends string> = S extends `${infer Head},${infer Rest}`
  ? Head extends `${string}[${infer Axes}`
    ? Axes extends `${string}]${string}`
      ? [Head, ...Split<Rest>]
      : Rest extends `${infer More}]${infer Behind}`
        ? Behind extends `${string},${infer Others}`
          ? [`${Head},${More}]`, ...Split<Others>]
          : [`${Head},${More}]`]
        : [S]
    : [Head, ...Split<Rest>]
  : Trim<S> extends ''
    ? []
    : [S];

/** Axes by the commas between their brackets. */
type RankOf<Axes extends string> = Axes extends `${string},${string},${string},${string}`
  ? 4
  : Axes extends `${string},${string},${string}`
    ? 3
    : Axes extends `${string},${string}`
      ? 2
      : 1;

type ElementNamed<N extends string> = Trim<N> extends keyof Names ? Names[Trim<N>] : never;

type ParameterType<S extends string> = S extends `${infer N}[${infer Axes}]`
  ? [ElementNamed<N>] extends [never]
    ? unknown
    : KernelArray<ElementNamed<N>, RankOf<Axes>>
  : [ElementNamed<S>] extends [never]
    ? unknown
    : ElementNamed<S> extends 'bool'
      ? boolean
      : number;

type ParameterTypes<L extends readonly string[]> = { [K in keyof L]: ParameterType<Trim<L[K]>> };

/** The parameters of `'void(f32[], f32[,], i32)'`; any where the text is not known. */
export type ParametersOf<S extends string> = string extends S
  ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- nothing is known of them
    any[]
  : S extends `${string}(${infer Inner})`
    ? ParameterTypes<Split<Inner>>
    : never;
