import { camelCase, type CamelCase } from '../core/names.ts';

/** The names of a table of constants, in camelCase: `DISABLED_BY_REGKEY` is `'disabledByRegkey'`. */
export type NamesOf<Table extends Readonly<Record<string, number>>> = CamelCase<keyof Table & string>;

/** The name of a constant; `'unknown'` for a constant newer than the table. */
export function nameIn<Table extends Readonly<Record<string, number>>>(
  table: Table,
  value: number,
): NamesOf<Table> | 'unknown' {
  const name = Object.keys(table).find((key) => table[key] === value);
  return name === undefined ? 'unknown' : (camelCase(name) as NamesOf<Table>);
}

/** The names of a table of bits: `XidCriticalError` is `'xidCriticalError'`. */
export type BitNamesOf<Table extends Readonly<Record<string, number>>> = Uncapitalize<keyof Table & string>;

/** The names of the bits that are set. Bits newer than the table are left out. */
export function bitNamesIn<Table extends Readonly<Record<string, number>>>(
  table: Table,
  value: bigint,
): BitNamesOf<Table>[] {
  return Object.entries(table)
    .filter(([, bit]) => (value & BigInt(bit)) !== 0n)
    .map(([name]) => `${name.charAt(0).toLowerCase()}${name.slice(1)}` as BitNamesOf<Table>);
}

/** A table of constants by the names that users write. */
export function byName(
  table: Readonly<Record<string, number>>,
  rename: (key: string) => string = camelCase,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [rename(name), value]));
}
