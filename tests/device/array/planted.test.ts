import { expect, test } from '@jest/globals';
import type { Engine } from '../../../src/array/engine.ts';
import { currentEngine } from '../../../src/cuda/array/engine.ts';
import * as xp from '../../../src/cuda/array/index.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { checkedDevice } from '../../../src/cuda/selection.ts';
import { inWay } from '../../helpers/device-ways.ts';
import { needs } from '../../helpers/require.ts';
import { withoutReports } from '../../helpers/without-reports.ts';

withoutReports();

/** A mistake in the text of an algorithm's kernel, and the kind of report that it leads to. */
interface Planted {
  readonly algorithm: string;
  readonly run: () => void;
  /** Begins the kernel's name. */
  readonly kernel: RegExp;
  /** Part of a line that is not a macro's, by how many of these come before it. */
  readonly text: string;
  readonly index?: number;
  /** What stands in its place: nothing by default. */
  readonly wrong?: string;
  readonly found: 'out-of-bounds' | 'race';
}

const floats = (n: number): xp.NDArray<'f32'> =>
  xp.array(Float32Array.from({ length: n }, (_, i) => ((i * 7919) % 1013) - 500));
const integers = (n: number, most: number): xp.NDArray<'i32'> =>
  xp.array(Int32Array.from({ length: n }, (_, i) => (i * 7919) % most));
const BARRIER = { text: 'BARRIER();', found: 'race' } as const;

const planted: readonly Planted[] = [
  {
    algorithm: 'a scan of lines',
    run: () => xp.cumsum(floats(2500)),
    kernel: /^cumsum_.*rows_scan/,
    ...BARRIER,
    index: 1,
  },
  {
    algorithm: 'a scan in one pass',
    run: () => xp.cumsum(floats(100_000)),
    kernel: /^cumsum_f32_f32_(?:once|pipelined)/,
    ...BARRIER,
  },
  {
    algorithm: 'a scan that a user writes',
    run: () => new xp.InclusiveScanKernel('int', 'a * b', 1)(integers(2500, 3), 'new'),
    kernel: /^scan_i32/,
    ...BARRIER,
  },
  {
    algorithm: 'segments, reduced',
    run: () => xp.segmentedReduce(floats(5000), integers(4, 5).multiply(900), 'a + b', { neutral: 0 }),
    kernel: /^segmented_reduce_once/,
    ...BARRIER,
    index: 1,
  },
  { algorithm: 'the digits of a sort', run: () => xp.sort(floats(9000)), kernel: /^sort_count/, ...BARRIER },
  { algorithm: 'the plan of a sort', run: () => xp.sort(floats(9000)), kernel: /^sort_plan/, ...BARRIER, index: 1 },
  { algorithm: 'a sweep of a sort', run: () => xp.sort(floats(9000)), kernel: /^sort_sweep/, ...BARRIER, index: 2 },
  {
    algorithm: 'a sort of short lines',
    run: () => xp.sort(floats(900).reshape([9, 100]), { axis: 1 }),
    kernel: /^sort_rows/,
    ...BARRIER,
  },
  { algorithm: 'a bitonic sort', run: () => new xp.BitonicSort()(floats(512)), kernel: /^bitonic_tile/, ...BARRIER },
  { algorithm: 'the greatest elements', run: () => xp.topk(floats(20_000), 10), kernel: /^select_count/, ...BARRIER },
  {
    algorithm: 'a selection by a mask',
    run: () => floats(9000).at(floats(9000).greater(0)),
    kernel: /^select_u32_write/,
    ...BARRIER,
    index: 1,
  },
  {
    algorithm: 'a selection by a condition',
    run: () => xp.copyIf(floats(5000), 'ary[i] > 0'),
    kernel: /^copy_if_write/,
    ...BARRIER,
    index: 1,
  },
  {
    algorithm: 'different elements',
    run: () => xp.unique(floats(5000)),
    kernel: /^runs_.*_write/,
    ...BARRIER,
    index: 1,
  },
  {
    algorithm: 'bins in shared memory',
    run: () => xp.histogram(floats(5000), 32),
    kernel: /^count_shared/,
    ...BARRIER,
  },
  {
    algorithm: 'bins in global memory',
    run: () => xp.bincount(integers(5000, 200_000)),
    kernel: /^count_global/,
    text: 'if (held < bins)',
    wrong: 'if (held <= bins)',
    found: 'out-of-bounds',
  },
  {
    algorithm: 'places in what is sorted',
    run: () => xp.searchsorted(xp.sort(floats(500)), floats(600)),
    kernel: /^search_left/,
    text: 'if (count > 0) low',
    wrong: 'low',
    found: 'out-of-bounds',
  },
  {
    algorithm: 'normal numbers',
    run: () => new xp.random.Generator(1).normal({ shape: [1001] }),
    kernel: /^normal_/,
    text: 'if (at + 1 < n)',
    found: 'out-of-bounds',
  },
  {
    algorithm: 'a permutation',
    run: () => new xp.random.Generator(1).permutation(1000),
    kernel: /^permutation_/,
    text: 'to[at + 0]',
    index: 1,
    wrong: 'to[at + 1]',
    found: 'out-of-bounds',
  },
  {
    algorithm: 'a sum',
    run: () => xp.sum(floats(9000)),
    kernel: /^sum_f32_rows/,
    ...BARRIER,
  },
];

/** There threads work together more. */
const LIKE_A_GPU = { packBytes: 16, groups: 4, promisesProgress: true };

const gpu = needs.cuda();
const isChecked = gpu.missing === undefined && checkedDevice() !== undefined;

(isChecked ? test : test.skip).each(planted.map((one) => [one.algorithm, one] as const))(
  'the checked mode finds a mistake in %s',
  (_, { run, ...mistake }) => {
    const context = new Context(new Device(0), { own: true, check: 'report' });
    try {
      const engine = currentEngine();
      const names = plant(engine, mistake);
      inWay(engine, LIKE_A_GPU, run);
      context.synchronize();
      expect(names).toEqual([expect.stringMatching(mistake.kernel)]);
      const found = context.reports.map(({ kind, kernel }) => `${kind} ${kernel}`);
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`${mistake.found}.*${names[0]}`)));
    } finally {
      context.close();
    }
  },
);

/**
 * Put a mistake into the kernels that are built from now on and have a name of the kind.
 *
 * @returns their names
 */
function plant(engine: Engine, { kernel, text, index = 0, wrong = '' }: Omit<Planted, 'run'>): string[] {
  const names: string[] = [];
  const build = engine.build.bind(engine);
  Object.assign(engine, {
    build: (source: string, name: string, options?: readonly string[]) => {
      if (!kernel.test(name)) return build(source, name, options);
      const head = source.indexOf('extern "C"');
      const parts = source.slice(head).split(text);
      expect(parts.length).toBeGreaterThan(index + 1);
      names.push(name);
      const before = parts.slice(0, index + 1).join(text);
      return build(source.slice(0, head) + before + wrong + parts.slice(index + 1).join(text), name, options);
    },
  });
  return names;
}
