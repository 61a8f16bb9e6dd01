import { nameOf } from '../core/host-memory.ts';
import { camelCase, type CamelCase } from '../core/names.ts';
import { structs } from './sys/structs.ts';

/** An extension or a feature, with its version. */
export interface NameVersion {
  readonly name: string;
  /** `'3.0.0'` */
  readonly version: string;
}

/** What each kind of answer is in JavaScript. A number above 2^53 is rounded. */
export interface InfoKinds {
  int: number;
  uint: number;
  ulong: number;
  /** A 64-bit number, exact: `ulong` without rounding. */
  u64: bigint;
  i64: bigint;
  uints: readonly number[];
  size: number;
  sizes: readonly number[];
  bool: boolean;
  string: string;
  handle: bigint;
  handles: readonly bigint[];
  properties: readonly bigint[];
  nameVersions: readonly NameVersion[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** A kind of answer: how the bytes that a driver gives are read. */
export type InfoKind = keyof InfoKinds;

/** Any answer. */
export type InfoValue = InfoKinds[InfoKind];

/** Queries by name: their number and the kind of their answer. */
export type InfoTable = Readonly<Record<string, readonly [number: number, kind: InfoKind]>>;

/** The answer to a query of a table. */
export type InfoOf<T extends InfoTable, Name extends keyof T> = InfoKinds[T[Name][1]];

/** A table's queries as properties: `MAX_COMPUTE_UNITS` is `maxComputeUnits`. */
export type InfoProperties<T extends InfoTable> = {
  readonly [Name in keyof T & string as CamelCase<Name>]: InfoOf<T, Name>;
};

/** One of the driver's clGet…Info functions, for one object. */
export type InfoQuery = (
  param: number,
  byteLength: number,
  value: Uint8Array | bigint,
  byteLengthReturned: BigUint64Array | bigint,
) => unknown;

const sizeSlot = new BigUint64Array(1);

/** Ask for a property, by its name in the table, or by any number with the kind of its answer. */
export function readInfo(
  table: InfoTable,
  query: InfoQuery,
  name: string | number,
  kind: InfoKind | undefined,
  what: string,
): InfoValue {
  if (typeof name === 'number') {
    const known = checkKind(kind, what);
    return decode(readBytes(query, name), known, what);
  }
  const row = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!row) {
    throw new TypeError(
      `${what}.getInfo knows no ${nameOf(name)}; give one of ${Object.keys(table).join(', ')}, or a number and a kind`,
    );
  }
  return decode(readBytes(query, row[0]), row[1], what);
}

/** Give a class the table's queries as getters. */
export function defineInfo(prototype: { getInfo(name: never): unknown }, table: InfoTable): void {
  for (const name of Object.keys(table)) {
    const key = camelCase(name);
    if (Object.hasOwn(prototype, key)) continue;
    Object.defineProperty(prototype, key, {
      configurable: true,
      get(this: { getInfo(name: string): unknown }) {
        return this.getInfo(name);
      },
    });
  }
}

/** The bytes of an answer, of whatever length. */
export function readBytes(query: InfoQuery, param: number): Uint8Array<ArrayBuffer> {
  query(param, 0, 0n, sizeSlot);
  const bytes = new Uint8Array(Number(sizeSlot[0]));
  if (bytes.length > 0) query(param, bytes.length, bytes, 0n);
  return bytes;
}

/** The text of an answer. */
export function readString(query: InfoQuery, param: number): string {
  return text(readBytes(query, param));
}

const KINDS: Readonly<Record<InfoKind, (view: DataView<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>) => InfoValue>> = {
  int: (view) => view.getInt32(0, true),
  uint: (view) => view.getUint32(0, true),
  ulong: (view) => Number(view.getBigUint64(0, true)),
  u64: (view) => view.getBigUint64(0, true),
  i64: (view) => view.getBigInt64(0, true),
  uints: (view) => Array.from({ length: Math.floor(view.byteLength / 4) }, (_, i) => view.getUint32(i * 4, true)),
  size: (view) => Number(view.getBigUint64(0, true)),
  sizes: (view) => words(view).map(Number),
  bool: (view) => view.getUint32(0, true) !== 0,
  string: (_, bytes) => text(bytes),
  handle: (view) => view.getBigUint64(0, true),
  handles: (view) => words(view),
  properties: (view) => words(view),
  nameVersions: (view, bytes) => nameVersions(view, bytes),
  bytes: (_, bytes) => bytes,
};

const LEAST: Readonly<Partial<Record<InfoKind, number>>> = {
  int: 4,
  uint: 4,
  bool: 4,
  ulong: 8,
  u64: 8,
  i64: 8,
  size: 8,
  handle: 8,
};

const UNSIGNED: ReadonlySet<InfoKind> = new Set(['ulong', 'u64', 'size']);

/** PoCL answers some queries of 64 bits with 32. */
function widened(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const wide = new Uint8Array(8);
  wide.set(bytes);
  return wide;
}

function checkKind(kind: unknown, what: string): InfoKind {
  if (typeof kind === 'string' && Object.hasOwn(KINDS, kind)) return kind as InfoKind;
  throw new TypeError(
    `${what}.getInfo(number, kind) takes the kind ${Object.keys(KINDS).join(', ')}; ${nameOf(kind)} came`,
  );
}

function decode(given: Uint8Array<ArrayBuffer>, kind: InfoKind, what: string): InfoValue {
  const least = LEAST[kind] ?? 0;
  const bytes = given.length === 4 && UNSIGNED.has(kind) ? widened(given) : given;
  if (bytes.length < least) {
    throw new RangeError(`${what}.getInfo: the driver's answer has ${bytes.length} bytes; a ${kind} has ${least}`);
  }
  return KINDS[kind](new DataView(bytes.buffer), bytes);
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}

function words(view: DataView<ArrayBuffer>): bigint[] {
  return Array.from({ length: Math.floor(view.byteLength / 8) }, (_, i) => view.getBigUint64(i * 8, true));
}

function nameVersions(view: DataView<ArrayBuffer>, bytes: Uint8Array): NameVersion[] {
  const { size, fields } = structs.cl_name_version;
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => {
    const at = i * size;
    return {
      name: text(bytes.subarray(at + fields.name, at + size)),
      version: versionText(view.getUint32(at + fields.version, true)),
    };
  });
}

/** A packed version number as text: 10 bits, 10 bits, 12 bits. */
function versionText(packed: number): string {
  return `${packed >>> 22}.${(packed >>> 12) & 0x3ff}.${packed & 0xfff}`;
}
