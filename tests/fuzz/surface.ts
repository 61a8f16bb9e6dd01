/** Something that can be called, made, read or written. */
export interface Target {
  readonly op: 'call' | 'new' | 'get' | 'set';
  /** A member of an instance of this class, or an export. */
  readonly owner: { readonly export: string } | { readonly className: string };
  readonly key: string | undefined;
  /** As the tables call it: `Context.prototype.close`. */
  readonly name: string;
  readonly arity: number;
}

/** What {@link Object} and the language give every object. */
const COMMON: ReadonlySet<unknown> = new Set([Object.prototype, Function.prototype, Array.prototype, Error.prototype]);
const MAX_LEVELS = 2;

/** Everything that a half's entry exports, by reflection. */
export function exportTargets(entry: Readonly<Record<string, unknown>>): Target[] {
  const targets: Target[] = [];
  const seen = new Set<unknown>();
  for (const name of Object.keys(entry).sort()) visit(name, entry[name], 0);
  return targets;

  function visit(path: string, value: unknown, level: number): void {
    if (typeof value === 'function') {
      if (isClass(value)) {
        targets.push({ op: 'new', owner: { export: path }, key: undefined, name: `${path}#new`, arity: value.length });
        if (!seen.has(value)) statics(path, value);
      } else {
        targets.push({ op: 'call', owner: { export: path }, key: undefined, name: path, arity: value.length });
      }
    } else if (typeof value === 'object' && value !== null && level < MAX_LEVELS && !seen.has(value)) {
      seen.add(value);
      for (const key of Object.keys(value)) visit(`${path}.${key}`, (value as Record<string, unknown>)[key], level + 1);
    }
    seen.add(value);
  }

  function statics(path: string, made: object): void {
    for (const [key, property] of ownProperties(made)) {
      if (['length', 'name', 'prototype', '@@hasInstance'].includes(key)) continue;
      const owner = { export: path };
      const name = `${path}.${key}`;
      if (typeof property.value === 'function') {
        targets.push({ op: 'call', owner, key, name, arity: (property.value as () => void).length });
      } else if (property.get) targets.push({ op: 'get', owner, key, name, arity: 0 });
      if (property.set) targets.push({ op: 'set', owner, key, name, arity: 1 });
    }
    const base = Object.getPrototypeOf(made) as object | null;
    if (base && !COMMON.has(base) && base !== Function.prototype && typeof base === 'function') {
      if (!isNative(base)) statics(path, base);
    }
  }
}

/** The members of an object's classes, by reflection; the class is as the declarations call it. */
export function memberTargets(object: object): Target[] {
  const className = classOf(object) ?? '';
  const targets: Target[] = [];
  const names = new Set<string>();
  let prototype: object | null = object;
  for (let level = 0; prototype && !COMMON.has(prototype) && level < 8; level++) {
    for (const [key, property] of ownProperties(prototype)) {
      if (
        key === 'constructor' ||
        names.has(key) ||
        (level === 0 && typeof object === 'function' && /^(?:length|name|prototype)$/.test(key))
      )
        continue;
      names.add(key);
      const owner = { className };
      const name = `${className}.prototype.${key}`;
      if (typeof property.value === 'function') {
        targets.push({ op: 'call', owner, key, name, arity: (property.value as () => void).length });
      } else if (property.get) targets.push({ op: 'get', owner, key, name, arity: 0 });
      if (property.set) targets.push({ op: 'set', owner, key, name, arity: 1 });
    }
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  if (typeof object === 'function') {
    const name = `${className}.prototype.()`;
    targets.push({ op: 'call', owner: { className }, key: undefined, name, arity: object.length });
  }
  return targets;
}

/** The name of an object's class as it is declared; undefined for what the language has. */
export function classOf(value: unknown): string | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    const made = (Object.getPrototypeOf(value) as { constructor?: unknown } | null)?.constructor;
    if (typeof made !== 'function' || isNative(made)) return undefined;
    // The bundler tells classes of one name apart by a number.
    return made.name.replace(/\$\d+$/, '');
  } catch {
    return undefined;
  }
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function isNative(value: object): boolean {
  return /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(value));
}

function ownProperties(object: object): [string, PropertyDescriptor][] {
  return Reflect.ownKeys(object).flatMap((key) => {
    const property = Object.getOwnPropertyDescriptor(object, key);
    const text = typeof key === 'string' ? key : /^Symbol\(Symbol\.(\w+)\)$/.exec(String(key))?.[1];
    if (!property || text === undefined) return [];
    return [[typeof key === 'string' ? text : `@@${text}`, property]];
  });
}
