import { expect } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { memoryNow, signed, size, tell } from './growth.ts';

/** Make many objects, use them while all are there, and close them. */
export interface Many<T extends Disposable> {
  readonly name: string;
  readonly count: number;
  readonly make: (i: number) => T;
  readonly use: (all: readonly T[]) => void | Promise<void>;
}

/** What {@link manyAtOnce} asks of a device. */
export interface Ground {
  /** Free memory of the device, where it can be told. */
  readonly free?: () => number;
  /** Waits for what runs. */
  readonly settle?: () => void;
}

/** Bytes of heap; caches may hold as much. What is lost bit by bit, the tests of growth find. */
const MAX_LEFT = 4 << 20;
/** Bytes of device memory; other processes may take some meanwhile. */
const MAX_TAKEN = 64 << 20;

/** Do it twice: the first time fills pools and caches. Says what each took, and sees that nothing is left. */
export async function manyAtOnce<T extends Disposable>(many: Many<T>, ground: Ground): Promise<void> {
  await once(many, ground);
  // NVIDIA's driver keeps half a MiB of each stream for streams to come.
  const before = ground.free?.();
  const left = await once(many, ground);
  expect(left).toBeLessThan(MAX_LEFT);
  if (before !== undefined) expect(ground.free?.()).toBeGreaterThan(before - MAX_TAKEN);
}

async function once<T extends Disposable>({ name, count, make, use }: Many<T>, ground: Ground): Promise<number> {
  const { free, settle } = ground;
  const start = performance.now();
  const [live, before, freeBefore] = [liveObjects(), await memoryNow(), free?.()];
  const all: T[] = [];
  let figures: string;
  try {
    for (let i = 0; i < count; i++) all.push(make(i));
    await use(all);
    const during = await memoryNow();
    const each = (of: 'heap' | 'rss'): string => size((during[of] - before[of]) / count);
    figures = `heap ${each('heap')} and RSS ${each('rss')} each`;
    if (free && freeBefore !== undefined) figures += `, of the device ${size(freeBefore - free())} in all`;
  } finally {
    for (const one of all) one[Symbol.dispose]();
    // Closed objects are objects still.
    all.length = 0;
  }
  settle?.();
  sweepFlights();
  expect(liveObjects()).toEqual(live);
  const after = await memoryNow();
  const left = after.heap - before.heap;
  tell(name, count, start, `${figures}; left heap ${signed(left)}, RSS ${signed(after.rss - before.rss)}`);
  return left;
}
