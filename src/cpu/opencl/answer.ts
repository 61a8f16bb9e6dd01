import type { NULL } from '../../ffi/ctype.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import { Code } from './code.ts';

export type Size = number | bigint;

/** An extension, a feature or a version of the language, with its version as OpenCL packs it. */
export interface Versioned {
  readonly name: string;
  readonly version: number;
}

/** The value of each kind of answer. */
interface Kinds {
  int: number;
  uint: number;
  uints: readonly number[];
  ulong: number | bigint;
  size: number | bigint;
  sizes: readonly (number | bigint)[];
  bool: boolean;
  string: string;
  handle: bigint;
  handles: readonly bigint[];
  properties: readonly bigint[];
  nameVersions: readonly Versioned[];
  bytes: Uint8Array;
}

/** Blocks are written through addresses: no table answers for them. */
type Rows = Readonly<Record<string, readonly [number: number, kind: keyof Kinds | 'blocks']>>;

/** The answers to the queries of an object; undefined where a query has no answer. */
export type Answers<Table extends Rows, Subject> = {
  readonly [Name in keyof Table]?: (subject: Subject) => Kinds[Exclude<Table[Name][1], 'blocks'>] | undefined;
};

/** A `clGet…Info` function that takes the object instead of its handle. */
export type Ask<Subject> = (subject: Subject, param: number, size: Size, value: Out, sizeOut: Out) => number;

const NAME_BYTES = 64;

/** Make a query function from a table of queries and their answers. */
export function infoQuery<Table extends Rows, Subject>(table: Table, answers: Answers<Table, Subject>): Ask<Subject> {
  const known = new Map<number, (subject: Subject) => Uint8Array | undefined>();
  for (const [name, find] of Object.entries(answers)) {
    const [param, kind] = table[name] as Table[string];
    const answerOf = find as (subject: Subject) => Kinds[keyof Kinds] | undefined;
    known.set(param, (subject) => {
      const value = answerOf(subject);
      return value === undefined ? undefined : encode(kind as keyof Kinds, value);
    });
  }
  return (subject, param, size, value, sizeOut) => {
    const bytes = known.get(param)?.(subject);
    return bytes ? answer(bytes, size, value, sizeOut) : Code.INVALID_VALUE;
  };
}

/** Write an answer into `value`, if it fits, and its size into `sizeOut`. Either may be NULL. */
export function answer(bytes: Uint8Array, size: Size, value: Out, sizeOut: Out): number {
  if (value !== 0n) {
    if (Number(size) < bytes.length) return Code.INVALID_VALUE;
    const target = bytesAt(value, bytes.length);
    if (target.length < bytes.length) return Code.INVALID_VALUE;
    target.set(bytes);
  }
  return putWide(sizeOut, bytes.length);
}

/** Write a list of handles and its length, each where the caller asks for it. */
export function answerList(handles: readonly bigint[], count: number, list: Out, countOut: Out): number {
  if (list === 0n ? count > 0 : count === 0) return Code.INVALID_VALUE;
  if (list === 0n && countOut === 0n) return Code.INVALID_VALUE;
  if (list !== 0n) {
    const bytes = encodeWides(handles.slice(0, count));
    bytesAt(list, bytes.length).set(bytes);
  }
  return putInt(countOut, handles.length);
}

/** The result of a call that creates an object: its handle, or NULL with a status in `errcode`. */
export function created(made: bigint | number, errcode: Out): typeof NULL {
  const failed = typeof made === 'number';
  putInt(errcode, failed ? made : Code.SUCCESS);
  return (failed ? 0n : made) as typeof NULL;
}

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

/** Sizes, handles and properties: 64 bits each. */
export function encodeWides(values: readonly (number | bigint)[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values, (value) => BigInt.asUintN(64, BigInt(value))).buffer);
}

function encode(kind: keyof Kinds, value: Kinds[keyof Kinds]): Uint8Array {
  switch (kind) {
    case 'int':
    case 'uint':
    case 'bool':
      return new Uint8Array(Int32Array.of(Number(value)).buffer);
    case 'uints':
      return new Uint8Array(Uint32Array.from(value as readonly number[]).buffer);
    case 'ulong':
    case 'size':
    case 'handle':
      return encodeWides([value as number | bigint]);
    case 'sizes':
    case 'handles':
    case 'properties':
      return encodeWides(value as readonly (number | bigint)[]);
    case 'string':
      return encodeText(value as string);
    case 'nameVersions':
      return encodeVersions(value as readonly Versioned[]);
    case 'bytes':
      return value as Uint8Array;
  }
}

function encodeVersions(list: readonly Versioned[]): Uint8Array {
  const bytes = new Uint8Array(list.length * (4 + NAME_BYTES));
  const view = new DataView(bytes.buffer);
  list.forEach(({ name, version }, i) => {
    const at = i * (4 + NAME_BYTES);
    view.setUint32(at, version, true);
    bytes.set(new TextEncoder().encode(name).subarray(0, NAME_BYTES - 1), at + 4);
  });
  return bytes;
}
