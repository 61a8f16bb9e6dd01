/** How often, until when. */
export interface Rhythm {
  readonly intervalMs: number;
  /** Infinity: until the signal. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Repeat work at an interval. Work that takes longer than the interval is followed by a whole interval. */
export async function repeat(work: () => void, { intervalMs, count, signal }: Rhythm): Promise<void> {
  let due = performance.now();
  for (let done = 0; done < count && !signal.aborted; done++) {
    if (done > 0) {
      const now = performance.now();
      due += intervalMs;
      if (due < now) due = now + intervalMs;
      if (!(await pause(due - now, signal))) return;
    }
    work();
  }
}

/** Wait, and tell whether it was to the end. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (whole: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(whole);
    };
    const stop = (): void => finish(false);
    const timer = setTimeout(finish, milliseconds, true);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
}
