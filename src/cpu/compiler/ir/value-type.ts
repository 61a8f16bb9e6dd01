import { IrError, splitList } from './text.ts';

/** Named types of a module: `%struct.P` → `{ i32, double }`. */
export type TypeNames = ReadonlyMap<string, string>;

/** Bytes of a value in memory. */
export interface Layout {
  readonly size: number;
  readonly align: number;
}

const SCALARS: ReadonlyMap<string, number> = new Map([
  ['ptr', 8],
  ['half', 2],
  ['bfloat', 2],
  ['float', 4],
  ['double', 8],
  ['fp128', 16],
]);

/** Size and alignment of an LLVM type for wasm64. */
export function layoutOf(type: string, names: TypeNames): Layout {
  const scalar = SCALARS.get(type);
  if (scalar !== undefined) return { size: scalar, align: scalar };
  const bits = /^i(\d+)$/.exec(type)?.[1];
  if (bits !== undefined) {
    const size = powerOfTwo(Math.ceil(Number(bits) / 8));
    return { size, align: Math.min(size, 16) };
  }
  const vector = /^<(\d+) x ([^<>{}[\]]+)>$/.exec(type);
  if (vector) return vectorLayout(Number(vector[1]), vector[2] ?? '', names);
  const array = /^\[(\d+) x (.*)\]$/.exec(type);
  if (array) {
    const { size, align } = layoutOf(array[2] ?? '', names);
    return { size: size * Number(array[1]), align };
  }
  const packed = /^<\{(.*)\}>$/.exec(type)?.[1];
  if (packed !== undefined) return structLayout(splitList(packed), names, true);
  const struct = /^\{(.*)\}$/.exec(type)?.[1];
  if (struct !== undefined) return structLayout(splitList(struct), names, false);
  const named = names.get(type);
  if (named === undefined) throw new IrError(`unknown type ${type}`);
  return layoutOf(named, names);
}

/** The next multiple. */
export function roundUp(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}

function vectorLayout(count: number, element: string, names: TypeNames): Layout {
  const bits = /^i(\d+)$/.exec(element)?.[1];
  const each = bits === undefined ? layoutOf(element, names).size * 8 : Number(bits);
  const size = powerOfTwo(Math.ceil((each * count) / 8));
  return { size, align: size };
}

function structLayout(fields: readonly string[], names: TypeNames, packed: boolean): Layout {
  let size = 0;
  let align = 1;
  for (const field of fields) {
    const layout = layoutOf(field, names);
    const own = packed ? 1 : layout.align;
    size = roundUp(size, own) + layout.size;
    align = Math.max(align, own);
  }
  return { size: roundUp(size, align), align };
}

function powerOfTwo(least: number): number {
  let value = 1;
  while (value < least) value *= 2;
  return value;
}
