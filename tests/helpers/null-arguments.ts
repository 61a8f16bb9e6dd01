import { argumentChecks } from '../../src/ffi/check.ts';
import { kindOf } from '../../src/ffi/ctype.ts';
import { entriesOf, parsePrototype, typesOf, type Table } from '../../src/ffi/prototype.ts';

/** Looks at what a routine is handed, and says what it may not be handed. */
export type Look = (routine: string, args: readonly unknown[]) => string | undefined;

/**
 * What no function of a table may be handed: NULL where the vendor does not say that it may be; and what its prototype does
 * not take, where the table itself does not look.
 *
 * @param nullable - C types, and parameters as `routine.parameter` or `*.parameter`, that may be NULL
 * @param unchecked - routines that are called without the checks of the table
 */
export function looks(table: Table, nullable: ReadonlySet<string>, unchecked: readonly string[]): Look {
  const types = typesOf(table);
  const checks = new Map(
    [...entriesOf(table)].map(([name, text]) => [
      name,
      { ...parsePrototype(text), check: argumentChecks(parsePrototype(text), types) },
    ]),
  );
  return (routine, args) => {
    const prototype = checks.get(routine);
    if (!prototype) return `${routine} is in no table`;
    try {
      prototype.check([...args]);
    } catch (error) {
      return unchecked.includes(routine) ? (error as Error).message : undefined;
    }
    for (const [i, { name, type, stars }] of prototype.params.entries()) {
      const pointer = stars > 0 || kindOf(type, types) === 'handle';
      if (!pointer || args[i] !== 0n || nullable.has(`${routine}.${name}`) || nullable.has(`*.${name}`)) continue;
      if (stars === 0 && nullable.has(type)) continue;
      return `${routine}: ${name} is NULL`;
    }
    return undefined;
  };
}
