import { SCALARS, type KernelType, type StructType } from './kernel-type.ts';

/** Where the parts of a value are in memory, in bytes. */
export interface StructLayout {
  readonly size: number;
  readonly alignment: number;
  /** Of each field, in their order. */
  readonly offsets: readonly number[];
}

/** C's rules, which are those of both languages: each field at a multiple of its alignment, the size a multiple of the largest. */
export function layoutOf(type: KernelType): StructLayout {
  if (type.kind === 'scalar') {
    const size = SCALARS[type.name].bits / 8;
    return { size, alignment: size, offsets: [] };
  }
  const offsets: number[] = [];
  let [end, alignment] = [0, 1];
  for (const [, field] of (type as StructType).fields) {
    const inner = layoutOf(field);
    const offset = roundUp(end, inner.alignment);
    offsets.push(offset);
    end = offset + inner.size;
    alignment = Math.max(alignment, inner.alignment);
  }
  // Vectors that an array may have are aligned to their own size.
  if (type.kind === 'struct' && type.vector !== undefined) alignment = end;
  return { size: roundUp(end, alignment), alignment, offsets };
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
