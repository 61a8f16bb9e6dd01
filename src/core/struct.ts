import { checkMade, MAKER, type Maker } from './maker.ts';
import { dtypes, type DType, type Element } from './dtype.ts';
import { brand } from './errors.ts';
import { checkOptions, nameOf } from './check.ts';
import { hostBytes, type HostMemory } from './host-memory.ts';
import { isWhole } from './public-object.ts';
import { readPointer } from './read-pointer.ts';
import type { Dialect } from './signature.ts';
import { FIELDS, structDeclarations } from './struct-text.ts';
import { Value, type VectorType } from './value.ts';

/** Something with a device address: an allocation, a part of one. */
export interface AddressHolder {
  readonly ptr: bigint;
}

/** What a struct's field can be: a dtype, a pointer, a vector, another struct, or an array of one of these. */
export type FieldType = DType | 'bool' | 'ptr' | VectorType | StructLayout | readonly [type: FieldType, length: number];

/** The part of a {@link StructType} that does not depend on its fields' types. */
export interface StructLayout {
  /** Bytes, with the tail padding. */
  readonly byteLength: number;
  readonly alignment: number;
  /** Byte offset of each field. */
  readonly offsets: Readonly<Record<string, number>>;
}

/** The fields of a struct, in the order in which C declares them. */
export type Fields = Readonly<Record<string, FieldType>>;

/** Structs of a source by their names in C. */
export type StructTypes = Readonly<Record<string, StructLayout>>;

/** What a field is given: numbers, addresses, vectors, nested values, arrays of them. */
export type FieldValue =
  Element | boolean | null | AddressHolder | Value | readonly FieldValue[] | { readonly [field: string]: FieldValue };

/** A struct's layout. Call it with the fields to make a value. */
export interface StructType<F extends Fields = Fields> extends StructLayout {
  (values: { readonly [K in keyof F]: FieldValue }): Struct<F>;
  readonly offsets: { readonly [K in keyof F & string]: number };
  /** Pack several values, for an array of structs in device memory. */
  pack(values: readonly { readonly [K in keyof F]: FieldValue }[]): Uint8Array<ArrayBuffer>;
  /**
   * Read structs back, from an array that was copied from the device: as many as there are bytes for. Pointers and 64-bit
   * integers are bigints, vectors arrays of their elements.
   */
  unpack(bytes: HostMemory): { -readonly [K in keyof F]: Unpacked<F[K]> }[];
  /**
   * The struct's declaration in C, with the layout that this type packs, for the text of a kernel. Structs in its fields come first:
   * `Ray_origin` is that of the field `origin` of `Ray`. Halves are their bits.
   *
   * @param name - of the struct
   * @param dialect - the language
   * @throws TypeError a field's name, or the struct's, that is not one in C; a vector with another layout in that language
   */
  declaration(name: string, dialect: 'cuda' | 'opencl'): string;
}

/** What {@link StructType.unpack} makes of a field. */
export type Unpacked<T> = T extends 'bool'
  ? boolean
  : T extends 'ptr' | 'i64' | 'u64'
    ? bigint
    : T extends DType
      ? number
      : T extends VectorType
        ? Element[]
        : T extends StructType<infer F>
          ? { -readonly [K in keyof F]: Unpacked<F[K]> }
          : T extends readonly [infer E, number]
            ? Unpacked<E>[]
            : unknown;

