import type { DriverTable } from '../../cuda/sys/tables.ts';
import { functions } from '../../cuda/sys/driver.ts';
import { entriesOf, requiredPlaces } from '../../ffi/prototype.ts';
import { Status } from '../abi/status.ts';
import { unsupported } from './unsupported.ts';

type Call = (...args: unknown[]) => number;

/**
 * The functions with the NULL checks that their prototypes ask for, so that no implementation repeats them. An
 * unsupported function keeps its own status for all arguments.
 */
export function refuseNull(table: DriverTable): DriverTable {
  const checked = { ...table } as Record<string, Call>;
  for (const [name, text] of entriesOf(functions)) {
    const call = checked[name] as Call;
    if (call === unsupported || !/\b_(?:Out|In)_ /.test(text)) continue;
    let places: readonly number[] | undefined;
    checked[name] = (...args) => {
      places ??= requiredPlaces(text);
      return places.some((place) => args[place] === 0n) ? Status.INVALID_VALUE : call(...args);
    };
  }
  return checked as unknown as DriverTable;
}
