const word = new Int32Array(new SharedArrayBuffer(4));

/** Short waits are for what takes microseconds. */
const SPIN_MS = 2;
const SHORT_MS = 20;

/**
 * Pause between two looks at something, without the event loop: longer the longer it is waited for, at most 1 ms.
 *
 * @param waitedMs - how long it has been waited for
 */
export function pause(waitedMs: number): void {
  if (waitedMs < SPIN_MS) return;
  Atomics.wait(word, 0, 0, waitedMs < SHORT_MS ? 0.1 : 1);
}
