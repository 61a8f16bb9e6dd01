import { nameOf } from '../core/check.ts';
import type { HostSource } from './host-source.ts';
import { classOf } from './typed-class.ts';

/** A column of Apache Arrow. */
interface Column {
  readonly nullCount: number;
  readonly type: { readonly typeId?: unknown; readonly precision?: unknown };
  toArray(): unknown;
}

/** Arrow's numbers of the types that elements can be. */
const INTEGER = 2;
const FLOAT = 3;
const BOOL = 6;

/** Whether an object is a column, by what it has. */
export function isColumn(value: object): value is Column {
  const { nullCount, type, toArray } = value as Partial<Record<keyof Column, unknown>>;
  return typeof toArray === 'function' && typeof nullCount === 'number' && typeof type === 'object' && type !== null;
}

/**
 * The elements of a column.
 *
 * @throws TypeError a column with nulls, or of other types than integers, floats and booleans
 */
export function columnElements(column: Column, what: string): HostSource {
  const { nullCount, type } = column;
  const { typeId, precision } = type;
  if (typeof typeId === 'number' && typeId !== INTEGER && typeId !== FLOAT && typeId !== BOOL) {
    throw new TypeError(`${what}: a column must hold integers, floats or booleans, got type ${typeId}`);
  }
  if (nullCount > 0) {
    throw new TypeError(`${what}: a column must have no nulls, got ${nullCount}; fill or drop them first`);
  }
  const data = column.toArray();
  if (Array.isArray(data)) return { data: data as readonly unknown[], shape: [data.length] };
  if (classOf(data) === '')
    throw new TypeError(`${what}: a column's toArray() must give a typed array, got ${nameOf(data)}`);
  const { length } = data as Uint16Array;
  const isHalf = typeId === FLOAT && precision === 0 && classOf(data) === 'Uint16Array';
  return { data: data as Uint16Array, shape: [length], ...(isHalf ? { dtype: 'f16' } : {}) };
}
