import { storageType, type Parameter } from './dialect.ts';
import { itemType } from './item.ts';
import type { KernelText } from './source.ts';

/** Elements of a tile along each of its axes. */
export const TILE = 32;

/**
 * A copy between arrays whose fastest axes differ, by tiles in shared memory: `a` is the source's fastest axis, `b` the
 * destination's, so that threads side by side read and write elements side by side. A row of the tile has one element more
 * than it holds, or its columns would be in one bank.
 *
 * Geometry: groups of 32 x `rows` threads, one for each tile: along `a`, then `b`, then the other axes, the last first.
 */
export function tiledCopyKernel(bytes: number, batches: number, rows: number, wide: boolean): KernelText {
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
  const body = `
SHARED ${type} tile[${TILE * (TILE + 1)}];
const u32 x = LOCAL_ID(x), y = LOCAL_ID(y);
const u32 tiles = GROUP_ID(x) / a_tiles;
const ${index} a0 = (${index})(GROUP_ID(x) % a_tiles) * ${TILE};
const ${index} b0 = (${index})(tiles % b_tiles) * ${TILE};
${batches > 0 ? 'const u32 rest0 = tiles / b_tiles;\n' : ''}${batch.join('\n')}
const ${stride} in_i = ${place('in')};
const ${stride} out_i = ${place('out')};
for (u32 k = 0; k < ${TILE}; k += ${rows}) {
  const ${index} a = a0 + x, b = b0 + y + k;
  if (a < a_length && b < b_length) tile[(y + k) * ${TILE + 1} + x] = in[in_i + (${stride})a * in_a + (${stride})b * in_b];
}
BARRIER();
for (u32 k = 0; k < ${TILE}; k += ${rows}) {
  const ${index} a = a0 + y + k, b = b0 + x;
  if (a < a_length && b < b_length) out[out_i + (${stride})a * out_a + (${stride})b * out_b] = tile[x * ${TILE + 1} + y + k];
}`;
  return { name: `tiled_copy_${dtype}_${batches}${wide ? '_wide' : ''}`, parameters, body };
}
