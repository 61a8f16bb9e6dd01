const word = new Int32Array(new SharedArrayBuffer(4));

/** Short waits are for what takes microseconds. */
const SPIN_MS = 2;
const LONGEST_MS = 1;
/** The part of a wait that a pause is: what is waited for is noticed so much later at most, and the system's timer slack. */
const PART = 1 / 200;

/**
 * Pause between two looks at something, without the event loop: longer the longer it is waited for, at most 1 ms.
 *
 * @param waitedMs - how long it has been waited for
 */
export function pause(waitedMs: number): void {
  if (waitedMs < SPIN_MS) return;
  Atomics.wait(word, 0, 0, Math.min(LONGEST_MS, waitedMs * PART));
}
