import { setImmediate } from 'node:timers/promises';
import { GpuError } from '../../src/core/errors.ts';
import { reclaim } from '../../src/core/handle.ts';
import { entriesOf, type Table } from '../../src/ffi/prototype.ts';
import { useRetry, type Retry } from './retrying.ts';

/** A small program through the public API: whatever it makes, it closes. */
export type Program = () => unknown;

/** A driver for one run, which counts what it has given out. */
export interface Ground {
  /** What is there, in words: objects by kind, the context that is current. Compared before and after a program. */
  readonly state: () => string;
  readonly end: () => void;
}

/** What the driver of a run tells of each call, and asks what to do. */
export type Around = (routine: string, args: readonly unknown[], next: () => unknown) => unknown;

/** A half whose table can be made to fail. */
export interface Half {
  readonly table: Table;
  /** Put a driver under the half; every call goes through `around`. */
  readonly begin: (around: Around) => Ground;
  /** Have a call fail without being made. */
  readonly fail: (routine: string, args: readonly unknown[]) => unknown;
  readonly programs: Readonly<Record<string, Program>>;
  /** Whether only first calls are made to fail, and nothing is called again. */
  readonly isQuick?: boolean;
  /** Routines that destroy: what they leave is not taken for a leak, and they warn where others throw. */
  readonly destroys: RegExp;
  /** Programs that leave out what cannot be read. */
  readonly forgiving?: RegExp;
  /** Routines whose failure is an answer, so that a program goes on, and why; in one program alone as `program: routine`. */
  readonly answers: Readonly<Record<string, string>>;
  /** What errors say that do not name the routine. */
  readonly tells?: RegExp;
  /** Public calls, as `Class.member`, that cannot be made again after a failure, and why. */
  readonly once?: Readonly<Record<string, string>>;
}

/** Why programs do not reach functions, and which. */
export type Reasons = Readonly<Record<string, readonly string[]>>;

/** What came out: each thing that is wrong, and the routines that failed at least once. */
export interface Outcome {
  readonly wrong: readonly string[];
  readonly failed: ReadonlySet<string>;
  readonly runs: number;
}

/** Read properties, for what the driver is asked. */
export function read(...values: readonly unknown[]): number {
  return values.length;
}

/**
 * Run each program once to count, and then with each routine failing at its first, second and last call: the program ends
 * there. Once more the first failure is followed by the same public call, and the program goes on to its end.
 */
export async function injectFaults(half: Half): Promise<Outcome> {
  const wrong: string[] = [];
  const failed = new Set<string>();
  let runs = 0;
  for (const [name, program] of Object.entries(half.programs)) {
    const plain = await once(half, program);
    runs++;
    if (plain.error !== undefined) wrong.push(`${name}: fails by itself: ${textOf(plain.error)}`);
    if (plain.left !== undefined) wrong.push(`${name}: leaves something by itself: ${plain.left}`);
    for (const [routine, count] of plain.counts) {
      for (const at of new Set(half.isQuick === true ? [1] : [1, 2, count])) {
        if (at > count) continue;
        const run = await once(half, program, { routine, at });
        runs++;
        failed.add(routine);
        const complaint = judge(half, name, routine, run);
        if (complaint !== undefined) wrong.push(`${name}: ${routine}, call ${at}: ${complaint}`);
      }
      if (half.isQuick === true) continue;
      const retry: Retry = { fired: false, called: undefined };
      const run = await once(half, program, { routine, at: 1, retry });
      runs++;
      const complaint = judgeAgain(half, routine, run, retry);
      if (complaint !== undefined) wrong.push(`${name}: ${routine}, and again: ${complaint}`);
    }
  }
  return { wrong, failed, runs };
}

/** The share of a table that was made to fail, and the names of the rest with the reasons. */
export function coverage(title: string, table: Table, failed: ReadonlySet<string>, reasons: Reasons = {}): string {
  const names = [...entriesOf(table)].map(([name]) => name);
  const share = names.filter((name) => failed.has(name)).length;
  const percent = Math.round((100 * share) / names.length);
  const rest = Object.entries(reasons).map(([reason, missed]) => `${missed.join(', ')} (${reason})`);
  const tail = rest.length > 0 ? `; not reached: ${rest.join('; ')}` : '';
  return `Faults: ${title}: ${share} of ${names.length} functions (${percent} %) were made to fail${tail}\n`;
}

