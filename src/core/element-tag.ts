import { dtypes, type DType, type ElementType } from './dtype.ts';
import { ARRAY_ELEMENTS, type ElementName } from './element-table.ts';
import { isHostMemory } from './host-memory.ts';
import { Scalar, Vector } from './value.ts';

/**
 * What the elements of memory are, as bits: one for memory whose type is known, 0 for bytes and for memory of which nothing
 * is known. A parameter is a set of such bits, and a launch compares two small integers.
 */
export type ElementTag = number;

const [I8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64, C64, C128, BOOL] = Array.from(
  { length: 14 },
  (_, i) => 1 << i,
) as [number, number, number, number, number, number, number, number, number, number, number, number, number, number];

/** The tags by name. A `u8` is a byte, which goes for anything. */
export const tags: Readonly<Record<ElementName, ElementTag>> = {
  i8: I8,
  u8: 0,
  i16: I16,
  u16: U16,
  i32: I32,
  u32: U32,
  i64: I64,
  u64: U64,
  f16: F16,
  bf16: BF16,
  f32: F32,
  f64: F64,
  c64: C64,
  c128: C128,
  bool: BOOL,
};

const CLASSES: Readonly<Record<string, ElementTag>> = Object.fromEntries(
  (Object.entries(ARRAY_ELEMENTS) as [string, ElementName][]).map(([name, element]) => [name, tags[element]]),
);

/** The type strings of the CUDA array interface, without the byte order. */
const TYPE_STRINGS: Readonly<Record<string, ElementTag>> = {
  i1: I8,
  i2: I16,
  u2: U16,
  i4: I32,
  u4: U32,
  i8: I64,
  u8: U64,
  f2: F16,
  f4: F32,
  f8: F64,
  c8: C64,
  c16: C128,
  b1: BOOL,
};

// The language's own getter: it knows arrays of other realms, and a subclass by what it is.
const className = Reflect.get(
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag) ?? {},
  'get',
) as (this: unknown) => string | undefined;

/** The tag of a host array; 0 for bytes: a Uint8Array, a Buffer, a DataView, an ArrayBuffer. */
export function tagOfArray(array: unknown): ElementTag {
  return tagNamed(CLASSES, className.call(array) ?? '');
}

/** The tag of what makes arrays: a dtype's name, or a typed array's class. */
export function tagOfType(type: ElementType): ElementTag {
  if (typeof type === 'string') return tags[type];
  for (let made: unknown = type; typeof made === 'function'; made = Object.getPrototypeOf(made)) {
    const tag = tagNamed(CLASSES, made.name);
    if (tag !== 0) return tag;
  }
  return 0;
}

/** The tags of the integers of a size. */
export function integerTags(bytes: 1 | 2 | 4): ElementTag {
  return bytes === 1 ? I8 : bytes === 2 ? I16 | U16 : I32 | U32;
}

/** The tag of a type string of the CUDA array interface: `'<f4'`. */
export function tagOfTypeString(typestr: unknown): ElementTag {
  return typeof typestr === 'string' ? tagNamed(TYPE_STRINGS, typestr.slice(1)) : 0;
}

function tagNamed(table: Readonly<Record<string, ElementTag>>, name: string): ElementTag {
  return Object.hasOwn(table, name) ? (table[name] as ElementTag) : 0;
}

/** What a tag stands for, in an error: `float64`, `complex64`. */
export function tagName(tag: ElementTag): string {
  for (const [name, own] of Object.entries(tags)) {
    if (own !== tag) continue;
    if (name in dtypes) return dtypes[name as DType].c;
    return name === 'bool' ? 'bool' : `complex${name.slice(1)}`;
  }
  return 'bytes';
}

/** Memory that remembers its element type. */
export interface Tagged {
  elementTag: ElementTag;
}

/** The tag that an object carries; undefined for an object that carries none. */
export function tagOn(value: unknown): ElementTag | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { elementTag } = value as { readonly elementTag?: unknown };
  return typeof elementTag === 'number' ? elementTag : undefined;
}

/** Note a copy from a host array, or from other memory. */
export function noteCopied(destination: unknown, source: unknown): void {
  const tag = tagOn(destination);
  if (tag === undefined || tag === 0) return;
  noteWritten(destination, isHostMemory(source) ? tagOfArray(source) : (tagOn(source) ?? 0));
}

/**
 * Note a fill. Zeros are zeros of every type.
 *
 * @param numberTags - what a plain number may be
 */
export function noteFilled(memory: unknown, pattern: unknown, numberTags: ElementTag = 0): void {
  if (pattern === 0) return;
  if (typeof pattern === 'number') noteWritten(memory, numberTags);
  else if (pattern instanceof Scalar) noteWritten(memory, tags[pattern.dtype as DType]);
  else if (pattern instanceof Vector) noteWritten(memory, tags[pattern.type.dtype as DType]);
  else noteWritten(memory, isHostMemory(pattern) ? tagOfArray(pattern) : 0);
}

/**
 * Note that something was written into memory. Memory that gets anything else than elements of its own type has no type any
 * more: a wrong guess would refuse programs that are right.
 *
 * @param written - the tags of what was written
 */
export function noteWritten(memory: unknown, written: ElementTag): void {
  const tag = tagOn(memory);
  if (tag !== undefined && tag !== 0 && (tag & written) === 0) (memory as Tagged).elementTag = 0;
}
