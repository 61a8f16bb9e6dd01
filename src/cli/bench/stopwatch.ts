import { quantile } from '../quantile.ts';

const MIN = 3;

/** The median of how long something takes, in seconds, measured for about this long. */
export function medianSeconds(work: () => void, seconds: number): number {
  // The first one pays for what is made on demand.
  work();
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (times.length < MIN || performance.now() < end) {
    const begin = performance.now();
    work();
    times.push((performance.now() - begin) / 1000);
  }
  return quantile(times, 0.5);
}

const LAUNCHES = 100;

/** The time of a launch in microseconds: until the call returns, per launch in a series, and until the kernel completes. */
export function launchCost(
  launch: (index: number) => void,
  wait: () => void,
  seconds: number,
): { readonly launchUs: number; readonly launchAndWaitUs: number } {
  const costs: number[] = [];
  medianSeconds(() => {
    const begin = performance.now();
    for (let i = 0; i < LAUNCHES; i++) launch(i);
    costs.push(((performance.now() - begin) * 1000) / LAUNCHES);
    wait();
  }, seconds);
  const both = medianSeconds(() => {
    launch(0);
    wait();
  }, seconds);
  return { launchUs: quantile(costs, 0.5), launchAndWaitUs: both * 1e6 };
}
