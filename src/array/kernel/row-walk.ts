import type { ArrayDType } from '../dtype.ts';
import type { Parameter } from './dialect.ts';

/** How a kernel goes over the elements of arrays with strides, row by row; see `../row-grid.ts`. */
export interface RowWalk {
  /** Axes, 1 or more; axis 0 is the last one of the arrays. */
  readonly rank: number;
  /** Whether places are counted in 64 bits. */
  readonly wide: boolean;
}

/** The type of lengths. */
export function lengthType({ wide }: RowWalk): 'u32' | 'u64' {
  return wide ? 'u64' : 'u32';
}

/** The type of strides and places. */
export function placeType({ wide }: RowWalk): 'i32' | 'i64' {
  return wide ? 'i64' : 'i32';
}

/** Where the arrays begin, the lengths of the axes, and the strides of each array from its last axis to its first. */
export function walkParameters(names: readonly string[], walk: RowWalk): Parameter[] {
  const axes = Array.from({ length: walk.rank }, (_, axis) => axis);
  const number = (name: string, dtype: ArrayDType): Parameter => ({ name, dtype, kind: 'number' });
  return [
    ...names.map((name) => number(`${name}_at`, lengthType(walk))),
    number('row_length', lengthType(walk)),
    number('rows', lengthType(walk)),
    number('row_groups', 'u32'),
    ...axes.slice(1, -1).map((axis) => number(`n${axis}`, lengthType(walk))),
    ...names.flatMap((name) => axes.map((axis) => number(`${name}_step${axis}`, placeType(walk)))),
  ];
}

/**
 * The lines that leave threads without an element behind, and find `name_i`, the place of each array's element.
 *
 * @param each - elements of a thread along a row, as far from each other as a group is wide; the first one is found
 */
export function walkLines(names: readonly string[], walk: RowWalk, each = 1): string {
  const [length, place] = [lengthType(walk), placeType(walk)];
  const lines = [
    `const ${length} i0 = (${length})(GROUP_ID(x) % row_groups) * LOCAL_SIZE(x)${each > 1 ? ` * ${each}` : ''} + LOCAL_ID(x);`,
    `const ${length} row = (${length})(GROUP_ID(x) / row_groups) * LOCAL_SIZE(y) + LOCAL_ID(y);`,
    'if (i0 >= row_length || row >= rows) return;',
  ];
  let rest = 'row';
  for (let axis = 1; axis < walk.rank - 1; axis++) {
    lines.push(`const ${length} i${axis} = ${rest} % n${axis}, rest${axis} = ${rest} / n${axis};`);
    rest = `rest${axis}`;
  }
  if (walk.rank > 1) lines.push(`const ${length} i${walk.rank - 1} = ${rest};`);
  for (const name of names) {
    const terms = Array.from({ length: walk.rank }, (_, axis) => `(${place})i${axis} * ${name}_step${axis}`);
    lines.push(`const ${place} ${name}_i = (${place})${name}_at + ${terms.join(' + ')};`);
  }
  return lines.join('\n');
}
