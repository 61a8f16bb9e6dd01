const LEAST = 3;

/** The median of how long something takes, in seconds, measured for about this long. */
export function medianSeconds(work: () => void, seconds: number): number {
  // The first one pays for what is made on demand.
  work();
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (times.length < LEAST || performance.now() < end) {
    const begin = performance.now();
    work();
    times.push((performance.now() - begin) / 1000);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? NaN;
}
