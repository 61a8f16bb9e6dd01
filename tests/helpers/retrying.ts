/** A fault that was injected, and what came of the same call without it. */
export interface Retry {
  /** Whether the fault was injected. */
  fired: boolean;
  /** The call that was made a second time. */
  called: string | undefined;
}

type Callable = (...args: unknown[]) => unknown;

/** Makes a call of a program in another way. */
export type Change = (name: string, args: readonly unknown[], call: (args: readonly unknown[]) => unknown) => unknown;

/** Destroyers warn where others throw: they are not called again. */
const DESTROYERS = new Set<PropertyKey>(['close', Symbol.dispose, Symbol.asyncDispose]);
/** Called by timers, too. */
const UNCOUNTED = new Set(['Event.settle', 'UserEvent.settle']);
const seen = new WeakSet<object>();
let retry: Retry | undefined;
let change: Change | undefined;
let depth = 0;

/** Have the call of a program in which the fault strikes made again, once. */
export function useRetry(used: Retry | undefined): void {
  retry = used;
}

/** Have each call of a program, with what it is given, made by somebody else. */
export function useChange(used: Change | undefined): void {
  change = used;
}

/** A call that is made again after the injected failure, and has to succeed then. */
export function again<T>(call: () => T, name = 'a call'): T {
  return outermost(name, [], call) as T;
}

/** What is called itself, and by no name of an entry: a kernel. */
export function called<Args extends unknown[], T>(name: string, call: (...args: Args) => T): (...args: Args) => T {
  return (...args) => outermost(name, args, (given) => call(...(given as Args))) as T;
}

/**
 * The names of an entry, each of which has its calls made again: functions, constructors, methods, getters and setters.
 * Calls that the library makes itself are left alone.
 */
export function retrying<T extends object>(entry: T): T {
  const names: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value !== 'function') names[name] = value;
    else if (isClass(value)) names[name] = retryingClass(name, value);
    else names[name] = (...args: unknown[]) => outermost(name, args, (given) => (value as Callable)(...given));
  }
  return names as T;
}

function isClass(value: unknown): value is new () => object {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function retryingClass<T extends new () => object>(name: string, type: T): T {
  patch(type.prototype as object);
  return new Proxy(type, {
    construct: (target, args, self: new () => object) =>
      outermost(
        `new ${name}`,
        args as unknown[],
        (given) => Reflect.construct(target, given, self) as object,
      ) as object,
    get: (target, key) => {
      const read = (): unknown => Reflect.get(target, key, target);
      if (key === 'prototype' || key === Symbol.hasInstance) return read();
      const value = outermost(`${name}.${String(key)}`, [], read);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        outermost(`${name}.${String(key)}`, args, (given) => Reflect.apply(value as Callable, target, given));
    },
  });
}

/** Replace what a prototype and those above it have. */
function patch(first: object): void {
  for (let at: object | null = first; at && !isForeign(at) && !seen.has(at); at = protoOf(at)) {
    seen.add(at);
    for (const key of Reflect.ownKeys(at)) {
      const found = Object.getOwnPropertyDescriptor(at, key);
      if (key === 'constructor' || !found?.configurable) continue;
      const name = `${at.constructor.name}.${String(key)}`;
      const around = (call: Callable): ((this: object, ...args: unknown[]) => unknown) => {
        const other = function (this: object, ...args: unknown[]): unknown {
          const run = (given: readonly unknown[]): unknown => Reflect.apply(call, this, given);
          return DESTROYERS.has(key) || UNCOUNTED.has(name) ? inside(() => run(args)) : outermost(name, args, run);
        };
        return Object.defineProperty(other, 'length', { value: call.length });
      };
      const changed: PropertyDescriptor = { ...found };
      for (const part of ['value', 'get', 'set'] as const) {
        const call: unknown = Reflect.get(found, part);
        if (typeof call === 'function') changed[part] = around(call as Callable);
      }
      Object.defineProperty(at, key, changed);
    }
  }
}

const protoOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null;

/** What belongs to the runtime. */
function isForeign(at: object): boolean {
  const { constructor } = at;
  if (at === Buffer.prototype || typeof constructor !== 'function') return true;
  return Function.prototype.toString.call(constructor).includes('[native code]');
}

function inside(call: () => unknown): unknown {
  depth++;
  try {
    return call();
  } finally {
    depth--;
  }
}

function outermost(name: string, args: readonly unknown[], make: (args: readonly unknown[]) => unknown): unknown {
  const call = (): unknown => make(args);
  if (depth > 0) return call();
  const before = retry?.fired;
  let value: unknown;
  try {
    value = inside(() => (change ? change(name, args, make) : call()));
  } catch (error) {
    if (!retry?.fired || before === true || retry.called !== undefined) throw error;
    retry.called = name;
    value = inside(call);
  }
  // What was not exported by name.
  if (typeof value === 'object' && value !== null) patch(protoOf(value) ?? {});
  return value;
}
