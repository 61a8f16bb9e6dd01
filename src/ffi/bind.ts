import koffi from 'koffi';
import { SymbolNotFoundError } from '../core/errors.ts';
import { koffiType, type CTypes } from './ctype.ts';
import { argumentChecks } from './check.ts';
import { entriesOf, parsePrototype, typesOf, type Bound, type Prototype, type Table } from './prototype.ts';
import type { Library } from './library.ts';
import { markAsync } from './traced.ts';

type Callable = (...args: unknown[]) => unknown;
type Async = (...args: unknown[]) => Promise<unknown>;

// A symbol that every copy of this module shares: tests load two.
const ASYNC = Symbol.for('rawkernel.async');
const UNCHECKED = Symbol.for('rawkernel.unchecked');

/**
 * The functions of a table in a library. Each binds on its first use, so a symbol that the installed version lacks
 * fails only when it is used. Arguments are checked, except those of the `hot` functions: their callers check.
 *
 * @param hintOf - tells of a function which version has it
 */
export function bind<T extends Table>(
  table: T,
  library: Library,
  hot: readonly string[] = [],
  hintOf: (name: string) => string | undefined = () => undefined,
): Bound<T> {
  const types = typesOf(table);
  return lazily(table, (name, text) => bindOne(parsePrototype(text), types, library, hot.includes(name), hintOf(name)));
}

/**
 * The functions of a table by their addresses, as a driver gives them for its extensions.
 *
 * @param addressOf - of a function; 0n where the driver lacks it
 * @param missing - the error of a function that is not there, for when it is called
 */
export function bindAddresses<T extends Table>(
  table: T,
  addressOf: (name: string) => bigint,
  missing: (name: string, group: string) => Error,
): Bound<T> {
  const types = typesOf(table);
  return lazily(table, (_name, text, group) => {
    const prototype = parsePrototype(text);
    const address = addressOf(prototype.symbol);
    if (address === 0n) {
      return () => {
        throw missing(prototype.symbol, group);
      };
    }
    const check = argumentChecks(prototype, types);
    const type = koffi.proto(
      koffiType(prototype.result, prototype.resultStars, types),
      prototype.params.map((parameter) => koffiType(parameter.out ? 'void' : parameter.type, parameter.stars, types)),
    );
    const native = koffi.decode(address, type) as Callable;
    return (...args) => {
      check(args);
      return native(...args);
    };
  });
}

/** Functions that are not a library's, with the checks of their arguments that {@link bind} gives a library's. */
export function withChecks<T extends Table>(table: T, functions: Bound<T>, hot: readonly string[] = []): Bound<T> {
  return lazily(table, (name, text) => {
    const call = (functions as unknown as Readonly<Record<string, Callable>>)[name] as Callable;
    if (hot.includes(name)) return call;
    const check = argumentChecks(parsePrototype(text), typesOf(table));
    const checked: Callable = (...args) => {
      check(args);
      return call(...args);
    };
    const form = Reflect.get(call, ASYNC) as Async | undefined;
    if (form) {
      provideAsync(checked, (...args: unknown[]) => {
        check(args);
        return form(...args);
      });
    }
    return checked;
  });
}

/**
 * A table with something around each of its functions: a trace, a measurement. As lazy as the table under it.
 *
 * @param wrap - is given each function, and its form that does not block as well
 */
export function wrapTable<T extends Table>(
  table: T,
  functions: Bound<T>,
  wrap: (name: string, text: string, call: Callable) => Callable,
): Bound<T> {
  return lazily(table, (name, text) => {
    const call = (functions as unknown as Readonly<Record<string, Callable>>)[name] as Callable;
    const wrapped = wrap(name, text, call);
    const form = Reflect.get(call, ASYNC) as Async | undefined;
    if (form && wrapped !== call) provideAsync(wrapped, wrap(name, text, markAsync(form)) as Async);
    return wrapped;
  });
}

