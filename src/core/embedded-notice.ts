import { localRankVariable } from './environment.ts';

/** Say on stderr that a program runs on the embedded device; of the ranks of a job on one machine only the first says so. */
export function sayStandIn(text: string): void {
  if ((localRankVariable() ?? 0) === 0) process.stderr.write(`rawkernel: ${text}\n`);
}
