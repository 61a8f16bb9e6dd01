import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { KernelText } from '../kernel/source.ts';
import {
  addProductText,
  addText,
  batchText,
  operandText,
  outputText,
  productName,
  productParameters,
  sumTypeOf,
  zeroText,
  type ProductWork,
} from './product-text.ts';
import { MATRIX_NUMBERS, MATRIX_STEPS, type Tiles } from './tiled-kernel.ts';

/** Steps of the contracted axis that are added up at once. */
const STEPS = 4;

/** The tiles of {@link panelProduct}, which fit into a processor's first cache. */
export function panelTiles(result: ArrayDType, rows: number): Tiles {
  const { size } = arrayDTypes[sumTypeOf(result)];
  const threadRows = rows < 4 ? 1 : 4;
  return { rows: size > 4 ? 32 : 64, columns: size > 8 ? 32 : 64, depth: 32, threadRows, threadColumns: 1 };
}

/**
 * The product of matrices where a group is the work of one processor: a single thread makes a tile of the output in steps along
 * the contracted axis. It copies the tiles of both operands to where their elements follow each other, then adds a few rows of the
 * right one at a time to a few rows of the output: compilers make vectors of these.
 */
export function panelProduct(work: ProductWork, tiles: Tiles, wide: boolean): KernelText {
  const { rows, columns, depth, threadRows } = tiles;
  const [index, stride] = wide ? ['u64', 'i64'] : ['u32', 'i32'];
  const type = sumTypeOf(work.result);
  const zero = zeroText(type);
  const each = (count: number, text: (i: number) => string, separator = '\n'): string =>
    Array.from({ length: count }, (_, i) => text(i)).join(separator);
  const body = `
SHARED ${type} a_tile[${rows}][${depth}];
SHARED ${type} b_tile[${depth}][${columns}];
SHARED ${type} sums[${rows}][${columns}];
${index} group = GROUP_ID(x);
const ${index} column0 = group % column_tiles * ${columns};
group /= column_tiles;
const ${index} row0 = group % row_tiles * ${rows};
group /= row_tiles;
${batchText(work, wide)}
const u32 height = (u32)(rows - row0 < ${rows} ? rows - row0 : ${rows});
const u32 width = (u32)(columns - column0 < ${columns} ? columns - column0 : ${columns});
const u32 padded_height = (height + ${threadRows - 1}) / ${threadRows} * ${threadRows};
for (u32 i = 0; i < padded_height; i++) {
  for (u32 j = 0; j < width; j++) sums[i][j] = ${zero};
}
for (${index} k = k_begin; k < k_end; k += ${depth}) {
  const u32 length = (u32)(k_end - k < ${depth} ? k_end - k : ${depth});
  const u32 padded_length = (length + ${STEPS - 1}) / ${STEPS} * ${STEPS};
  for (u32 i = 0; i < padded_height; i++) {
    const ${stride} from = a0 + (${stride})(row0 + i) * a_row + (${stride})k * a_k;
    for (u32 l = 0; l < padded_length; l++) {
      a_tile[i][l] = i < height && l < length ? ${operandText(work, 'a', `from + (${stride})l * a_k`)} : ${zero};
    }
  }
  for (u32 l = 0; l < length; l++) {
    const ${stride} from = b0 + (${stride})(k + l) * b_k + (${stride})column0 * b_column;
    if (b_column == 1) {
      for (u32 j = 0; j < width; j++) b_tile[l][j] = ${operandText(work, 'b', 'from + j')};
    } else {
      for (u32 j = 0; j < width; j++) b_tile[l][j] = ${operandText(work, 'b', `from + (${stride})j * b_column`)};
    }
  }
  for (u32 l = length; l < padded_length; l++) {
    for (u32 j = 0; j < width; j++) b_tile[l][j] = ${zero};
  }
  for (u32 i = 0; i < padded_height; i += ${threadRows}) {
    for (u32 l = 0; l < padded_length; l += ${STEPS}) {
      ${each(threadRows, (i) => each(STEPS, (l) => `const ${type} a${i}_${l} = a_tile[i + ${i}][l + ${l}];`, ' '), '\n      ')}
      for (u32 j = 0; j < width; j++) {
        ${each(STEPS, (l) => `const ${type} b${l} = b_tile[l + ${l}][j];`, ' ')}
        ${each(threadRows, (i) => `${type} sum${i} = ${zero};`, ' ')}
        ${each(threadRows, (i) => each(STEPS, (l) => addProductText(work, `sum${i}`, `a${i}_${l}`, `b${l}`), ' '), '\n        ')}
        ${each(threadRows, (i) => addText(work, `sums[i + ${i}][j]`, `sum${i}`), '\n        ')}
      }
    }
  }
}
for (u32 i = 0; i < height; i++) {
  const ${stride} to = out0 + (${stride})(row0 + i) * out_row + (${stride})column0 * out_column;
  for (u32 j = 0; j < width; j++) {
    const ${type} sum = sums[i][j];
    out[to + (${stride})j * out_column] = ${outputText(work, 'sum')};
  }
}`;
  return {
    name: productName('matmul', work, ['panel', `${rows}x${columns}x${depth}`, `by${threadRows}`], wide),
    parameters: productParameters(work, wide, MATRIX_NUMBERS, MATRIX_STEPS),
    body,
  };
}