interface Layout {
  readonly size: number;
  readonly align: number;
  readonly write: (view: DataView, at: number, value: unknown, what: string) => void;
  readonly read: (view: DataView, at: number) => unknown;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a struct of which nothing is known goes for any
type AnyFields = any;

/** A struct by value. */
export class Struct<F extends Fields = AnyFields> extends Value {
  readonly typeName = 'struct';
  /** For the type checker alone: no value has it. */
  declare readonly '~fields'?: F;
  readonly alignment: number;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  /** @internal */
  constructor(maker: Maker, bytes: Uint8Array<ArrayBuffer>, alignment: number) {
    checkMade(maker === MAKER, 'Struct', 'call its type: const Point = struct({ x: float32 }); Point({ x: 1 })');
    super();
    this.#bytes = bytes;
    this.alignment = alignment;
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /** @internal */
  override writeTo(view: DataView, byteOffset: number): void {
    new Uint8Array(view.buffer, view.byteOffset + byteOffset, this.byteLength).set(this.#bytes);
  }
}
brand(Struct, 'Struct', isWhole);

/**
 * Lay a struct out by C's rules: each field at a multiple of its alignment, the size a multiple of the largest.
 *
 * @param fields - field names and types in declaration order: `{ n: 'i32', data: 'ptr' }`
 * @throws TypeError a field type that is unknown
 *
 * @example
 * ```ts
 * import { struct } from 'rawkernel/cuda';
 *
 * const Params = struct({ n: 'i32', data: 'ptr' });
 * Params.offsets.data; // 8
 * Params.byteLength; // 16
 * ```
 */
export function struct<const F extends Fields>(fields: F): StructType<F> {
  if (typeof fields !== 'object' || (fields as unknown) === null || Array.isArray(fields)) {
    throw new TypeError(`struct takes an object of field types, got ${nameOf(fields)}`);
  }
  const names = Object.keys(fields);
  if (names.length === 0) throw new TypeError('A struct needs at least one field');
  const offsets: Record<string, number> = {};
  const layouts: Record<string, Layout> = {};
  let end = 0;
  let alignment = 1;
  for (const name of names) {
    const layout = layoutOf(fields[name], name);
    offsets[name] = end = roundUp(end, layout.align);
    layouts[name] = layout;
    end += layout.size;
    alignment = Math.max(alignment, layout.align);
  }
  const byteLength = roundUp(end, alignment);
  const write = (view: DataView, at: number, values: unknown, what: string): void => {
    if (typeof values !== 'object' || values === null) {
      throw new TypeError(`${what} takes an object of its fields, got ${nameOf(values)}`);
    }
    checkOptions(values, names, what);
    for (const name of names) {
      const value = (values as Readonly<Record<string, unknown>>)[name];
      layouts[name]?.write(view, at + (offsets[name] ?? 0), value, `${what}.${name}`);
    }
  };
  const read = (view: DataView, at: number): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, layouts[name]?.read(view, at + (offsets[name] ?? 0))]));
  const unpack = (memory: HostMemory): Record<string, unknown>[] => {
    const what = 'struct.unpack: the bytes';
    const bytes = hostBytes(memory, what);
    if (bytes.length % byteLength !== 0) {
      throw new RangeError(`${what} must be a multiple of ${byteLength}, the size of the struct, got ${bytes.length}`);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: bytes.length / byteLength }, (_, i) => read(view, i * byteLength));
  };
  const pack = (all: unknown): Uint8Array<ArrayBuffer> => {
    if (!Array.isArray(all)) throw new TypeError(`struct.pack takes an array of structs, got ${nameOf(all)}`);
    const bytes = new Uint8Array(all.length * byteLength);
    const view = new DataView(bytes.buffer);
    all.forEach((values, i) => {
      write(view, i * byteLength, values, 'struct');
    });
    return bytes;
  };
  const make = (values: unknown): Struct => new Struct(MAKER, pack([values]), alignment);
  const declaration = (name: string, dialect: Dialect): string => {
    if (Object.hasOwn({ cuda: true, opencl: true }, dialect)) return structDeclarations({ [name]: make }, dialect);
    throw new TypeError(`struct.declaration: dialect must be 'cuda' or 'opencl', got ${nameOf(dialect)}`);
  };
  Object.assign(make, { byteLength, alignment, offsets, pack, unpack, declaration });
  Object.defineProperty(make, FIELDS, { value: fields });
  Object.defineProperty(make, WRITE, { value: write });
  Object.defineProperty(make, READ, { value: read });
  return make as unknown as StructType<F>;
}

/**
 * Check structs by their names.
 *
 * @throws TypeError one is not made by {@link struct}
 */
export function checkTypes(types: unknown, what: string): void {
  if (types === undefined) return;
  if (typeof types !== 'object' || types === null || Array.isArray(types)) {
    throw new TypeError(`${what}: types must be an object of structs by name, got ${nameOf(types)}`);
  }
  for (const [name, type] of Object.entries(types)) {
    if (typeof type === 'function' && WRITE in type) continue;
    throw new TypeError(`${what}: types.${name} must be a struct(…), got ${nameOf(type)}`);
  }
}