/** A bound function with something around it, its unchecked form too. The form that does not block stays as it is. */
function around<Call extends (...args: never[]) => unknown>(call: Call, wrap: (call: Call) => Call): Call {
  const wrapped = wrap(call);
  const native = Reflect.get(call, UNCHECKED) as Call | undefined;
  if (native) Reflect.set(wrapped, UNCHECKED, wrap(native));
  const form = Reflect.get(call, ASYNC) as Async | undefined;
  if (form) Reflect.set(wrapped, ASYNC, form);
  return wrapped;
}

/** Put something around a function of a table, where it is; one that nothing has asked for yet is bound as late as before. */
export function wrapInPlace<T extends object>(table: T, name: keyof T, wrap: (call: Callable) => Callable): void {
  const lazy = Object.getOwnPropertyDescriptor(table, name);
  const settle = (call: Callable): Callable => {
    const value = around(call, wrap);
    Object.defineProperty(table, name, { value, configurable: true, enumerable: true, writable: true });
    return value;
  };
  if (lazy?.get === undefined) settle(table[name] as Callable);
  else {
    Object.defineProperty(table, name, {
      configurable: true,
      enumerable: true,
      get: () => settle(lazy.get?.call(table) as Callable),
    });
  }
}

/**
 * A table in which something stands in for each function that the library lacks. As lazy as the table under it.
 *
 * @param standIn - makes it, for a name
 */
export function withStandIns<T extends Table>(
  table: T,
  functions: Bound<T>,
  standIn: (name: string) => Callable,
): Bound<T> {
  return lazily(table, (name) => {
    try {
      return (functions as unknown as Readonly<Record<string, Callable>>)[name] as Callable;
    } catch (error) {
      if (!(error instanceof SymbolNotFoundError)) throw error;
      return standIn(name);
    }
  });
}

/** A table whose functions are made when they are first asked for. */
export function lazily<T extends Table>(
  table: T,
  make: (name: string, text: string, group: string) => Callable,
): Bound<T> {
  const bound = {};
  for (const [name, text, group] of entriesOf(table)) {
    Object.defineProperty(bound, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = make(name, text, group);
        Object.defineProperty(bound, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return bound as Bound<T>;
}

function bindOne(
  prototype: Prototype,
  types: CTypes,
  library: Library,
  hot: boolean,
  hint: string | undefined,
): Callable {
  const native = library.find(
    prototype.symbol,
    koffiType(prototype.result, prototype.resultStars, types),
    prototype.params.map((parameter) => koffiType(parameter.out ? 'void' : parameter.type, parameter.stars, types)),
    hint,
  );
  const check = argumentChecks(prototype, types);
  const call: Callable = hot
    ? native
    : (...args) => {
        check(args);
        return native(...args);
      };
  Reflect.set(call, UNCHECKED, native);
  provideAsync(call, (...args: unknown[]) => {
    check(args);
    return new Promise((resolve, reject) => {
      native.async(...args, (error: unknown, result: unknown) => {
        if (error) reject(new Error(`${prototype.symbol} could not run`, { cause: error }));
        else resolve(result);
      });
    });
  });
  return call;
}

/** A bound function without the checks of its arguments: for hot paths that validate first. */
export function unchecked<Call extends (...args: never[]) => unknown>(call: Call): Call {
  return (Reflect.get(call, UNCHECKED) as Call | undefined) ?? call;
}

/** Give a function that is not native a form that does not block, for {@link callOnWorker}. */
export function provideAsync<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  form: (...args: Args) => Promise<Result>,
): void {
  Reflect.set(call, ASYNC, form);
}

/**
 * Call a bound function on a worker thread of the runtime. Only for calls that need no current context.
 * A function that has no such form (a fake) simply runs.
 */
export async function callOnWorker<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  ...args: Args
): Promise<Result> {
  const form = Reflect.get(call, ASYNC) as Async | undefined;
  return form ? ((await form(...args)) as Result) : call(...args);
}
