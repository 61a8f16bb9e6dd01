import { ClosedError, GpuError } from '../../src/core/errors.ts';
import { reclaim } from '../../src/core/handle.ts';
import type { Around, Ground, Program } from './faults.ts';
import type { Look } from './null-arguments.ts';
import { useChange } from './retrying.ts';

/** A half whose calls are made with arguments missing. */
export interface Walk {
  /** What it exports. */
  readonly entry: object;
  /** Names of the entry that are not calls of their own. */
  readonly others?: object;
  /** Put a driver under the half; every call goes through `around`. */
  readonly begin: (around: Around) => Ground;
  readonly look: Look;
  readonly programs: Readonly<Record<string, Program>>;
  /** Whether arguments are only left out, and not null as well. */
  readonly isQuick?: boolean;
}

/** What came out: what is wrong, how many calls were changed, and what takes arguments and was never called. */
export interface Walked {
  readonly wrong: readonly string[];
  readonly count: number;
  readonly missed: readonly string[];
}

const ENGINE =
  /Cannot (?:read|set|convert|mix|destructure)|is not (?:a function|iterable|a constructor)|private member|Invalid (?:array|typed)/;
/** Stops a program behind the call that was changed. */
class Stop extends Error {}

/** The number and the name of a call in its program. */
interface Place {
  readonly at: number;
  readonly name: string;
}

interface Made {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Gives other arguments in the place of those of a program. */
type Given = (args: readonly unknown[]) => readonly unknown[];

/** Make every call of the programs with each argument undefined, null, and left out with those behind it. */
export async function walkMissing(walk: Walk): Promise<Walked> {
  const wrong: string[] = [];
  const seen = new Set<string>();
  const shapes = new Set<string>();
  let count = 0;
  for (const [title, program] of Object.entries(walk.programs)) {
    const made = await callsOf(walk, program);
    wrong.push(...made.wrong.map((text) => `${title}: ${text}`));
    for (const [at, { name, args }] of made.calls.entries()) {
      seen.add(name);
      const shape = `${name}(${args.map(brief).join()})`;
      if (shapes.has(shape)) continue;
      shapes.add(shape);
      for (const [how, other] of Object.entries(changesOf(args.length, walk.isQuick === true))) {
        count++;
        for (const text of await changed(walk, program, { at, name }, other)) {
          wrong.push(`${title}: ${name}, ${how}: ${text}`);
        }
      }
    }
  }
  // What is left unclosed warns here, and not in a later test.
  reclaim();
  return { wrong, count, missed: takers(walk).filter((name) => !seen.has(name)) };
}

/** Run a program, with what reaches the driver looked at. Returns what was wrong. */
export async function watch({ begin, look }: Pick<Walk, 'begin' | 'look'>, program: Program): Promise<string[]> {
  const wrong: string[] = [];
  const ground = begin((routine, args, next) => {
    const complaint = look(routine, args);
    if (complaint !== undefined) wrong.push(complaint);
    return next();
  });
  try {
    await program();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  } finally {
    useChange(undefined);
    ground.end();
  }
  return wrong;
}

/** The calls of a program, as it makes them. */
async function callsOf(walk: Walk, program: Program): Promise<{ readonly calls: Made[]; readonly wrong: string[] }> {
  const calls: Made[] = [];
  // Objects of no exported class are known by their calls from the first run on.
  await watch(walk, program);
  const wrong = await watch(walk, () => {
    useChange((name, args, call) => {
      calls.push({ name, args });
      return call(args);
    });
    return program();
  });
  return { calls, wrong };
}

/** Each argument of a call as undefined and as null, and the call without it and what follows. */
function changesOf(count: number, isQuick: boolean): Record<string, Given> {
  const changes: Record<string, Given> = {};
  for (let i = 0; i < count; i++) {
    changes[`argument ${i} undefined`] = (args) => args.with(i, undefined);
    if (isQuick) continue;
    changes[`argument ${i} null`] = (args) => args.with(i, null);
    changes[`${i} arguments`] = (args) => args.slice(0, i);
  }
  return changes;
}

/** Make one call of a program with other arguments. Returns what was wrong. */
async function changed(walk: Walk, program: Program, { at, name }: Place, other: Given): Promise<string[]> {
  let count = 0;
  const words: string[] = [];
  const complain = (error: unknown): void => {
    const text = complaintOf(error);
    if (text !== undefined) words.push(text);
  };
  const later: Promise<void>[] = [];
  const wrong = await watch(walk, async () => {
    useChange((called, given, call) => {
      if (count++ !== at) return call(given);
      if (called !== name) throw new Error(`expected ${name}, got ${called}`);
      let result: unknown;
      try {
        result = call(other(given));
      } catch (error) {
        complain(error);
      }
      useChange(undefined);
      if (result instanceof Promise) later.push(result.then(close, complain));
      else close(result);
      throw new Stop();
    });
    try {
      await program();
    } finally {
      await Promise.all(later);
    }
  });
  return [...wrong, ...words];
}

function complaintOf(error: unknown): string | undefined {
  const { name, message } = error as Error;
  const ours =
    error instanceof GpuError ||
    error instanceof ClosedError ||
    ['TypeError', 'RangeError', 'SyntaxError'].includes(name);
  return ours && !ENGINE.test(message) ? undefined : `${name}: ${message}`;
}

function close(value: unknown): void {
  if (typeof value === 'object' && value !== null && Symbol.dispose in value) (value as Disposable)[Symbol.dispose]();
}

/** Every exported function, and every method and setter of the exported classes that takes something. */
function takers({ entry, others = {} }: Walk): string[] {
  const found = new Set<string>();
  const members = (title: string, at: object): void => {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (['constructor', 'length', 'name', 'prototype'].includes(key)) continue;
      const value: unknown = property.value;
      if (property.set || (typeof value === 'function' && value.length > 0)) found.add(`${title}.${key}`);
    }
  };
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value !== 'function' || name in others || /Error$/.test(name)) continue;
    if (!/^class\b/.test(Function.prototype.toString.call(value))) {
      if ((value as () => void).length > 0) found.add(name);
      continue;
    }
    for (
      let at: unknown = value;
      typeof at === 'function' && at !== Function.prototype;
      at = Object.getPrototypeOf(at)
    ) {
      members(at.name, at);
      if (at.prototype) members(at.name, at.prototype as object);
    }
  }
  return [...found].sort();
}

function brief(value: unknown): string {
  if (typeof value === 'object' && value !== null) return value.constructor.name;
  return typeof value === 'symbol' || typeof value === 'function' ? typeof value : String(value);
}
