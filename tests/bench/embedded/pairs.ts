// Kernels on the embedded device and on PoCL, in turn, as a process of its own: the workers are given by variables.
import 'rawkernel/cuda/autoinit';
import { KERNELS } from './kernels.ts';
import { embedded, emptyOnEmbedded, emptyOnPocl, pocl, poclVersion } from './sides.ts';
import type { EmptyLaunch, Language, Result, Side } from './sides.ts';
import { smallOnEmbedded, smallOnPocl, type StreamTimes } from './streams.ts';
import { spreadOf, type Spread } from '../statistics.ts';

/** What {@link Measured} has of one device: how long a run takes, and how much of the processors. */
export interface Times {
  readonly wall: Spread;
  readonly processor: Spread;
  /** The shortest: of all rounds it is the one that other programs have disturbed least. */
  readonly least: { readonly wall: number; readonly processor: number };
}

export interface Measured {
  readonly name: string;
  readonly embedded: Times;
  readonly pocl: Times | undefined;
  /** The largest difference of the results, relative to the values. */
  readonly difference: number | undefined;
}

export interface PairsAnswer {
  readonly pocl: string | undefined;
  readonly kernels: readonly Measured[];
  readonly launch: LaunchCost;
  /** Of the same library on PoCL, where there is one. */
  readonly poclLaunch: LaunchCost | undefined;
  readonly streams: StreamTimes | undefined;
  readonly poclStreams: StreamTimes | undefined;
}

/** Of an empty kernel, in microseconds. */
export interface LaunchCost {
  readonly enqueue: number;
  readonly roundTrip: Spread;
}

const rounds = Number(process.argv[2] ?? 9);
const pattern = new RegExp(process.argv[3] ?? '');
const language = (process.argv[4] ?? 'cuda') as Language;
const LAUNCHES = 200;
/** Short kernels run for so many milliseconds, and at most so many times as many rounds. */
const ENOUGH = 200;
const MOST = 5;

class Clock {
  readonly #wall: number[] = [];
  readonly #processor: number[] = [];

  time(run: () => void): void {
    const before = process.cpuUsage();
    const start = performance.now();
    run();
    this.#wall.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    this.#processor.push((user + system) / 1000);
  }

  get times(): Times {
    const least = { wall: Math.min(...this.#wall), processor: Math.min(...this.#processor) };
    return { wall: spreadOf(this.#wall), processor: spreadOf(this.#processor), least };
  }
}

function measure(ours: Side, theirs: Side | undefined): Pick<Measured, 'embedded' | 'pocl'> {
  const clocks = [ours, theirs].map((side) => side && { side, clock: new Clock() });
  // The first rounds load, touch memory and let the engine find out what is worth optimising.
  for (let warm = 0; warm < 2; warm++) for (const one of clocks) one?.side.run();
  const start = performance.now();
  for (let round = 0; round < rounds || (round < MOST * rounds && performance.now() < start + ENOUGH); round++) {
    // Neither side always comes first.
    for (const one of round % 2 === 0 ? clocks : clocks.toReversed()) one?.clock.time(() => one.side.run());
  }
  return { embedded: (clocks[0]?.clock ?? new Clock()).times, pocl: clocks[1]?.clock.times };
}

function difference(a: Result, b: Result): number {
  return [...a.keys()].reduce((most, i) => Math.max(most, apart(a[i] ?? NaN, b[i] ?? NaN)), 0);
}

function apart(x: number, y: number): number {
  return x === y ? 0 : Math.abs(x - y) / Math.max(1, Math.abs(x));
}

function measureLaunches({ launch, wait }: EmptyLaunch): LaunchCost {
  const single: number[] = [];
  const many: number[] = [];
  for (let i = 0; i < 5 * LAUNCHES; i++) {
    const start = performance.now();
    launch(i);
    wait();
    single.push((performance.now() - start) * 1000);
  }
  for (let i = 0; i < 120; i++) {
    const start = performance.now();
    for (let k = 0; k < LAUNCHES; k++) launch(k);
    many.push(((performance.now() - start) * 1000) / LAUNCHES);
    wait();
  }
  // The engine goes on to make the code faster for some ten thousand calls.
  return { enqueue: spreadOf(many.slice(60)).median, roundTrip: spreadOf(single.slice(LAUNCHES)) };
}

const kernels = KERNELS.filter(({ name }) => pattern.test(name)).flatMap((bench): Measured[] => {
  const ours = embedded(bench, language);
  if (!ours) return [];
  const theirs = pocl(bench);
  const times = measure(ours, theirs);
  const far = theirs && difference(ours.result(), theirs.result());
  return [{ name: bench.name, ...times, difference: far }];
});
const ownLaunch = emptyOnEmbedded(language);
if (!ownLaunch) throw new Error('the embedded device is missing');
const poclLaunch = emptyOnPocl();
const answer: PairsAnswer = {
  pocl: poclVersion(),
  kernels,
  launch: measureLaunches(ownLaunch),
  poclLaunch: poclLaunch && measureLaunches(poclLaunch),
  streams: smallOnEmbedded(language),
  poclStreams: smallOnPocl(),
};
process.send?.(answer);
process.exit();
