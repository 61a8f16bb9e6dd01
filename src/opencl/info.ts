import { nameOf } from '../core/check.ts';
import { camelCase, type CamelCase } from '../core/names.ts';
import { structs } from './sys/structs.ts';

/** An extension or a feature, with its version. */
export interface NameVersion {
  readonly name: string;
  /** `'3.0.0'` */
  readonly version: string;
}

/** The JavaScript type of each kind of answer. A number above 2^53 is rounded. */
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
  /** Blocks of bytes that the driver writes to addresses in the caller's answer. */
  blocks: readonly Uint8Array<ArrayBuffer>[];
}

/** A kind of answer: how the driver's bytes are read. */
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
    refuseBlocks(table, name, what);
    return decode(readBytes(query, name), known, what);
  }
  const row = typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
  if (!row) {
    throw new TypeError(
      `${what}.getInfo takes one of ${Object.keys(table).join(', ')}, or a number and a kind, got ${nameOf(name)}`,
    );
  }
  refuseBlocks(table, row[0], what);
  return decode(readBytes(query, row[0]), row[1], what);
}

/** With zeros as the addresses of {@link InfoKinds.blocks} a driver would write to address 0. */
function refuseBlocks(table: InfoTable, param: number, what: string): void {
  const name = Object.keys(table).find((key) => table[key]?.[0] === param);
  if (name === undefined || table[name]?.[1] !== 'blocks') return;
  throw new TypeError(`${what}.getInfo(0x${param.toString(16)}) has no plain answer: ask by the name '${name}'`);
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

/** The bytes of an answer of any length. */
export function readBytes(query: InfoQuery, param: number): Uint8Array<ArrayBuffer> {
  sizeSlot[0] = 0n;
  query(param, 0, 0n, sizeSlot);
  const bytes = new Uint8Array(Number(sizeSlot[0]));
  if (bytes.length === 0) return bytes;
  query(param, bytes.length, bytes, sizeSlot);
  // The size that is asked for first may be larger than the answer.
  const written = Number(sizeSlot[0]);
  return written > 0 && written < bytes.length ? bytes.slice(0, written) : bytes;
}

/** The text of an answer. */
export function readString(query: InfoQuery, param: number): string {
  return text(readBytes(query, param));
}

const KINDS: Readonly<
  Record<Exclude<InfoKind, 'blocks'>, (view: DataView<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>) => InfoValue>
> = {
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

const MIN: Readonly<Partial<Record<InfoKind, number>>> = {
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

function checkKind(kind: unknown, what: string): keyof typeof KINDS {
  if (typeof kind === 'string' && Object.hasOwn(KINDS, kind)) return kind as keyof typeof KINDS;
  throw new TypeError(
    `${what}.getInfo(number, kind) takes the kind ${Object.keys(KINDS).join(', ')}, got ${nameOf(kind)}`,
  );
}

function decode(given: Uint8Array<ArrayBuffer>, kind: InfoKind, what: string): InfoValue {
  const least = MIN[kind] ?? 0;
  const bytes = given.length === 4 && isWidened(given, kind) ? widened(given) : given;
  if (bytes.length < least) {
    throw new RangeError(`${what}.getInfo: the driver's answer has ${bytes.length} bytes; a ${kind} has ${least}`);
  }
  return KINDS[kind as keyof typeof KINDS](new DataView(bytes.buffer), bytes);
}

/** NVIDIA's driver answers a query of a missing handle with a 0 of 32 bits. */
function isWidened(bytes: Uint8Array, kind: InfoKind): boolean {
  return UNSIGNED.has(kind) || (kind === 'handle' && bytes.every((byte) => byte === 0));
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
