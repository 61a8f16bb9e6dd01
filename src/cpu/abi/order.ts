import { randomInt } from 'node:crypto';
import { cpuOrderVariable } from '../../core/environment.ts';

const SEEDS = 2 ** 32;

let own: number | undefined;

/**
 * The seed of the order of threads and blocks, from `RAWKERNEL_CPU_ORDER`; undefined for the plain order. A seed that
 * the variable does not give is chosen once for the process and printed on stderr.
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

/** The setting that repeats an order. */
export function describeOrder(seed: number): string {
  return `RAWKERNEL_CPU_ORDER=random:${seed}`;
}
