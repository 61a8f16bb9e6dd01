import { nameOf } from '../core/check.ts';
import type { HostSource } from './host-source.ts';
import { checkRank } from './shape.ts';
import { classOf } from './typed-class.ts';

/**
 * Nested arrays whose innermost ones are typed arrays, as one typed array: it keeps their dtype.
 *
 * @throws TypeError rows of different classes
 * @throws RangeError arrays of different lengths beside each other
 */
export function typedRows(data: readonly unknown[], what: string): HostSource | undefined {
  const shape: number[] = [];
  let first: unknown = data;
  for (; Array.isArray(first); first = first[0] as unknown) {
    shape.push(first.length);
    checkRank(shape.length + 1, what);
  }
  const name = classOf(first);
  if (name === '') return undefined;
  const rows: Uint8Array[] = [];
  const row = first as Uint8Array;
  const walk = (part: unknown, depth: number): void => {
    const length = shape[depth];
    if (length === undefined) {
      if (classOf(part) !== name) throw new TypeError(`${what} must be given rows of ${name}, got ${nameOf(part)}`);
      const { buffer, byteOffset, byteLength, length: count } = part as Uint8Array;
      if (count !== row.length)
        throw new RangeError(`${what} must be given rows of ${row.length} elements, got ${count}`);
      rows.push(new Uint8Array(buffer, byteOffset, byteLength));
      return;
    }
    if (!Array.isArray(part) || part.length !== length) {
      throw new RangeError(
        `Nested arrays must have one length at each depth, got ${nameOf(part)} beside an Array of ${length}`,
      );
    }
    for (const inner of part) walk(inner, depth + 1);
  };
  walk(data, 0);
  const bytes = new Uint8Array(rows.length * row.byteLength);
  for (const [i, each] of rows.entries()) bytes.set(each, i * row.byteLength);
  const Class = row.constructor as new (buffer: ArrayBuffer) => Uint8Array;
  return { data: new Class(bytes.buffer), shape: [...shape, row.length] };
}
