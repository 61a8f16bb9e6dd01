import { randomInt } from 'node:crypto';
import { cpuOrderVariable } from '../../core/environment.ts';

const SEEDS = 2 ** 32;

let own: number | undefined;

/**
 * What the order of threads and blocks is drawn from, or undefined where they run one after another, as
 * `RAWKERNEL_CPU_ORDER` says. A seed that nobody chose is one for the whole process, and a line on stderr says it.
 *
 * @throws TypeError the variable has an unknown value
 */
export function orderSeed(): number | undefined {
  const order = cpuOrderVariable();
  if (order !== 'random') return order;
  if (own === undefined) {
    own = randomInt(SEEDS);
    process.stderr.write(`rawkernel: threads and blocks run in a random order: ${describeOrder(own)}\n`);
  }
  return own;
}

/** How to run in the same order again. */
export function describeOrder(seed: number): string {
  return `RAWKERNEL_CPU_ORDER=random:${seed}`;
}
