import type { ReportKind } from '../../../src/core/kernel-report.ts';
import { Conflicts } from './conflicts.ts';
import type { Language } from './emit.ts';
import { evaluate, holds, update, type Scope } from './evaluate.ts';
import {
  BYTES,
  kept,
  threadsOf,
  WARP,
  type ArrayOf,
  type Expression,
  type Mutation,
  type Program,
  type Statement,
} from './program.ts';

/** Bytes behind an allocation that belong to no other. */
const GAP = 256;

/** What a kernel does, as its text says. */
export interface Outcome {
  /** Global memory after the launch; it means something where the kernel is right. */
  readonly memory: Readonly<Record<string, readonly (number | undefined)[]>>;
  /** Reports of which at least one must come, each with a reason. */
  readonly must: ReadonlyMap<ReportKind, string>;
  /** Why reports may come, and need not. */
  readonly may: ReadonlySet<string>;
}

/** Run a kernel in order, and note what it does wrong. */
export function run(program: Program, language: Language, mutation?: Mutation): Outcome {
  return new Model(program, language, mutation).run();
}

interface Waiting {
  readonly at: number;
  readonly inWarp: boolean;
}

class Thread implements Scope {
  readonly thread: number;
  readonly block: number;
  readonly threads: number;
  readonly variables = new Map<string, number>();
  readonly #model: Model;
  steps: Generator<Waiting, boolean> | undefined;
  waits: Waiting | undefined;
  /** It has written to memory since it last met others. */
  wrote = false;
  warpEpoch = 0;

  constructor(model: Model, thread: number, block: number, threads: number) {
    this.#model = model;
    this.thread = thread;
    this.block = block;
    this.threads = threads;
  }

  variable(name: string): number {
    const value = this.variables.get(name);
    if (value === undefined) throw new Error(`the generator has made a variable ${name} without a value`);
    return value;
  }

  load({ array }: Expression & { readonly is: 'load' }, index: number): number {
    return this.#model.access(this, array, index, 'read') ?? 0;
  }
}

class Model {
  readonly #program: Program;
  readonly #language: Language;
  readonly #mutation: Mutation | undefined;
  readonly #memory = new Map<string, (number | undefined)[]>();
  readonly #must = new Map<ReportKind, string>();
  readonly #may = new Set<string>();
  readonly #conflicts: Conflicts;

  constructor(program: Program, language: Language, mutation: Mutation | undefined) {
    this.#program = program;
    this.#language = language;
    this.#mutation = mutation;
    this.#conflicts = new Conflicts(this.#must, this.#may);
  }

