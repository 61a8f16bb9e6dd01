import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import {
  addProductText,
  batchText,
  operandText,
  outputText,
  productName,
  productParameters,
  sumTypeOf,
  zeroText,
  type ProductWork,
} from './product-text.ts';

/** The tiles of a group: rows and columns of the output, steps of the contracted axis, rows and columns of a thread. */
export interface Tiles {
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
  readonly threadRows: number;
  readonly threadColumns: number;
}

/** How {@link tiledProduct} reads its operands. */
export interface TiledProduct {
  readonly tiles: Tiles;
  readonly wide: boolean;
  /** Whether neighbours of the operand lie along the contracted axis: neighbouring threads read those. */
  readonly leftByDepth: boolean;
  readonly rightByDepth: boolean;
}

/** Names of the numbers of a matrix product's kernel. */
export const MATRIX_NUMBERS: readonly string[] = ['rows', 'columns', 'k_length', 'row_tiles', 'column_tiles'];
/** And of its steps. */
export const MATRIX_STEPS: readonly string[] = ['out_row', 'out_column', 'a_row', 'a_k', 'b_k', 'b_column'];

/** Threads of a group along columns and rows. */
export function tiledThreads({ rows, columns, threadRows, threadColumns }: Tiles): readonly [number, number] {
  return [columns / threadColumns, rows / threadRows];
}

/** Elements beside each other that a thread reads of shared memory at once. */
const SIDE = 4;

/**
 * The product of matrices with any strides: a group makes a tile of the output in steps along the contracted axis, each thread a
 * block of it in registers. The tiles of both operands go through shared memory, which has two of each: while one is computed
 * with, the next one is on its way. V. Volkov, J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra" (2008).
 */
export function tiledProduct(work: ProductWork, { tiles, wide, leftByDepth, rightByDepth }: TiledProduct): KernelText {
  const { rows, columns, depth, threadRows, threadColumns } = tiles;
  const [width, height] = tiledThreads(tiles);
  const threads = width * height;
  const [index, stride] = wide ? ['u64', 'i64'] : ['u32', 'i32'];
  const type = sumTypeOf(work.result);
  const zero = zeroText(type);
  // Four elements more: a row's neighbours along the contracted axis lie in other banks.
  const pad = 4;

  /** The place in a tile of the element that a thread brings in its turn `i`. */
  const place = (name: string, length: number, byDepth: boolean): string =>
    byDepth
      ? `const u32 ${name} = (tid + i * ${threads}) / ${depth}, depth = (tid + i * ${threads}) % ${depth};`
      : `const u32 ${name} = (tid + i * ${threads}) % ${length}, depth = (tid + i * ${threads}) / ${length};`;
  const fetch = `
UNROLL
for (u32 i = 0; i < ${(rows * depth) / threads}; i++) {
  ${place('row', rows, leftByDepth)}
  const ${stride} at = a0 + (${stride})(row0 + row) * a_row + (${stride})(k + depth) * a_k;
  a_next[i] = row0 + row < rows && k + depth < k_end ? ${operandText(work, 'a', 'at')} : ${zero};
}
UNROLL
for (u32 i = 0; i < ${(columns * depth) / threads}; i++) {
  ${place('column', columns, rightByDepth)}
  const ${stride} at = b0 + (${stride})(k + depth) * b_k + (${stride})(column0 + column) * b_column;
  b_next[i] = column0 + column < columns && k + depth < k_end ? ${operandText(work, 'b', 'at')} : ${zero};
}`.trim();
  const put = `
UNROLL
for (u32 i = 0; i < ${(rows * depth) / threads}; i++) {
  ${place('row', rows, leftByDepth)}
  a_tile[now][depth][row] = a_next[i];
}
UNROLL
for (u32 i = 0; i < ${(columns * depth) / threads}; i++) {
  ${place('column', columns, rightByDepth)}
  b_tile[now][depth][column] = b_next[i];
}`.trim();

  const body = `
SHARED ALIGNED(16) ${type} a_tile[2][${depth}][${rows + pad}];
SHARED ALIGNED(16) ${type} b_tile[2][${depth}][${columns + pad}];
const u32 tid = LOCAL_ID(y) * ${width} + LOCAL_ID(x);
${index} group = GROUP_ID(x);
const ${index} column0 = group % column_tiles * ${columns};
group /= column_tiles;
const ${index} row0 = group % row_tiles * ${rows};
group /= row_tiles;
${batchText(work, wide)}
${type} sums[${threadRows}][${threadColumns}];
UNROLL
for (u32 i = 0; i < ${threadRows}; i++) {
  UNROLL
  for (u32 j = 0; j < ${threadColumns}; j++) sums[i][j] = ${zero};
}
${type} a_next[${(rows * depth) / threads}], b_next[${(columns * depth) / threads}];
${index} k = k_begin;
${fetch}
u32 now = 0;
while (k < k_end) {
${indent(put)}
  // One barrier a step is enough: whoever is past it has read all of the tile that is written next.
  BARRIER();
  k += ${depth};
  if (k < k_end) {
${indent(indent(fetch))}
  }
  UNROLL
  for (u32 l = 0; l < ${depth}; l++) {
    ${type} left[${threadRows}], right[${threadColumns}];
    UNROLL
    for (u32 i = 0; i < ${threadRows}; i++) left[i] = a_tile[now][l][${ownPlace('i', 'LOCAL_ID(y)', rows, threadRows)}];
    UNROLL
    for (u32 j = 0; j < ${threadColumns}; j++) right[j] = b_tile[now][l][${ownPlace('j', 'LOCAL_ID(x)', columns, threadColumns)}];
    UNROLL
    for (u32 i = 0; i < ${threadRows}; i++) {
      UNROLL
      for (u32 j = 0; j < ${threadColumns}; j++) { ${addProductText(work, 'sums[i][j]', 'left[i]', 'right[j]')} }
    }
  }
  now ^= 1;
}
UNROLL
for (u32 i = 0; i < ${threadRows}; i++) {
  const ${index} row = row0 + ${ownPlace('i', 'LOCAL_ID(y)', rows, threadRows)};
  UNROLL
  for (u32 j = 0; j < ${threadColumns}; j++) {
    const ${index} column = column0 + ${ownPlace('j', 'LOCAL_ID(x)', columns, threadColumns)};
    if (row < rows && column < columns) {
      out[out0 + (${stride})row * out_row + (${stride})column * out_column] = ${outputText(work, 'sums[i][j]')};
    }
  }
}`;
  const size = `${rows}x${columns}x${depth}`;
  const order = `${leftByDepth ? 'k' : 'm'}${rightByDepth ? 'k' : 'n'}`;
  return {
    name: productName('matmul', work, [size, order], wide),
    parameters: productParameters(work, wide, MATRIX_NUMBERS, MATRIX_STEPS),
    body,
  };
}

/** The place in a tile of one of a thread's own rows or columns: sides of a few, which lie far apart. */
function ownPlace(i: string, thread: string, length: number, own: number): string {
  const side = Math.min(SIDE, own);
  const apart = length / (own / side);
  return own === side
    ? `${thread} * ${side} + ${i}`
    : `${i} / ${side} * ${apart} + ${thread} * ${side} + ${i} % ${side}`;
}
