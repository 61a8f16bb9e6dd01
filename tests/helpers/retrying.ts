/** A fault that was injected, and what came of the same call without it. */
export interface Retry {
  /** Whether the fault was injected. */
  fired: boolean;
  /** The call that was made a second time. */
  called: string | undefined;
}

type Callable = (...args: unknown[]) => unknown;

/** Destroyers warn where others throw: they are not called again. */
const DESTROYERS = new Set<PropertyKey>(['close', Symbol.dispose, Symbol.asyncDispose]);
const seen = new WeakSet<object>();
let retry: Retry | undefined;
let depth = 0;

/** Have the call of a program in which the fault strikes made again, once. */
export function useRetry(used: Retry | undefined): void {
  retry = used;
}

/** A call that is made again after the injected failure, and has to succeed then. */
export function again<T>(call: () => T, name = 'a call'): T {
  return outermost(name, call) as T;
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
    else names[name] = (...args: unknown[]) => outermost(name, () => (value as Callable)(...args));
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
      outermost(`new ${name}`, () => Reflect.construct(target, args, self) as object) as object,
    get: (target, key) => {
      const read = (): unknown => Reflect.get(target, key, target);
      if (key === 'prototype' || key === Symbol.hasInstance) return read();
      const value = outermost(`${name}.${String(key)}`, read);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        outermost(`${name}.${String(key)}`, () => Reflect.apply(value as Callable, target, args));
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
      const around = (call: unknown): ((this: object, ...args: unknown[]) => unknown) =>
        function (this: object, ...args) {
          const run = (): unknown => Reflect.apply(call as Callable, this, args);
          return DESTROYERS.has(key) ? inside(run) : outermost(name, run);
        };
      const changed: PropertyDescriptor = { ...found };
      for (const part of ['value', 'get', 'set'] as const) {
        const call: unknown = Reflect.get(found, part);
        if (typeof call === 'function') changed[part] = around(call);
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

function outermost(name: string, call: () => unknown): unknown {
  if (depth > 0) return call();
  const before = retry?.fired;
  let value: unknown;
  try {
    value = inside(call);
  } catch (error) {
    if (!retry?.fired || before === true || retry.called !== undefined) throw error;
    retry.called = name;
    value = inside(call);
  }
  // What was not exported by name.
  if (typeof value === 'object' && value !== null) patch(protoOf(value) ?? {});
  return value;
}
