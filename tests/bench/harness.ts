import { spreadOf, type Spread } from './statistics.ts';

/** What a number counts; of rates more is better, of the others less. */
export type Unit = 'ns' | 'us' | 'ms' | 'bytes' | 'GB/s' | 'GFLOP/s' | 'GKey/s';

/** One way to do what a case measures. */
export interface Side {
  readonly name: string;
  /** Measure once, in the case's unit. Other processes answer with a promise. */
  readonly round: () => number | Promise<number>;
}

/** Something to measure, with all the ways to do it: they take turns in one run. The first is what others are compared with. */
export interface Case {
  readonly name: string;
  readonly unit: Unit;
  readonly sides: readonly (Side | undefined)[];
  /** Rounds, where those of the run would take too long. */
  readonly rounds?: number;
}

export interface SideResult extends Spread {
  readonly name: string;
  /** The median of the rounds' ratios to the first side; undefined for that side. */
  readonly ratio: number | undefined;
}

export interface CaseResult {
  readonly suite: string;
  readonly name: string;
  readonly unit: Unit;
  readonly rounds: number;
  readonly sides: readonly SideResult[];
}

/** At least: an engine goes on to make code faster for ten thousand calls and more. */
const WARM_UP = { rounds: 3, ms: 100 };

/** Measure the sides in turn: a slower moment of the machine meets all of them. */
export async function measure(suite: string, one: Case, rounds: number): Promise<CaseResult> {
  const sides = one.sides.filter((side) => side !== undefined);
  const count = Math.min(rounds, one.rounds ?? rounds);
  const times = sides.map((): number[] => []);
  for (const side of sides) await warmUp(side, count);
  for (let round = 0; round < count; round++) {
    const order = [...sides.keys()];
    // Neither side always comes first.
    for (const i of round % 2 === 0 ? order : order.reverse()) {
      times[i]?.push(await (sides[i] as Side).round());
    }
  }
  const [first = []] = times;
  const results = sides.map(({ name }, i): SideResult => {
    const own = times[i] ?? [];
    const ratios = own.map((value, round) => value / (first[round] ?? NaN));
    return { name, ...spreadOf(own), ratio: i === 0 ? undefined : spreadOf(ratios).median };
  });
  return { suite, name: one.name, unit: one.unit, rounds: count, sides: results };
}

async function warmUp(side: Side, most: number): Promise<void> {
  const start = performance.now();
  for (let round = 0; round < Math.min(WARM_UP.rounds, most) || performance.now() - start < WARM_UP.ms; round++) {
    await side.round();
  }
}

/** Nanoseconds of one of `count` calls. */
export function nsPerCall(count: number, call: (i: number) => void): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; i++) call(i);
  return Number(process.hrtime.bigint() - start) / count;
}

/** Milliseconds until something has run. */
export function msOf(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** A driver's function through the FFI alone. */
export type BareCall = (...args: unknown[]) => number | bigint;

/** Two functions of a driver through the FFI alone: one makes something, the other ends it. */
export function bareSide(
  make: BareCall | undefined,
  end: BareCall | undefined,
  count: number,
  call: (make: BareCall, end: BareCall) => void,
  settle?: () => void,
): Side | undefined {
  if (!make || !end) return undefined;
  return callSide(
    BARE,
    count,
    () => {
      call(make, end);
    },
    settle,
  );
}

/** What sides without code of ours are called. */
export const BARE = 'koffi alone';

/** A side whose rounds are so many calls, in nanoseconds each; `settle` runs after them and is not measured. */
export function callSide(name: string, count: number, call: (i: number) => void, settle = (): void => undefined): Side {
  return {
    name,
    round: () => {
      const ns = nsPerCall(count, call);
      settle();
      return ns;
    },
  };
}
