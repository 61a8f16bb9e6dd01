import type { CUDA_ALIASES, CUDA_SCALARS, CUDA_VECTORS, OPENCL_ALIASES, OPENCL_SCALARS } from '../c-scalars.ts';
import type { DType } from '../dtype.ts';
import type { TAKEN } from '../element-table.ts';
import type { Scalar, Vector } from '../value.ts';
import type { RefPointer } from '../ref-value.ts';
import type { AnyElement } from './element.ts';

// Tables from the names of C to the types of arguments. They are computed once in a program, however many kernels it has.

/** A type that has an element like it: `float`, and of memory `float *` and `float4 *`. */
interface Number<D extends DType | 'bool', Bytes = false> {
  readonly dtype: D;
  readonly bytes: Bytes;
}

/** A vector, and how many elements it has room for: in OpenCL one of three has room for four. */
interface Lanes<D extends DType, N extends number, Room extends number = N> {
  readonly dtype: D;
  readonly lanes: N;
  readonly room: Room;
}

/** Other orders and short forms of the arithmetic types, by the full one. */
interface Spellings {
  readonly int: 'signed' | 'signed int';
  readonly 'unsigned int': 'unsigned' | 'int unsigned';
  readonly short: 'short int' | 'signed short' | 'signed short int';
  readonly 'unsigned short': 'unsigned short int' | 'short unsigned int' | 'short unsigned';
  readonly long: 'long int' | 'signed long' | 'signed long int';
  readonly 'unsigned long': 'unsigned long int' | 'long unsigned int' | 'long unsigned';
  readonly 'long long': 'long long int' | 'signed long long' | 'signed long long int';
  readonly 'unsigned long long': 'unsigned long long int' | 'long long unsigned int' | 'long long unsigned';
}

/** Names that mean another, each with what that means. */
type Spelled<Types> = {
  readonly [Full in keyof Spellings & keyof Types as Spellings[Full]]: Types[Full];
};
type Aliased<Aliases, Types> = {
  readonly [Name in keyof Aliases as Aliases[Name] extends keyof Types ? Name : never]: Types[Aliases[Name] &
    keyof Types];
};

type VectorsOf<Stems extends Readonly<Record<string, DType>>, N extends number, Room extends number = N> = {
  readonly [Stem in keyof Stems & string as `${Stem}${N}`]: Lanes<Stems[Stem], N, Room>;
};

// `char *` and `unsigned char *` are bytes: through them the language reads memory of any type.
type CudaScalars = {
  readonly [Name in keyof typeof CUDA_SCALARS]: Number<
    (typeof CUDA_SCALARS)[Name],
    Name extends 'char' | 'unsigned char' | 'char8_t' ? true : false
  >;
} & { readonly bool: Number<'bool'> };
type CudaStems = { readonly [Stem in keyof typeof CUDA_VECTORS]: (typeof CUDA_SCALARS)[(typeof CUDA_VECTORS)[Stem]] };
type CudaPlain = CudaScalars &
  VectorsOf<CudaStems, 1> &
  VectorsOf<CudaStems, 2> &
  VectorsOf<CudaStems, 3> &
  VectorsOf<CudaStems, 4> & { readonly __half2: Lanes<'f16', 2>; readonly __nv_bfloat162: Lanes<'bf16', 2> };

type OpenCLScalars = {
  readonly [Name in keyof typeof OPENCL_SCALARS]: Number<
    (typeof OPENCL_SCALARS)[Name],
    Name extends 'char' | 'uchar' ? true : false
  >;
};
type OpenCLPlain = OpenCLScalars &
  VectorsOf<typeof OPENCL_SCALARS, 2> &
  VectorsOf<typeof OPENCL_SCALARS, 3, 4> &
  VectorsOf<typeof OPENCL_SCALARS, 4> &
  VectorsOf<typeof OPENCL_SCALARS, 8> &
  VectorsOf<typeof OPENCL_SCALARS, 16>;
type OpenCLSigned = OpenCLPlain & Aliased<typeof OPENCL_ALIASES, OpenCLPlain>;

