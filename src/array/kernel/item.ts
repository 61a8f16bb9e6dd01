import type { ArrayDType } from '../dtype.ts';

/** Dtypes whose elements are moved as they are, by bytes of an element: one kernel serves all dtypes of a size. */
const itemTypes: Readonly<Record<number, ArrayDType>> = { 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64', 16: 'c128' };

/** The dtype that stands for all of a size. */
export function itemType(bytes: number): ArrayDType {
  return itemTypes[bytes] as ArrayDType;
}
