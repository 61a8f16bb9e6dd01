import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { sweepFlights } from '../../src/core/in-flight.ts';

/** Memory that a loop took for good over its second half, in bytes. */
export interface Growth {
  /** Of JavaScript's heap and of the memory behind its arrays, after a collection. */
  readonly heap: number;
  /** Of all that the process has in memory. */
  readonly rss: number;
  /** Rounds of the loop between the samples that are compared. */
  readonly rounds: number;
}

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

const SAMPLES = 16;
// What engine, caches and C library move about by themselves; and what a round may leave, which is less than any record.
const SLACK: Readonly<Record<keyof Memory, number>> = { heap: 1536 << 10, rss: 8 << 20 };
const BYTES_PER_ROUND = { heap: 16, rss: 64 };

/**
 * Run a loop and measure what its second half leaves. The first half warms up: code is compiled, pools of the driver fill.
 * Then come samples at even distances, and the lowest of their two halves are compared: what a cache holds comes and goes,
 * and garbage adds to a sample, but what is lost lifts all that come later.
 *
 * @param round - is called `count` times; between samples the loop yields only where it gives a promise
 * @param settle - waits for the device before a sample
 */
export async function growthOf(
  name: string,
  count: number,
  round: (i: number) => void | Promise<void>,
  settle: () => void = () => {},
): Promise<Growth> {
  const start = performance.now();
  const samples: Memory[] = [];
  const warm = Math.floor(count / 2);
  let done = 0;
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const end = Math.floor(warm + ((count - warm) * sample) / SAMPLES);
    for (; done < end; done++) {
      const pending = round(done);
      if (pending) await pending;
    }
    settle();
    sweepFlights();
    // The first sample belongs to the warming up.
    const memory = await memoryNow();
    if (sample > 0) samples.push(memory);
  }
  const between = (of: keyof Memory): number =>
    lowest(samples.slice(SAMPLES / 2), of) - lowest(samples.slice(0, SAMPLES / 2), of);
  const growth = { heap: between('heap'), rss: between('rss'), rounds: Math.floor((count - warm) / 2) };
  const rounds = growth.rounds.toLocaleString('en');
  tell(name, count, start, `in ${rounds} of them heap ${signed(growth.heap)}, RSS ${signed(growth.rss)}`);
  return growth;
}

/** How long {@link flatFor} goes on: `RAWKERNEL_SOAK_MINUTES`; without it a moment, which tries the loop itself. */
const MINUTES: number = Number(process.env['RAWKERNEL_SOAK_MINUTES'] ?? 0.2);

/** For the tests of {@link flatFor}. */
export const LONG_TIMEOUT_MS: number = MINUTES * 60_000 * 2 + 600_000;

/** Run a loop for {@link MINUTES}; memory that it takes for good over its second half is measured as by {@link growthOf}. */
export async function flatFor(
  name: string,
  round: (i: number) => void | Promise<void>,
  settle: () => void,
): Promise<void> {
  const start = performance.now();
  const samples: Memory[] = [];
  const half = MINUTES * 30_000;
  let done = 0;
  let warm = 0;
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const end = start + half + (half * sample) / SAMPLES;
    while (performance.now() < end) await round(done++);
    settle();
    sweepFlights();
    const memory = await memoryNow();
    if (sample > 0) samples.push(memory);
    else warm = done;
  }
  const between = (of: keyof Memory): number =>
    lowest(samples.slice(SAMPLES / 2), of) - lowest(samples.slice(0, SAMPLES / 2), of);
  const growth = { heap: between('heap'), rss: between('rss'), rounds: Math.floor((done - warm) / 2) };
  tell(name, done, start, `in the second half heap ${signed(growth.heap)}, RSS ${signed(growth.rss)}`);
  expectFlat(growth);
}

/** Fail where a loop kept something for each round. */
export function expectFlat({ heap, rss, rounds }: Growth, slack: Partial<typeof SLACK> = {}): void {
  expect(heap).toBeLessThan((slack.heap ?? SLACK.heap) + BYTES_PER_ROUND.heap * rounds);
  expect(rss).toBeLessThan((slack.rss ?? SLACK.rss) + BYTES_PER_ROUND.rss * rounds);
}

/** {@link growthOf}, which is to be flat. */
export async function flat(...args: Parameters<typeof growthOf>): Promise<void> {
  expectFlat(await growthOf(...args));
}

/** Say on stderr what a test did, and how long it took from `start`. */
export function tell(name: string, count: number, start: number, figures: string): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stderr.write(`  ${name}: ${count.toLocaleString('en')} in ${seconds} s, ${figures}\n`);
}

/** What the process has in memory, after collections and the finalizers that they call. */
export async function memoryNow(): Promise<Memory> {
  for (let i = 0; i < 2; i++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** Bytes in the unit that fits, with a sign. */
export function signed(bytes: number): string {
  return `${bytes < 0 ? '-' : '+'}${size(Math.abs(bytes))}`;
}

/** Bytes in the unit that fits. */
export function size(bytes: number): string {
  const [value, unit] =
    bytes >= 2 ** 30 ? [bytes / 2 ** 30, 'GiB'] : bytes >= 2 ** 20 ? [bytes / 2 ** 20, 'MiB'] : [bytes / 1024, 'KiB'];
  return `${Number(value.toFixed(1))} ${unit}`;
}

function lowest(samples: readonly Memory[], of: keyof Memory): number {
  return Math.min(...samples.map((memory) => memory[of]));
}