/** What was not made to fail without a reason, and what was in spite of one. */
export function unexplained(table: Table, failed: ReadonlySet<string>, reasons: Reasons): readonly string[] {
  const explained = new Set(Object.values(reasons).flat());
  return [...entriesOf(table)].map(([name]) => name).filter((name) => failed.has(name) === explained.has(name));
}

const MAX_TURNS = 20;

interface Run {
  readonly counts: ReadonlyMap<string, number>;
  readonly error: unknown;
  readonly warnings: readonly string[];
  /** What is there after the program and was not before. */
  readonly left: string | undefined;
  readonly fired: boolean;
}

async function once(
  half: Half,
  program: Program,
  fault?: { readonly routine: string; readonly at: number; readonly retry?: Retry },
): Promise<Run> {
  const counts = new Map<string, number>();
  let listening = false;
  let fired = false;
  const ground = half.begin((routine, args, next) => {
    if (!listening) return next();
    const count = (counts.get(routine) ?? 0) + 1;
    counts.set(routine, count);
    if (routine !== fault?.routine || count !== fault.at) return next();
    fired = true;
    if (fault.retry) fault.retry.fired = true;
    return half.fail(routine, args);
  });
  const heard = hearWarnings();
  let error: unknown;
  try {
    const before = ground.state();
    listening = true;
    useRetry(fault?.retry);
    try {
      await program();
    } catch (thrown) {
      error = thrown;
      // Until it is made into text, a stack holds what its calls had.
      if (thrown instanceof Error) read(thrown.stack);
    }
    listening = false;
    useRetry(undefined);
    let after = ground.state();
    // What was dropped half made is the collector's, to which the engine may hold it for some turns yet.
    const turns = fault && half.destroys.test(fault.routine) ? 1 : MAX_TURNS;
    for (let turn = 0; after !== before && turn < turns; turn++) {
      reclaim();
      after = ground.state();
      if (after !== before) await setImmediate();
    }
    return { counts, error, warnings: heard.texts, left: before === after ? undefined : `${before} → ${after}`, fired };
  } finally {
    listening = false;
    ground.end();
    heard.stop();
  }
}

function judge(
  half: Half,
  program: string,
  routine: string,
  { error, warnings, left, fired }: Run,
): string | undefined {
  const isAnswer = routine in half.answers || `${program}: ${routine}` in half.answers;
  // What is polled is not called as often each time.
  if (!fired) return isAnswer ? undefined : 'was not called again: the program is not the same twice';
  const destroys = half.destroys.test(routine);
  const told = names(error, routine) || (error instanceof Error && half.tells?.test(error.message) === true);
  if (error !== undefined && !told) return `the error does not name it: ${textOf(error)}`;
  const silent = error === undefined && !warnings.some((text) => text.includes(routine));
  if (silent && !isAnswer && half.forgiving?.test(program) !== true) return 'nobody heard of it';
  if (left !== undefined && !destroys) return `left: ${left}`;
  return undefined;
}

function judgeAgain(half: Half, routine: string, { error, left }: Run, { called }: Retry): string | undefined {
  // Nothing was thrown, or only at the end.
  if (called === undefined || called in (half.once ?? {})) return undefined;
  if (error !== undefined) return `${called}: ${textOf(error)}`;
  return left === undefined || half.destroys.test(routine) ? undefined : `${called} left: ${left}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? String(error) : JSON.stringify(error);
}

function names(error: unknown, key: string): boolean {
  // A key may have a version behind the function's name.
  const routine = key.replace(/_v0\d+$/, '');
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.message.includes(routine) || (at instanceof GpuError && at.routine.includes(routine))) return true;
    if (at instanceof SuppressedErrorLike) return names(at.error, routine) || names(at.suppressed, routine);
  }
  return false;
}

/** What `using` throws where closing fails after a failure. */
const SuppressedErrorLike = ((globalThis as { SuppressedError?: unknown }).SuppressedError ??
  class extends Error {}) as new () => Error & { readonly error: unknown; readonly suppressed: unknown };

function hearWarnings(): { readonly texts: string[]; readonly stop: () => void } {
  const texts: string[] = [];
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error) => void texts.push(String(warning));
  return {
    texts,
    stop: () => {
      process.emitWarning = emitWarning;
    },
  };
}
