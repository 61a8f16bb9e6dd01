import type { ELEMENT_NAMES } from './element-names.ts';
import type { StructType, StructTypes } from '../core/struct.ts';
import type { KernelArray, KernelStructs, StructValue } from './kernel-array.ts';

type Names = typeof ELEMENT_NAMES;

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

type ParameterType<S extends string, T extends StructTypes> = S extends `${infer N}[${infer Axes}]`
  ? [ElementNamed<N>] extends [never]
    ? T[Trim<N>] extends StructType<infer F>
      ? KernelStructs<F>
      : unknown
    : KernelArray<ElementNamed<N>, RankOf<Axes>>
  : [ElementNamed<S>] extends [never]
    ? T[Trim<S>] extends StructType<infer F>
      ? StructValue<F>
      : unknown
    : ElementNamed<S> extends 'bool'
      ? boolean
      : number;

type ParameterTypes<L extends readonly string[], T extends StructTypes> = {
  [K in keyof L]: ParameterType<Trim<L[K]>, T>;
};

/** The parameters of `'void(f32[], f32[,], i32)'`; any where the text is not known. Structs have their names in `types`. */
export type ParametersOf<S extends string, T extends StructTypes = StructTypes> = string extends S
  ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- nothing is known of them
    any[]
  : S extends `${string}(${infer Inner})`
    ? ParameterTypes<Split<Inner>, T>
    : never;
