import { nameOf } from './check.ts';

/** Whether a value is one of a table's names. A value that is not a string is not: its text may be anything, or throw. */
export function isNameIn<T extends object>(table: T, name: unknown): name is keyof T & string {
  return typeof name === 'string' && Object.hasOwn(table, name);
}

/** The number of one of some names. */
export function readChoice(chosen: unknown, choices: Readonly<Record<string, number>>, what: string): number {
  const value = isNameIn(choices, chosen) ? choices[chosen] : undefined;
  if (value !== undefined) return value;
  const names = Object.keys(choices).map((name) => `'${name}'`);
  throw new TypeError(`${what} must be ${names.join(' or ')}, got ${nameOf(chosen)}`);
}

/**
 * A constant of a table, by its number; a number that only newer headers know is one too.
 *
 * @param table - its name is `name`
 */
export function readConstant(value: unknown, table: Readonly<Record<string, number>>, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  const meant = isNameIn(table, value) ? value : Object.keys(table)[0];
  throw new TypeError(`${name} must be a number such as ${name}.${meant}, got ${nameOf(value)}`);
}

/** The name of a constant, for an error. */
export function constantName(value: number, table: Readonly<Record<string, number>>): string {
  return Object.keys(table).find((key) => table[key] === value) ?? String(value);
}

/** A flag that is off by default. */
export function readFlag(value: unknown, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, got ${nameOf(value)}`);
  return value;
}
