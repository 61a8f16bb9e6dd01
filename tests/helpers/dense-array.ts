import type { Layout } from '../../src/array/layout.ts';

/** The numbers of elements in row-major order, without strides: what a view has to show. */
export interface Dense {
  readonly shape: readonly number[];
  readonly items: readonly number[];
}

/** Every index of a shape, the last axis fastest. */
export function indicesOf(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (heads, length) => heads.flatMap((head) => Array.from({ length }, (_, i) => [...head, i])),
    [[]],
  );
}

/** The offset of an index. */
export function offsetAt({ strides, offset }: Layout, index: readonly number[]): number {
  return index.reduce((sum, i, axis) => sum + i * (strides[axis] ?? NaN), offset);
}

/** What a layout shows of a memory in which each element holds its number. */
export function denseOf(layout: Layout): Dense {
  return { shape: [...layout.shape], items: indicesOf(layout.shape).map((index) => offsetAt(layout, index)) };
}

/** Elements numbered in row-major order. */
export function denseRange(shape: readonly number[], first = 0): Dense {
  return { shape, items: indicesOf(shape).map((_, i) => first + i) };
}

/** The array of a shape whose element at an index is the one of `dense` at `from(index)`. */
export function gather(
  dense: Dense,
  shape: readonly number[],
  from: (index: readonly number[]) => readonly number[],
): Dense {
  const places = new Map(indicesOf(dense.shape).map((index, i) => [index.join(), i]));
  const items = indicesOf(shape).map((index) => {
    const source = from(index);
    const item = dense.items[places.get(source.join()) ?? NaN];
    if (item === undefined) throw new Error(`no element at [${source.join(', ')}]`);
    return item;
  });
  return { shape, items };
}

/** Python's range of a slice over a length, counted out one by one. */
export function pythonRange(start: number | null, stop: number | null, step: number, length: number): number[] {
  const wrap = (bound: number): number => (bound < 0 ? bound + length : bound);
  const from = start === null ? (step > 0 ? 0 : length - 1) : wrap(start);
  const until = stop === null ? (step > 0 ? length : -1) : wrap(stop);
  const taken: number[] = [];
  // An end before the array begins at its edge, so that the first index of the step's sequence is not skipped.
  let i = step > 0 ? Math.max(from, 0) : Math.min(from, length - 1);
  while (step > 0 ? i < until && i < length : i > until && i >= 0) {
    taken.push(i);
    i += step;
  }
  return taken;
}
