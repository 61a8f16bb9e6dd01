// Kernels under oclgrind, once each, as a process of its own: the library and its checks are given by variables.
import { KERNELS } from './kernels.ts';
import { simulated } from './sides.ts';

/** Milliseconds of one run of each kernel. */
export type SimulatedAnswer = Readonly<Record<string, number>>;

const pattern = new RegExp(process.argv[2] ?? '');
const times: Record<string, number> = {};
for (const bench of KERNELS.filter(({ name }) => pattern.test(name))) {
  const side = simulated(bench);
  if (!side) continue;
  const start = performance.now();
  side.run();
  times[bench.name] = performance.now() - start;
}
process.send?.(times satisfies SimulatedAnswer);
process.exit();
