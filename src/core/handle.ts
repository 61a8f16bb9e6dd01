import { exact } from './instance.ts';
import { runInNewContext } from 'node:vm';
import { v8 } from './runtime-process.ts';
import { traceLeaks } from './trace.ts';
import { warn } from './errors.ts';

/** Any handle, for code that only retains and releases it. */
export interface AnyHandle {
  retain(): unknown;
  release(): void;
}

/**
 * The owning record of one native object: its raw value, its parents, and how to destroy it. Code that needs the object
 * alive retains the record; the native object goes with the last release, and its parents are released after it, in
 * any order in which the collector or the user releases the wrappers.
 */
export class Handle<T> {
  readonly value: T;
  readonly kind: string;
  readonly #parents: readonly AnyHandle[];
  /** Whether there is something to destroy; a borrowed object is only forgotten. */
  readonly owns: boolean;
  readonly #tally: Tally;
  #destroy: ((value: T) => void) | undefined;
  #count = 1;

  constructor(kind: string, value: T, destroy: ((value: T) => void) | undefined, parents: readonly AnyHandle[] = []) {
    this.kind = kind;
    this.value = value;
    this.owns = destroy !== undefined;
    this.#destroy = destroy;
    this.#parents = parents;
    for (const parent of parents) parent.retain();
    this.#tally = tallyOf(kind);
    this.#tally.count++;
  }

  /** Whether the native object still exists. */
  get alive(): boolean {
    return this.#count > 0;
  }

  static isMade(value: object): boolean {
    return #count in value;
  }

  /** What `instanceof` says, without its walk along the prototypes. */
  static isRecord(value: unknown): value is Handle<unknown> {
    return typeof value === 'object' && value !== null && #count in value;
  }

  /** Whether a value of any kind has a record as its own `handle`: a getter of a user's object is not called. */
  static isOwnOf(value: object | null): boolean {
    return value !== null && Object.getOwnPropertyDescriptor(value, 'handle')?.value instanceof Handle;
  }

  retain(): this {
    if (this.#count === 0) throw new Error(`A destroyed ${this.kind} was retained`);
    this.#count++;
    return this;
  }

  /** Release one reference. The last release destroys; an error of the driver is thrown to the caller. */
  release(): void {
    if (this.#count === 0 || --this.#count > 0) return;
    this.#tally.count--;
    const destroy = this.#destroy;
    this.#destroy = undefined;
    try {
      destroy?.(this.value);
    } finally {
      for (const parent of this.#parents) parent.release();
    }
  }
}
exact(Handle, (value) => Handle.isMade(value));

/** How many records of a kind there are. */
interface Tally {
  count: number;
}

const live = new Map<string, Tally>();

function tallyOf(kind: string): Tally {
  let tally = live.get(kind);
  if (tally === undefined) {
    tally = { count: 0 };
    live.set(kind, tally);
  }
  return tally;
}

/** How many native objects of each kind this process owns. The leak tests compare it. */
export function liveObjects(): Record<string, number> {
  return Object.fromEntries([...live].flatMap(([kind, { count }]) => (count > 0 ? [[kind, count]] : [])));
}

/** What ties a wrapper's end to the release of a handle. */
export interface Claim {
  readonly handle: AnyHandle & { readonly kind: string };
  /** Until the claim is registered: what is closed by then never is. */
  owner: object | undefined;
  weak: WeakRef<object> | undefined;
  readonly stack: string | undefined;
  readonly quiet: boolean;
}

/** How many wrappers may wait for the end of the job. */
const MAX_YOUNG = 256;

const young: Claim[] = [];
/** Whether the end of the job is waited for. */
let isAwaited = false;
const claims = new Set<Claim>();
const registry = new FinalizationRegistry<Claim>((claim) => {
  abandon(claim);
});
const warned = new Set<string>();

/**
 * Give one reference of a handle to a wrapper: if the collector takes the wrapper first, the reference goes too.
 * That is a leak, and reported once for each kind; `quiet` is for wrappers that need no close.
 */
export function claim(owner: object, handle: AnyHandle & { readonly kind: string }, quiet = false): () => void {
  const record = claimFor(owner, handle, quiet);
  return () => {
    disown(record);
  };
}

/** {@link claim}, for objects of which thousands are made: {@link disown} ends it. */
export function claimFor(owner: object, handle: AnyHandle & { readonly kind: string }, quiet: boolean): Claim {
  const stack = traceLeaks && !quiet ? new Error('made here').stack : undefined;
  const record: Claim = { handle, owner, weak: undefined, stack, quiet };
  // Most wrappers are closed in the job that made them, and what ties one to the collector costs more than the rest of it.
  if (young.length === MAX_YOUNG) registerYoung();
  young.push(record);
  if (!isAwaited) {
    isAwaited = true;
    queueMicrotask(registerYoung);
  }
  return record;
}

/** End a claim: the wrapper was closed. */
export function disown(record: Claim): void {
  if (record.owner) {
    record.owner = undefined;
    // Made, used and closed: nothing of it is left for the end of the job.
    if (young.at(-1) === record) young.pop();
  } else if (claims.delete(record)) registry.unregister(record);
}

function registerYoung(): void {
  isAwaited = false;
  for (const record of young) {
    const { owner } = record;
    if (!owner) continue;
    record.owner = undefined;
    record.weak = new WeakRef(owner);
    claims.add(record);
    registry.register(owner, record, record);
  }
  young.length = 0;
}

function abandon(claim: Claim): void {
  if (!claims.delete(claim)) return;
  const { kind } = claim.handle;
  if (!claim.quiet && (!warned.has(kind) || claim.stack !== undefined)) {
    warned.add(kind);
    const where = claim.stack ?? 'RAWKERNEL_TRACE=leaks tells where it was made';
    warn(
      `${/^[AEIO]/.test(kind) ? 'An' : 'A'} ${kind} was collected without close(); close it, or declare it with \`using\`\n${where}`,
      'RAWKERNEL_LEAK',
    );
  }
  try {
    claim.handle.release();
  } catch (error) {
    warn(`Clean-up of a collected ${kind} failed: ${String(error)}`, 'RAWKERNEL_CLEANUP');
  }
}

/**
 * Collect garbage now and destroy what dropped wrappers still own. An allocation that failed calls this once before it
 * tries again; it takes milliseconds. Returns how many objects it released.
 */
export function reclaim(): number {
  registerYoung();
  collect();
  let count = 0;
  for (const record of claims) {
    if (record.weak?.deref() !== undefined) continue;
    registry.unregister(record);
    abandon(record);
    count++;
  }
  return count;
}

let collect = (): void => {
  v8().setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  collect = () => {
    // A WeakRef keeps its target until the job ends; a checkpoint of a context of its own ends that.
    runInNewContext('0', {}, { microtaskMode: 'afterEvaluate' });
    gc();
  };
  collect();
};