  run(): Outcome {
    const { arrays, contents, grid } = this.#program;
    for (const { name, length } of arrays) this.#memory.set(name, [...(contents[name] ?? emptyOf(length))]);
    for (let block = 0; block < grid; block++) this.#runBlock(block);
    this.#conflicts.betweenBlocks();
    const global = arrays.filter(({ space }) => space !== 'shared');
    const memory = Object.fromEntries(global.map(({ name }) => [name, this.#memory.get(name) ?? []]));
    return { memory, must: this.#must, may: this.#may };
  }

  #runBlock(block: number): void {
    const { arrays, body } = this.#program;
    const count = threadsOf(this.#program);
    for (const one of arrays) if (one.space === 'shared') this.#memory.set(one.name, emptyOf(one.length));
    const threads = Array.from({ length: count }, (_, i) => new Thread(this, i, block, count));
    for (const thread of threads) thread.steps = this.#steps(body, thread);
    for (let live = threads; live.length > 0;) {
      for (const thread of live) {
        if (thread.waits) continue;
        const next = thread.steps?.next();
        if (next?.done === false) thread.waits = next.value;
        else thread.steps = undefined;
      }
      live = threads.filter(({ steps }) => steps);
      if (live.length > 0 && !this.#meet(threads, live)) break;
    }
    this.#conflicts.endBlock();
  }

  /** Let those go on who wait for nobody else. False where they wait for ever. */
  #meet(threads: readonly Thread[], live: readonly Thread[]): boolean {
    let went = false;
    for (let first = 0; first < threads.length; first += WARP) {
      const warp = live.filter(({ thread }) => thread >= first && thread < first + WARP);
      if (warp.length === 0 || !warp.every(({ waits }) => waits?.inWarp === true)) continue;
      if (new Set(warp.map(({ waits }) => waits?.at)).size > 1) this.#may.add('warp barriers that differ');
      for (const thread of warp) {
        thread.waits = undefined;
        thread.warpEpoch++;
        thread.wrote = false;
      }
      went = true;
    }
    if (went) return true;
    if (!live.every(({ waits }) => waits?.inWarp === false))
      return this.#wrong('some wait for their warp, some for the block');
    if (new Set(live.map(({ waits }) => waits?.at)).size > 1) return this.#wrong('threads wait at different barriers');
    const gone = threads.filter((thread) => !live.includes(thread));
    if (this.#language === 'opencl' && gone.length > 0) return this.#wrong('some have ended');
    if (gone.some(({ wrote }) => wrote)) return this.#wrong('some have written and ended');
    for (const thread of live) {
      thread.waits = undefined;
      thread.wrote = false;
    }
    this.#conflicts.barrier();
    return true;
  }

  #wrong(why: string): false {
    this.#must.set('divergent-barrier', why);
    this.#must.set('warp-deadlock', why);
    return false;
  }

  *#steps(body: readonly Statement[], thread: Thread): Generator<Waiting, boolean> {
    for (const statement of body) if (!(yield* this.#step(statement, thread))) return false;
    return true;
  }

  /** False where the thread ends. */
  *#step(statement: Statement, thread: Thread): Generator<Waiting, boolean> {
    const taken = 'id' in statement && this.#mutation?.id === statement.id ? this.#mutation : undefined;
    switch (statement.is) {
      case 'declare':
      case 'set':
        thread.variables.set(statement.name, evaluate(statement.value, thread));
        return true;
      case 'store': {
        const { array, known } = statement;
        const [index, value] = [
          evaluate(statement.index, thread),
          kept(array.element, evaluate(statement.value, thread)),
        ];
        this.access(thread, array, index, 'write', value, known);
        return true;
      }
      case 'atomic': {
        const { array, operation } = statement;
        const [index, value] = [evaluate(statement.index, thread), evaluate(statement.value, thread)];
        if (taken?.take === 'atomic') {
          const old = this.access(thread, array, index, 'read') ?? 0;
          this.access(thread, array, index, 'write', update(operation, old, value));
        } else this.access(thread, array, index, 'atomic', (old) => update(operation, old, value));
        return true;
      }
      case 'if':
        if (taken?.take !== 'guard' && !holds(statement.when, thread)) return true;
        return yield* this.#steps(statement.then, thread);
      case 'leave':
        return taken?.take === 'guard' || !holds(statement.when, thread);
      case 'loop': {
        for (let i = 0; i < evaluate(statement.count, thread); i++) {
          thread.variables.set(statement.name, i);
          if (!(yield* this.#steps(statement.body, thread))) return false;
        }
        return true;
      }
      case 'rounds':
        for (let i = 0; i < statement.count; i++) {
          thread.variables.set(statement.name, i);
          if (!(yield* this.#steps(statement.body, thread))) return false;
        }
        return true;
      case 'halves':
        for (let i = statement.from; i > 0; i = Math.floor(i / 2)) {
          thread.variables.set(statement.name, i);
          if (!(yield* this.#steps(statement.body, thread))) return false;
        }
        return true;
      case 'barrier':
      case 'warp-barrier': {
        const past = taken?.take === 'part-of-barrier' && thread.thread >= taken.below;
        if (taken?.take !== 'barrier' && !past) yield { at: statement.id, inWarp: statement.is === 'warp-barrier' };
        return true;
      }
      case 'fence':
        this.#conflicts.fenced = true;
        return true;
    }
  }

  /** Read, write or change an element; what was there. */
  access(
    thread: Thread,
    array: ArrayOf,
    index: number,
    kind: 'read' | 'write' | 'atomic',
    value: number | ((old: number) => number) = 0,
    known = false,
  ): number | undefined {
    if (kind !== 'read') thread.wrote = true;
    if (index >= array.length) {
      const near = (index - array.length) * BYTES[array.element] < GAP;
      if (array.space === 'shared' || near)
        this.#must.set('out-of-bounds', `${array.name}[${index}] of ${array.length}`);
      else this.#may.add(`far out of bounds of ${array.name}`);
      return undefined;
    }
    const memory = this.#memory.get(array.name) ?? [];
    const old = memory[index];
    if (old === undefined && kind !== 'write') {
      if (array.space === 'shared') this.#may.add(`${array.name}[${index}] has no value`);
      else this.#must.set('uninitialised-read', `${array.name}[${index}]`);
    }
    this.#conflicts.note(array, index, {
      ...{ thread: thread.thread, block: thread.block, warpEpoch: thread.warpEpoch, kind },
      value: kind === 'write' && known ? Number(value) : undefined,
    });
    if (kind !== 'read') memory[index] = typeof value === 'number' ? value : value(old ?? 0);
    return old;
  }
}

function emptyOf(length: number): undefined[] {
  return Array.from({ length }, () => undefined);
}
