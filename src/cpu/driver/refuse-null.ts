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
    const places = call === unsupported ? [] : requiredPlaces(text);
    if (places.length === 0) continue;
    checked[name] = (...args) => (places.some((place) => args[place] === 0n) ? Status.INVALID_VALUE : call(...args));
  }
  return checked as unknown as DriverTable;
}
