import { CUDA_SCALARS } from '../../core/c-scalars.ts';
import { parseType } from '../../core/signature.ts';
import type { StructLayout, StructTypes } from '../../core/struct.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Dialect } from '../kernel/dialect.ts';

/** Which of the two languages a text is in. */
export type Language = Dialect['name'];

/** Bytes of an element, and what its address is a multiple of. */
export interface Extent {
  readonly byteLength: number;
  readonly alignment: number;
}

/** An element that arrays have no dtype of: a struct, or a short vector. Arrays have its bytes, or a vector's numbers. */
export interface Compound {
  /** Its name in C. */
  readonly name: string;
  /** The struct's type; undefined for a vector. */
  readonly struct: StructLayout | undefined;
  /** The dtype of a vector's numbers. */
  readonly part: ArrayDType | undefined;
  /** What it takes in each language; undefined where a language has none. */
  readonly extent: Readonly<Record<Language, Extent | undefined>>;
}

/** What a parameter points to, or is. */
export interface Element {
  readonly dtype: ArrayDType | Compound;
  /** Its type in each language. */
  readonly text: Readonly<Record<Language, string>>;
}

const OPENCL: Readonly<Record<ArrayDType, string>> = {
  bool: 'uchar',
  i8: 'char',
  u8: 'uchar',
  i16: 'short',
  u16: 'ushort',
  i32: 'int',
  u32: 'uint',
  i64: 'long',
  u64: 'ulong',
  f16: 'half',
  bf16: 'bf16',
  f32: 'float',
  f64: 'double',
  c64: 'float2',
  c128: 'double2',
};

/** Complex numbers by the names that libraries give them: two floats, `x` and `y`, without operators. */
const COMPLEX: Readonly<Record<string, ArrayDType>> = Object.fromEntries(
  (['c64', 'c128'] as const).flatMap((dtype) => {
    const [part, short] = dtype === 'c64' ? ['float', 'cfloat'] : ['double', 'cdouble'];
    const spaces = ['', 'pycuda::', 'thrust::', 'std::', 'cuda::std::'];
    return [`${part}2`, short, `${short}_t`, ...spaces.map((space) => `${space}complex<${part}>`)].map((name) => [
      name,
      dtype,
    ]);
  }),
);

const elements: ReadonlyMap<string, Element> = new Map([
  ...Object.entries(CUDA_SCALARS).map(([name, dtype]) => row(name, dtype, name, OPENCL[dtype])),
  row('ulong', 'u64', 'unsigned long', 'ulong'),
  row('bool', 'bool', 'unsigned char', 'uchar'),
  ...Object.entries(COMPLEX).map(([name, dtype]) => row(name, dtype, dtype, dtype)),
  ...Object.values(arrayDTypes).flatMap(({ name, numpy }) => {
    const text = name === 'bool' ? 'u8' : name;
    return [name, numpy].filter((each) => each !== 'bool').map((each) => row(each, name, text, text));
  }),
]);

function row(name: string, dtype: ArrayDType, cuda: string, opencl: string): [string, Element] {
  return [name, { dtype, text: { cuda, opencl } }];
}

/**
 * The element of a type's name in C, in either language's: numbers by all their names, complex numbers, short vectors, and the
 * given structs. Undefined for any other name.
 *
 * @param name - as `CType` has it, without qualifiers
 */
export function elementNamed(name: string, types: StructTypes | undefined): Element | undefined {
  if (types !== undefined && Object.hasOwn(types, name)) return structElement(name, types[name] as StructLayout);
  return elements.get(name) ?? vectorElement(name);
}

function structElement(name: string, struct: StructLayout): Element {
  const { byteLength, alignment } = struct;
  const extent = { byteLength, alignment };
  const dtype = { name, struct, part: undefined, extent: { cuda: extent, opencl: extent } };
  return { dtype, text: { cuda: name, opencl: name } };
}

function vectorElement(name: string): Element | undefined {
  const [cuda, opencl] = [extentOf(name, 'cuda'), extentOf(name, 'opencl')];
  const part = (['cuda', 'opencl'] as const)
    .map((language) => parseType(name, language).element)
    .find((each) => each !== undefined);
  const known = part === undefined ? undefined : elements.get(parseType(part, 'cuda').text);
  if ((cuda ?? opencl) === undefined || known === undefined) return undefined;
  const dtype = { name, struct: undefined, part: known.dtype as ArrayDType, extent: { cuda, opencl } };
  return { dtype, text: { cuda: name, opencl: name } };
}

function extentOf(name: string, language: Language): Extent | undefined {
  const { kind, size, align } = parseType(name, language);
  return kind === 'vector' && size !== undefined ? { byteLength: size, alignment: align ?? size } : undefined;
}