const WRITE = Symbol.for('rawkernel.struct.write');
const READ = Symbol.for('rawkernel.struct.read');

/** Arrays of arrays above this are a list that holds itself. */
const MAX_DEPTH = 32;

function layoutOf(type: FieldType | undefined, name: string, depth = 0): Layout {
  if (Array.isArray(type)) return arrayLayout(type as readonly [FieldType, number], name, depth + 1);
  if (type === 'ptr')
    return { size: 8, align: 8, write: writePointer, read: (view, at) => view.getBigUint64(at, true) };
  if (type === 'bool') return { size: 1, align: 1, write: writeBool, read: (view, at) => view.getUint8(at) !== 0 };
  if (typeof type === 'string' && Object.hasOwn(dtypes, type)) {
    const { size, check, write, read } = dtypes[type];
    return {
      size,
      align: size,
      write: (view, at, value, what) => {
        write(view, at, check(value, what));
      },
      read,
    };
  }
  if (typeof type === 'function') {
    const { byteLength: size, alignment: align } = type as VectorType | StructLayout;
    const nested = (type as unknown as Record<symbol, Layout['write'] | undefined>)[WRITE];
    const known = nested !== undefined || ('lanes' in type && 'dtype' in type);
    if (nested)
      return {
        size,
        align,
        write: nested,
        read: (type as unknown as Record<symbol, Layout['read']>)[READ] as Layout['read'],
      };
    if (known) return { size, align, write: valueWriter(type), read: vectorReader(type) };
  }
  const known = [...Object.keys(dtypes), 'bool', 'ptr'].join(', ');
  throw new TypeError(`Field ${name}: unknown type; give ${known}, a vector, a struct or [type, length]`);
}

function arrayLayout([type, length]: readonly [FieldType, number], name: string, depth: number): Layout {
  if (depth > MAX_DEPTH) throw new RangeError(`Field ${name}: arrays must nest at most ${MAX_DEPTH} deep, got more`);
  const element = layoutOf(type, name, depth);
  if (!Number.isInteger(length) || length < 1) throw new RangeError(`Field ${name}: ${length} is not an array length`);
  return {
    size: element.size * length,
    align: element.align,
    write: (view, at, value, what) => {
      const list = value as ArrayLike<unknown> | null | undefined;
      if (typeof list !== 'object' || list?.length !== length) {
        throw new TypeError(`${what} takes ${length} elements, got ${nameOf(value)}`);
      }
      for (let i = 0; i < length; i++) element.write(view, at + i * element.size, list[i], `${what}[${i}]`);
    },
    read: (view, at) => Array.from({ length }, (_, i) => element.read(view, at + i * element.size)),
  };
}

function valueWriter(type: VectorType): Layout['write'] {
  return (view, at, value, what) => {
    const given = value as (Value & { readonly type?: VectorType }) | undefined;
    if (!(value instanceof Value) || given?.type?.name !== type.name) {
      throw new TypeError(`${what} takes a ${type.name}(…), got ${nameOf(value)}`);
    }
    value.writeTo(view, at);
  };
}

function vectorReader({ dtype, lanes }: VectorType): Layout['read'] {
  const { size, read } = dtypes[dtype];
  return (view, at) => Array.from({ length: lanes }, (_, i) => read(view, at + i * size));
}

const writePointer: Layout['write'] = (view, at, value, what) => {
  const isObject = typeof value === 'object' && value !== null;
  const address = value === null ? 0n : isObject ? readPointer(value) : value;
  if (typeof address !== 'bigint') {
    throw new TypeError(`${what} is a pointer: give device memory, an address or null, got ${nameOf(value)}`);
  }
  view.setBigUint64(at, address, true);
};

const writeBool: Layout['write'] = (view, at, value, what) => {
  if (typeof value !== 'boolean') throw new TypeError(`${what} takes true or false, got ${nameOf(value)}`);
  view.setUint8(at, value ? 1 : 0);
};

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
