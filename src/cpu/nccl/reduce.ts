import { ReduceOp } from './numbers.ts';
import { ELEMENTS, type ElementType } from './elements.ts';

/** Elements of a type, which begin at a multiple of its size. */
export function aligned(bytes: Uint8Array, { bytes: size }: ElementType): Uint8Array {
  return bytes.byteOffset % size === 0 ? bytes : bytes.slice();
}

/**
 * Combine the elements of all ranks, in the order of the ranks, each step rounded to the element type.
 *
 * @param parts - of each rank, with the same length
 * @returns memory of its own
 */
export function reduceParts(dtype: number, op: number, parts: readonly Uint8Array[]): Uint8Array {
  const type = ELEMENTS[dtype] as ElementType;
  const [first = new Uint8Array(), ...others] = parts;
  const result = new Uint8Array(first);
  for (const part of others) type.fold(op, result, aligned(part, type));
  if (op === ReduceOp.AVG) type.divide(result, parts.length);
  return result;
}
