import { types } from 'node:util';
import { exact, isRevoked } from './instance.ts';

/** Own facts of an object, for {@link describeFacts}. */
export type Facts = Readonly<Record<string, unknown>>;

/** The method by which a class adds to what is shown of its objects. It must not wait for a device. */
const FACTS: unique symbol = Symbol('facts');
const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const MARK = 'uncloneable';
/** What tells an object from others of its kind, in this order. */
const TELLING = ['name', 'ordinal', 'kind', 'handle', 'byteLength'];
/** Numbers of the driver: in its own notation. */
const HANDLES = ['handle', 'raw', 'ptr', 'identity'];
/** Fields for the package itself. */
const INTERNAL: readonly string[] = [MARK, 'identity', 'events', 'uses', 'root', 'elementTag'];
const LONGEST = 60;
const MAX_ITEMS = 6;

type Inspect = (value: unknown, options: object) => string;

const refuse = (): never => {
  throw new TypeError('An object of rawkernel stays in the thread that made it');
};

let isMade: (value: object) => boolean;

/**
 * The base of what users get: an object that stands for something of a driver. It reads well in a REPL, and it cannot be
 * cloned: `structuredClone` and `postMessage` would make an object of the same look that does nothing.
 */
export abstract class PublicObject {
  /** What only the constructor gives. */
  readonly #made = true;

  /**
   * A function is what the clone algorithm refuses. Nothing that can be seen less is looked at by it, and the runtime's
   * own mark (`markAsUncloneable`) begins with Node 22.
   * @internal
   */
  readonly uncloneable: () => never = refuse;

  /** What it is, in one line. */
  toString(): string {
    return lineOf(this);
  }

  static {
    isMade = (value) => #made in value;
  }
}
exact(PublicObject, isMade);

/**
 * Whether a constructor made an object of ours, of this copy of the package or of another: what inherits from one, and a
 * proxy of one, have none of its private state.
 */
export function isWhole(value: object): boolean {
  return isMade(value) || (!types.isProxy(value) && Object.hasOwn(value, MARK));
}

/** Whether a value passes for an object of ours and is not whole. */
export function isHollow(value: object): boolean {
  return !isRevoked(value) && MARK in value && !isWhole(value);
}

showLegibly(PublicObject.prototype);

/** Have a prototype's objects shown by {@link PublicObject}'s rules. */
export function showLegibly(prototype: object): void {
  Object.defineProperty(prototype, INSPECT, {
    configurable: true,
    value(this: object, depth: number, options: object, inspect: Inspect): string {
      return blockOf(this, depth, options, inspect);
    },
  });
}

/**
 * Add facts to what is shown of a class's objects.
 *
 * @param read - looks at an object without a wait; what throws is left out
 */
export function describeFacts<T extends object>(
  constructor: { readonly prototype: T },
  read: (object: T) => Facts,
): void {
  Object.defineProperty(constructor.prototype, FACTS, {
    configurable: true,
    value(this: T): Facts {
      return read(this);
    },
  });
}

/** A title, and in parentheses what tells the object from others of its kind. */
export function lineOf(object: object): string {
  const name = titleOf(object);
  if (isClosed(object)) return `${name}(closed)`;
  const known = { ...factsOf(object), ...ownOf(object) };
  const facts = TELLING.filter((key) => known[key] !== undefined)
    .slice(0, 2)
    .map((key) => (key === 'name' ? String(known[key]) : `${key} ${short(key, known[key])}`));
  return facts.length === 0 ? name : `${name}(${facts.join(', ')})`;
}

function blockOf(object: object, depth: number, options: object, inspect: Inspect): string {
  if (!(object instanceof PublicObject) && typeof object !== 'function') return titleOf(object); // the prototype itself
  const name = titleOf(object);
  if (isClosed(object)) return `${name} { closed }`;
  if (object instanceof PublicObject && object.toString !== PublicObject.prototype.toString) return object.toString();
  if (depth < 0) return lineOf(object);
  const facts = Object.entries({ ...factsOf(object), ...ownOf(object) }).map(
    ([key, value]) => `${key}: ${shown(key, value, options, inspect)}`,
  );
  if (facts.length === 0) return `${name} {}`;
  const line = `${name} { ${facts.join(', ')} }`;
  return line.length <= 76 ? line : `${name} {\n${facts.map((fact) => `  ${fact}`).join(',\n')}\n}`;
}

function shown(key: string, value: unknown, options: object, inspect: Inspect): string {
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => shown(key, item, options, inspect));
    const rest = value.length > items.length ? [`… ${value.length - items.length} more`] : [];
    return items.length === 0 ? '[]' : `[ ${[...items, ...rest].join(', ')} ]`;
  }
  if (ArrayBuffer.isView(value)) return `${titleOf(value)}(${value.byteLength} bytes)`;
  if (value instanceof PublicObject || typeof value === 'function') return lineOf(value);
  if (typeof value === 'object' && value !== null) return inspect(value, { ...options, depth: 0 });
  return short(key, value);
}

/** A value in a few characters: long texts (PTX, sources) by their beginning and their length. */
function short(key: string, value: unknown): string {
  if (typeof value === 'bigint') return HANDLES.includes(key) ? `0x${value.toString(16)}` : `${value}n`;
  if (typeof value !== 'string') return String(value);
  const line = value.slice(0, LONGEST);
  return `${JSON.stringify(line)}${line === value ? '' : `… (${value.length} characters)`}`;
}

/** Data properties of the object itself; getters may ask a driver. */
function ownOf(object: object): Facts {
  if (typeof object === 'function') return {};
  const own = Object.entries(Object.getOwnPropertyDescriptors(object));
  return Object.fromEntries(
    own.flatMap(([key, { value, enumerable }]) =>
      enumerable === true && !INTERNAL.includes(key) && value !== undefined && value !== '' ? [[key, value]] : [],
    ),
  );
}

/** What the classes of the object add, the most general first. */
function factsOf(object: object): Facts {
  let facts: Facts = {};
  for (let at: unknown = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    if (!Object.hasOwn(at, FACTS)) continue;
    try {
      facts = { ...(at as { readonly [FACTS]: (this: object) => Facts })[FACTS].call(object), ...facts };
    } catch {
      // What cannot be read now (a closed parent, a driver that is gone) is left out.
    }
  }
  return facts;
}

function titleOf(object: object): string {
  const { name } = object.constructor;
  // Bundlers number names that they find twice.
  return name.replace(/\$\d+$/, '').replace(/^KernelFunction$/, 'Function');
}

function isClosed(object: object): boolean {
  try {
    return (object as { readonly closed?: unknown }).closed === true;
  } catch {
    return false;
  }
}
