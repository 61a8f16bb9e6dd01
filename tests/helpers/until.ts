import { setTimeout } from 'node:timers/promises';

/** Longer than any collection, poll or worker takes on a machine that has too much to do; shorter than a test may take. */
const BOUND_MS = 40_000;

/** Turns of the event loop, timers too: what would have come by now has come. */
export async function turns(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) await setTimeout(1);
}

/**
 * Turn the event loop until something holds.
 *
 * @param what - for the error, where it does not come to hold
 * @param each - is called between two turns
 */
export async function until(what: string, holds: () => boolean, each: () => void = () => undefined): Promise<void> {
  const end = performance.now() + BOUND_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    // A job keeps what a WeakRef has given to it.
    await turns();
    each();
    await turns();
  }
}

/** Collect garbage and turn the event loop until something holds. What the running job has made is kept to its end. */
export async function untilCollected(what: string, holds: () => boolean): Promise<void> {
  await turns();
  await until(what, holds, () => globalThis.gc?.());
}

/** Collect what can be collected, for what must stay: objects are tied to the collector at the end of a job. */
export async function collect(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await turns();
    globalThis.gc?.();
  }
  await turns();
}
