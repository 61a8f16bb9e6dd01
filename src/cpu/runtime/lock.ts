/** The sleep between two attempts: a holder that was terminated wakes no waiting thread. */
const PATIENCE_MS = 20;

/** Run a function under a lock. */
export function locked<T>(control: Int32Array, word: number, run: () => T): T {
  // 0: free, 1: held, 2: held and awaited.
  if (Atomics.compareExchange(control, word, 0, 1) !== 0) {
    while (Atomics.exchange(control, word, 2) !== 0) Atomics.wait(control, word, 2, PATIENCE_MS);
  }
  try {
    return run();
  } finally {
    if (Atomics.exchange(control, word, 0) === 2) Atomics.notify(control, word, 1);
  }
}
