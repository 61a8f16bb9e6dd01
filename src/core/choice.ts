import { nameOf } from './host-memory.ts';

/** The number of one of some names. */
export function readChoice(chosen: unknown, choices: Readonly<Record<string, number>>, what: string): number {
  const value = typeof chosen === 'string' && Object.hasOwn(choices, chosen) ? choices[chosen] : undefined;
  if (value !== undefined) return value;
  const names = Object.keys(choices).map((name) => `'${name}'`);
  throw new TypeError(`${what} must be ${names.join(' or ')}; ${nameOf(chosen)} came`);
}

/** A flag that is off by default. */
export function readFlag(value: unknown, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, not ${nameOf(value)}`);
  return value;
}
