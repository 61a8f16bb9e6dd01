import { storageType, type Parameter } from './dialect.ts';
import { itemType } from './item.ts';
import type { KernelText } from './source.ts';

/** Elements of the least tile along each of its axes: threads that go side by side. */
export const LEAST_TILE = 32;

/** Elements of a tile along each of its axes: as many as shared memory has room for, so that many reads are under way at once. */
export function tileSize(bytes: number, shortest: number): number {
  return bytes <= 8 && shortest > LEAST_TILE ? 2 * LEAST_TILE : LEAST_TILE;
}

/** How a tiled copy is written. */
export interface TiledCopy {
  /** Bytes of an element. */
  readonly bytes: number;
  /** Elements of a tile along each of its axes. */
  readonly tile: number;
  /** Axes besides the two of a tile. */
  readonly batches: number;
  /** Threads of a group along the second axis. */
  readonly rows: number;
  /** Whether places are counted in 64 bits. */
  readonly wide: boolean;
}

/**
 * A copy between arrays whose fastest axes differ, by tiles in shared memory: `a` is the source's fastest axis, `b` the
 * destination's, so that threads side by side read and write elements side by side. A row of the tile has one element more
 * than it holds, or its columns would be in one bank.
 *
 * Geometry: groups of 32 x `rows` threads, one for each tile: along `a`, then `b`, then the other axes, the last first.
 */
export function tiledCopyKernel({ bytes, tile, batches, rows, wide }: TiledCopy): KernelText {
  const dtype = itemType(bytes);
  const type = storageType(dtype);
  const [index, stride] = wide ? (['u64', 'i64'] as const) : (['u32', 'i32'] as const);
  const axes = Array.from({ length: batches }, (_, axis) => axis);
  const numbers = (names: readonly string[], each: 'u32' | 'u64' | 'i32' | 'i64'): Parameter[] =>
    names.map((name) => ({ name, dtype: each, kind: 'number' }));
  const parameters: Parameter[] = [
    { name: 'out', dtype, kind: 'output' },
    { name: 'in', dtype, kind: 'input' },
    ...numbers(['out_at', 'in_at', 'a_length', 'b_length'], index),
    ...numbers(['a_tiles', 'b_tiles'], 'u32'),
    ...numbers(
      axes.slice(0, -1).map((axis) => `n${axis}`),
      'u32',
    ),
    ...numbers(['in_a', 'in_b', 'out_a', 'out_b', ...axes.flatMap((axis) => [`in${axis}`, `out${axis}`])], stride),
  ];
  const batch = axes.flatMap((axis) => {
    const rest = `rest${axis}`;
    const i = axis === batches - 1 ? rest : `${rest} % n${axis}`;
    return [
      `const ${stride} i${axis} = (${stride})(${i});`,
      ...(axis === batches - 1 ? [] : [`const u32 rest${axis + 1} = ${rest} / n${axis};`]),
    ];
  });
  const place = (side: string): string =>
    [`(${stride})${side}_at`, ...axes.map((axis) => `i${axis} * ${side}${axis}`)].join(' + ');
  const row = tile + 1;
  const loop = (line: string): string =>
    `
UNROLL
for (u32 k = 0; k < ${tile}; k += ${rows}) {
  UNROLL
  for (u32 m = 0; m < ${tile}; m += ${LEAST_TILE}) {
    ${line}
  }
}`.trim();
  const read = `if (a0 + x + m < a_length && b0 + y + k < b_length) tile[(y + k) * ${row} + x + m] = in[in_i + (${stride})k * in_b + (${stride})m * in_a];`;
  const body = `
SHARED ${type} tile[${tile * row}];
const u32 x = LOCAL_ID(x), y = LOCAL_ID(y);
const u32 tiles = GROUP_ID(x) / a_tiles;
const ${index} a0 = (${index})(GROUP_ID(x) % a_tiles) * ${tile};
const ${index} b0 = (${index})(tiles % b_tiles) * ${tile};
${batches > 0 ? 'const u32 rest0 = tiles / b_tiles;\n' : ''}${batch.join('\n')}
const ${stride} in_i = ${place('in')} + (${stride})(a0 + x) * in_a + (${stride})(b0 + y) * in_b;
const ${stride} out_i = ${place('out')} + (${stride})(a0 + y) * out_a + (${stride})(b0 + x) * out_b;
${loop(read)}
BARRIER();
${loop(`if (a0 + y + k < a_length && b0 + x + m < b_length) out[out_i + (${stride})k * out_a + (${stride})m * out_b] = tile[(x + m) * ${row} + y + k];`)}`;
  return { name: `tiled_copy_${dtype}_${tile}_${batches}${wide ? '_wide' : ''}`, parameters, body };
}
