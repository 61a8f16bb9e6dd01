import { blameOf, describeError } from './classify.ts';
import { changesMachine, isExcluded, SLOW } from './exclude.ts';
import { Generator } from './generate.ts';
import { GROUND, type Entry } from './ground.ts';
import { type Job } from './job.ts';
import { follow, keyOf, Materializer, Mine } from './materialize.ts';
import { type Model } from './model.ts';
import { Random } from './random.ts';
import { type Call, type Spec } from './spec.ts';
import { classOf, exportTargets, memberTargets, type Target } from './surface.ts';
import { asksTooMuch } from './work.ts';

const MAX_OBJECTS = 150;
const TURNS = 6;
/** How often a name was called in this process. */
const counts = new Map<string, number>();
/** Milliseconds in the calls of a name. */
export const times: Map<string, number> = new Map();
const members = new Map<string, readonly Target[]>();
let exported: readonly Target[] | undefined;
let declared: ReadonlySet<string> | undefined;

/** What may be called while a command waits for an event that the program sets: none of it waits for commands. */
const PATIENT =
  /UserEvent|[mM]arker|[bB]arrier|reached|done|[fF]lush|setStatus|setCallback|retain|^[\w.]*(?:Event|Platform|Device)\.prototype\.(?:get|close|release)/;

/** One sequence of calls over objects of its own. */
export class Sequence {
  readonly #job: Job;
  readonly #number: number;
  readonly #entry: Entry;
  readonly #random: Random;
  readonly #generator: Generator;
  readonly #materializer: Materializer;
  readonly #tell: (line: string) => void;
  readonly #flush: () => void;
  readonly #results = new Map<number, unknown>();
  readonly #byClass = new Map<string, Spec[]>();
  readonly #objects: { spec: Spec; className: string }[] = [];
  /** Events that the program sets and has not. */
  #open: { readonly id: number; readonly value: object }[] = [];
  #next = 1;

  constructor(job: Job, entry: Entry, model: Model, number: number, tell: (line: string) => void, flush: () => void) {
    this.#job = job;
    this.#number = number;
    this.#entry = entry;
    this.#random = new Random(Math.imul(job.seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
    this.#tell = tell;
    this.#flush = flush;
    this.#generator = new Generator(this.#random, model, (className) => this.#pick(className), job.realGpu);
    this.#materializer = new Materializer(
      (call) => this.#results.get(call),
      (path) => follow(entry, path.split('.')),
    );
    declared ??= new Set([...Object.keys(model.calls), ...Object.keys(model.values)]);
    if (!exported) {
      exported = exportTargets(entry).filter(({ name }) => !this.#excluded(name));
      for (const { op, name } of exported) tell(`T ${op} ${name}`);
    }
  }

