import { setTimeout } from 'node:timers/promises';

/** How often, until when. */
export interface Rhythm {
  readonly intervalMs: number;
  /** Infinity: until the signal. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Do something again and again. What takes longer than the interval is followed by a whole one: it is never without pause. */
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
export async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