/** Every type of CUDA C++ that is known by its name. */
export type CudaTypes = CudaPlain & Spelled<CudaPlain> & Aliased<typeof CUDA_ALIASES, CudaPlain>;
/** Every type of OpenCL C that is known by its name. */
export type OpenCLTypes = OpenCLSigned & Spelled<OpenCLSigned>;

/** Sizes of dtypes that have an integer of twice their size. */
interface Doubled {
  readonly 1: 'i8' | 'u8';
  readonly 2: 'i16' | 'u16' | 'f16' | 'bf16';
  readonly 4: 'i32' | 'u32' | 'f32';
}

/** The integers that whole vectors pass for: pixels, packed halves. By the size of an element and their number. */
interface Whole {
  readonly 1: { readonly 2: 'i16'; readonly 4: 'i32'; readonly 8: 'i64' };
  readonly 2: { readonly 2: 'i32'; readonly 4: 'i64' };
  readonly 4: { readonly 2: 'i64' };
}

type WholeOf<D extends DType, Room extends number> = {
  readonly [Size in keyof Doubled]: D extends Doubled[Size]
    ? Room extends keyof Whole[Size]
      ? Whole[Size][Room]
      : never
    : never;
}[keyof Doubled];

type TakenOf<D extends DType | 'bool'> = (typeof TAKEN)[D][number];

/** The elements of memory for a pointer to each type. */
export type Pointees<Types> = {
  readonly [Name in keyof Types]: Types[Name] extends Lanes<infer D, number, infer Room>
    ? TakenOf<D> | TakenOf<WholeOf<D, Room> & DType>
    : Types[Name] extends Number<infer D, infer Bytes>
      ? Bytes extends true
        ? AnyElement
        : Name extends `${string}long${string}`
          ? (typeof TAKEN)['long'][number]
          : TakenOf<D>
      : never;
};

/** Signed and unsigned integers of a size take each other's values. */
type IntegersLike<D extends DType> = D extends 'i8' | 'u8'
  ? 'i8' | 'u8'
  : D extends 'i16' | 'u16'
    ? 'i16' | 'u16'
    : D extends 'i32' | 'u32'
      ? 'i32' | 'u32'
      : 'i64' | 'u64';

/**
 * What goes for a number of each type by value.
 *
 * @typeParam Handle - what goes for an unsigned integer of 64 bits besides
 */
export type Numbers<Types, Handle = never> = {
  readonly [Name in keyof Types]: Types[Name] extends Lanes<infer D, infer N, number>
    ? Vector<D, N>
    : Types[Name] extends Number<infer D, boolean>
      ? D extends 'bool'
        ? boolean | number | RefPointer
        : D extends 'f16' | 'bf16' | 'f32' | 'f64'
          ? number | Scalar<D> | RefPointer
          : D extends DType
            ? | number
              | bigint
              | Scalar<IntegersLike<D> | (Name extends 'long' | 'unsigned long' ? 'i32' | 'u32' : never)>
              | RefPointer
              | (D extends 'u64' ? Handle : never)
            : never
      : never;
};

/** What is said of a type without changing what an argument is; and the nothing beside a blank. */
type Qualifier =
  | (
      | ''
      | 'const'
      | 'volatile'
      | 'restrict'
      | '__restrict__'
      | '__restrict'
      | '__grid_constant__'
      | 'struct'
      | 'register'
    )
  | `${'' | '__'}${'global' | 'constant' | 'local' | 'private' | 'read_only' | 'write_only' | 'read_write'}`;

type Word<Before extends string, Last extends string> = Last extends Qualifier
  ? Before
  : Before extends ''
    ? Last
    : `${Before} ${Last}`;

/** The words of a type, without qualifiers: `float` of ` const float `. */
export type TypeOf<Text extends string, Before extends string = ''> = Text extends `${infer First} ${infer Rest}`
  ? TypeOf<Rest, Word<Before, First>>
  : Word<Before, Text>;

/** The same of a parameter, `unsigned int` of `const unsigned int n`: what stands before the name. */
export type TypeBefore<Text extends string, Before extends string = ''> = Text extends `${infer First} ${infer Rest}`
  ? Rest extends ''
    ? Before
    : TypeBefore<Rest, Word<Before, First>>
  : Before;
