import { readBytes, type InfoKind, type InfoQuery, type InfoTable } from '../opencl/info.ts';
import { uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { CLObject, type Kind } from './handle.ts';

/** node-opencl's form of a 64-bit number: the high and the low 32 bits. */
export type Pair = [high: number, low: number];

/** Reads the bytes of one answer. */
type Reader = (bytes: Uint8Array<ArrayBuffer>, view: DataView<ArrayBuffer>) => unknown;

/** Readers of answers whose form is not that of their kind in the table. */
export type Readers = ReadonlyMap<number, Reader>;

/** Readers of answers, by the number of the query. */
export function readers(...rows: readonly (readonly [number: number, read: Reader])[]): Readers {
  return new Map(rows);
}

const KINDS: Readonly<Record<Exclude<InfoKind, 'blocks'>, Reader>> = {
  int: (_, view) => view.getUint32(0, true),
  uint: (_, view) => view.getUint32(0, true),
  ulong: (_, view) => Number(view.getBigUint64(0, true)),
  i64: (_, view) => Number(view.getBigInt64(0, true)),
  u64: (_, view) => Number(view.getBigUint64(0, true)),
  size: (_, view) => Number(view.getBigUint64(0, true)),
  sizes: (_, view) => words(view).map(Number),
  uints: (_, view) => Array.from({ length: view.byteLength >>> 2 }, (_one, i) => view.getUint32(4 * i, true)),
  bool: (_, view) => view.getUint32(0, true) !== 0,
  string: plainText,
  handle: () => undefined,
  handles: () => undefined,
  properties: (_, view) => words(view).map(Number),
  nameVersions: (bytes) => Buffer.from(bytes.buffer),
  bytes: (bytes) => Buffer.from(bytes.buffer),
};

/** A `clGet…Info` of an object: make a query of a table by its number, and read the answer as node-opencl does. */
export function ask(query: InfoQuery, tables: readonly InfoTable[], own: Readers, name: unknown): unknown {
  const param = uint(name, 1);
  const row = tables.flatMap((table) => Object.values(table)).find(([number]) => number === param);
  const read = own.get(param) ?? (row && row[1] !== 'blocks' ? KINDS[row[1]] : undefined);
  if (!read) throw failure('CL_INVALID_VALUE', new Error(`No property has the number ${param}`));
  const bytes = readBytes(query, param);
  // The answer may be empty: no properties, no text.
  const padded =
    bytes.length >= 8 || bytes.length === 0 ? bytes : Uint8Array.from({ length: 8 }, (_, i) => bytes[i] ?? 0);
  return read(bytes, new DataView(padded.buffer));
}

/** Answers a query of an object, by the number of the query. */
export type GetInfo<T> = (object: T, name: number) => unknown;

/** A `get…Info` that reads its answers by a table. */
export function asking<T>(
  kind: Kind,
  routine: keyof typeof cl & `clGet${string}Info`,
  tables: readonly InfoTable[],
  own: Readers = new Map(),
): GetInfo<T> {
  const query = cl[routine] as (raw: bigint, ...args: Parameters<InfoQuery>) => unknown;
  return (...args) => {
    expectArguments(args, 2);
    return ask(query.bind(undefined, CLObject.raw(args[0], kind)), tables, own, args[1]);
  };
}

/** Read a 64-bit number as a pair. */
export const pair: Reader = (_, view): Pair => [view.getUint32(4, true), view.getUint32(0, true)];

/** Read a handle, and wrap it. */
export function wrapped(wrap: (raw: bigint) => unknown): Reader {
  // NVIDIA's driver answers some queries of handles with 32 bits.
  return (bytes, view) => wrap(bytes.length < 8 ? 0n : view.getBigUint64(0, true));
}

/** Read a list of handles, and wrap each. */
export function wrappedList(wrap: (raw: bigint) => unknown): Reader {
  return (_, view) => words(view).map(wrap);
}

/** Read a text with the NUL that ends it. */
export const rawText: Reader = (bytes) => new TextDecoder().decode(bytes);

/** Read a text without the NUL that ends it. */
export function plainText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function words(view: DataView<ArrayBuffer>): bigint[] {
  return Array.from({ length: view.byteLength >>> 3 }, (_, i) => view.getBigUint64(8 * i, true));
}
