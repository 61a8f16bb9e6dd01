import { dtypes } from '../../core/dtype.ts';
import type { ScalarName } from '../kernel-type.ts';

type Scalar = number | bigint | boolean;

/** Structs one after another, by their bytes. */
export class RecordStorage {
  readonly view: DataView;
  /** How many structs there are. */
  readonly length: number;
  readonly #size: number;

  /** @param size - bytes of a struct */
  constructor(view: DataView, size: number) {
    this.view = view;
    this.#size = size;
    this.length = Math.floor(view.byteLength / size);
  }

  subarray(start: number, end: number): RecordStorage {
    const { buffer, byteOffset } = this.view;
    const size = this.#size;
    return new RecordStorage(new DataView(buffer, byteOffset + start * size, (end - start) * size), size);
  }
}

export function newRecords(size: number, length: number): RecordStorage {
  return new RecordStorage(new DataView(new ArrayBuffer(size * length)), size);
}

/** Reads and writes a number, or a struct, of an array of structs. */
interface Part<T> {
  readonly load: (data: RecordStorage, at: number) => T;
  /** @returns what was stored */
  readonly store: (data: RecordStorage, at: number, value: T) => T;
}

function partOf(name: Exclude<ScalarName, 'bool'>): Part<Scalar> {
  const { read, write } = dtypes[name];
  return {
    load: ({ view }, at) => read(view, at),
    store: ({ view }, at, value) => {
      write(view, at, value as number | bigint);
      return value;
    },
  };
}

const BOOL: Part<Scalar> = {
  load: ({ view }, at) => view.getUint8(at) !== 0,
  store: ({ view }, at, value) => {
    view.setUint8(at, value === true ? 1 : 0);
    return value;
  },
};

/** The numbers in structs, by their types. */
export const bytes: Readonly<Record<ScalarName, Part<Scalar>>> = {
  bool: BOOL,
  i8: partOf('i8'),
  u8: partOf('u8'),
  i16: partOf('i16'),
  u16: partOf('u16'),
  i32: partOf('i32'),
  u32: partOf('u32'),
  i64: partOf('i64'),
  u64: partOf('u64'),
  f32: partOf('f32'),
  f64: partOf('f64'),
};

/** A number of a struct as an array of one element. */
export function cell(name: ScalarName, data: RecordStorage, at: number): { 0: Scalar } {
  const part = bytes[name];
  return {
    get 0() {
      return part.load(data, at);
    },
    set 0(value) {
      part.store(data, at, value);
    },
  };
}

/** The fields of a struct with their places: a number by its type, a struct by its own fields. */
export type RecordFields = readonly (readonly [name: string, offset: number, of: ScalarName | RecordFields])[];

type Fields = Record<string, unknown>;

function record(fields: RecordFields): Part<Fields> {
  const parts = fields.map(
    ([name, offset, of]) => [name, offset, (typeof of === 'string' ? bytes[of] : record(of)) as Part<unknown>] as const,
  );
  return {
    load: (data, at) => {
      const value: Fields = {};
      for (const [name, offset, part] of parts) value[name] = part.load(data, at + offset);
      return value;
    },
    store: (data, at, value) => {
      for (const [name, offset, part] of parts) part.store(data, at + offset, value[name]);
      return value;
    },
  };
}

/** What the text of a kernel reads whole structs with. */
export function records(list: readonly RecordFields[]): readonly Part<Fields>[] {
  return list.map(record);
}