  /** Make that many calls, then close what is there; how many there were. */
  async run(count: number): Promise<number> {
    this.#prepare();
    let made = 0;
    for (; made < count; made++) {
      const call = this.#choose();
      if (!PATIENT.test(call.name) || this.#random.chance(0.1)) this.#settle();
      await this.#make(call);
    }
    this.#settle();
    made += await this.#end();
    return made;
  }

  /** Make calls that another sequence made; the objects are closed at its end in that one only if that is among them. */
  async replay(calls: readonly Call[]): Promise<void> {
    this.#prepare();
    for (const call of calls) {
      if (!PATIENT.test(call.name)) this.#settle();
      await this.#make(call);
    }
    this.#settle();
    this.#judge();
  }

  #prepare(): void {
    for (const [index, make] of GROUND[this.#job.half](this.#entry as never).entries()) {
      try {
        this.#keep(-1 - index, make(), 'ground');
      } catch (error) {
        this.#tell(`P ${index} ${String(error).split('\n', 1)[0]}`);
      }
    }
  }

  #choose(): Call {
    const random = this.#random;
    let best: { target: Target; on: Spec } | undefined;
    for (let tries = 0, found = 0; found < 3 && tries < 50; tries++) {
      const candidate = this.#candidate();
      if (!candidate || (SLOW.test(candidate.target.name) && !random.chance(0.02))) continue;
      found++;
      if (!best || count(candidate.target) < count(best.target)) best = candidate;
    }
    if (!best) throw new Error('there is nothing to call');
    const { target, on } = best;
    counts.set(idOf(target), count(target) + 1);
    const { op, key, name, arity } = target;
    const args = op === 'get' ? [] : op === 'set' ? [this.#generator.value(name)] : this.#generator.args(name, arity);
    return {
      sequence: this.#number,
      id: this.#next++,
      op,
      on,
      key,
      name,
      args: args.map((arg) => borrowed(name, arg)),
    };
  }

  #candidate(): { target: Target; on: Spec } | undefined {
    const random = this.#random;
    if (this.#objects.length === 0 || random.chance(0.35)) {
      const target = random.pick(exported ?? []);
      const path = (target.owner as { export: string }).export;
      return { target, on: { t: 'export', path } };
    }
    const { spec, className } = random.pick(this.#objects);
    const list = members.get(className);
    if (!list || list.length === 0) return undefined;
    return { target: random.pick(list), on: spec };
  }

  async #make(call: Call): Promise<void> {
    this.#tell(`C ${JSON.stringify(call)}`);
    let outcome = 'r';
    const start = performance.now();
    try {
      const on = this.#materializer.make(call.on);
      const args = call.args.map((arg) => this.#materializer.make(arg));
      this.#flush();
      if (this.#job.realGpu && asksTooMuch(args)) throw new Mine('more work than a GPU that others use should get');
      const result = perform(call, on, args);
      if (isPromise(result)) {
        await this.#await(call, result);
        outcome = 'p';
      } else this.#keep(call.id, result, call.name);
    } catch (error) {
      outcome = verdict(error);
    }
    this.#tell(`R ${outcome}`);
    times.set(call.name, (times.get(call.name) ?? 0) + performance.now() - start);
    if (this.#random.chance(0.2)) await turn();
  }

  /** Wait for a promise, but not for ever: it may be one that nobody keeps. */
  async #await(call: Call, promise: PromiseLike<unknown>): Promise<void> {
    let settled = false;
    promise.then(
      (value) => {
        settled = true;
        this.#keep(call.id, value, call.name);
      },
      (error: unknown) => {
        settled = true;
        this.#tell(`A ${call.id} ${verdict(error)}`);
      },
    );
    await soon(TURNS, () => settled);
  }

  /** End the events that commands may wait for. */
  #settle(): void {
    for (const { id, value } of this.#open) {
      this.#tell(`D ${id}`);
      this.#flush();
      try {
        const cl = this.#entry['default'] as { setUserEventStatus?(event: unknown, status: number): void } | undefined;
        if (this.#job.half === 'node-opencl') cl?.setUserEventStatus?.(value, 0);
        else (value as { setStatus(status: number): void }).setStatus(0);
      } catch {
        // It was set or closed by a call.
      }
    }
    this.#open = [];
  }

  /** Wait for what runs, close what is open, and look whether an array was overrun. */
  async #end(): Promise<number> {
    let made = 0;
    for (const key of ['synchronize', 'finish', 'close', 'release']) {
      for (const { spec, className } of [...this.#objects].reverse()) {
        const target = members.get(className)?.find((member) => member.key === key && member.op === 'call');
        if (!target || this.#excluded(target.name)) continue;
        made++;
        const id = this.#next++;
        await this.#make({ sequence: this.#number, id, op: 'call', on: spec, key, name: target.name, args: [] });
      }
    }
    this.#judge();
    return made;
  }

  #judge(): void {
    if (this.#materializer.overrun()) this.#tell('G');
    this.#flush();
  }

  #keep(id: number, value: unknown, name: string): void {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    this.#results.set(id, value);
    this.#index(value, id, []);
    if (/UserEvent|^ground/.test(`${name} ${classOf(value) ?? ''}`) && /Event/.test(classOf(value) ?? '')) {
      if (!this.#open.some((open) => open.value === value)) this.#open.push({ id, value });
    }
    if (ArrayBuffer.isView(value)) return;
    for (const [key, inner] of childrenOf(value)) this.#index(inner, id, [key]);
  }

  #index(value: unknown, call: number, path: readonly string[]): void {
    const className = classOf(value);
    if (className === undefined || (typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (this.#objects.length > MAX_OBJECTS) return;
    if (this.#job.realGpu && changesMachine(value)) return;
    const spec: Spec = { t: 'ref', call, path };
    if (!members.has(className)) {
      const list = memberTargets(value).filter(({ name }) => !this.#excluded(name));
      members.set(className, list);
      for (const { op, name } of list) this.#tell(`T ${op} ${name}`);
    }
    this.#objects.push({ spec, className });
    for (const name of namesOf(value)) {
      const list = this.#byClass.get(name);
      if (list) list.push(spec);
      else this.#byClass.set(name, [spec]);
    }
  }

  #pick(className: string | undefined): Spec | undefined {
    const list = className === undefined ? this.#objects.map(({ spec }) => spec) : this.#byClass.get(className);
    return list && list.length > 0 ? this.#random.pick(list) : undefined;
  }

  #excluded(name: string): boolean {
    if (!this.#job.internals && !/#new$/.test(name) && !declared?.has(name)) return true;
    if (/#new$/.test(name) && isError(follow(this.#entry, name.slice(0, -4).split('.')))) return true;
    return isExcluded(name, this.#job.half, this.#job.device, this.#job.realGpu);
  }
}

function perform(call: Call, on: unknown, args: readonly unknown[]): unknown {
  if (call.key === undefined) {
    const made = on as (new (...args: unknown[]) => unknown) & ((...args: unknown[]) => unknown);
    return call.op === 'new' ? new made(...args) : made(...args);
  }
  const key = keyOf(call.key);
  const holder = on as Record<string | symbol, unknown>;
  if (call.op === 'get') return holder[key];
  if (call.op === 'set') return void (holder[key] = args[0]);
  return (holder[key] as (...args: unknown[]) => unknown)(...args);
}

function verdict(error: unknown): string {
  const blame = blameOf(error);
  if (blame !== 'foreign') return blame === 'ours' ? 'o' : 'm';
  return `f ${describeError(error)}`;
}

/** Errors are made by the package alone, and their constructors do not look at what they are given. */
function isError(value: unknown): boolean {
  return typeof value === 'function' && value.prototype instanceof Error;
}

/** A raw value that the driver never gave is not to be freed by it: the warning at its close would be true. */
function borrowed(name: string, arg: Spec): Spec {
  if (!/fromHandle$/.test(name) || arg.t !== 'object') return arg;
  const props = Object.entries(arg.props).filter(([key]) => key !== 'own');
  return { ...arg, props: Object.fromEntries(props) };
}

const idOf = ({ op, name }: Target): string => `${op} ${name}`;
const count = (target: Target): number => counts.get(idOf(target)) ?? 0;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function soon(most: number, done: () => boolean): Promise<void> {
  for (let i = 0; i < most && !done(); i++) await turn();
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise;
}

function childrenOf(value: object): [string, unknown][] {
  try {
    if (Array.isArray(value)) return Array.from(value.slice(0, 3), (item, index) => [String(index), item as unknown]);
    return classOf(value) === undefined ? Object.entries(value).slice(0, 8) : [];
  } catch {
    return [];
  }
}

function namesOf(value: object): string[] {
  const names: string[] = [];
  for (let proto = value as object | null, level = 0; proto && level < 8; level++) {
    proto = Object.getPrototypeOf(proto) as object | null;
    const name = (proto as { constructor?: { name?: string } } | null)?.constructor?.name?.replace(/\$\d+$/, '');
    if (name && name !== 'Object' && name !== 'Function' && !names.includes(name)) names.push(name);
  }
  return names;
}
