import type { DriverTable } from '../../cuda/sys/tables.ts';
import { functions } from '../../cuda/sys/driver.ts';
import { entriesOf } from '../../ffi/prototype.ts';
import { Status } from '../abi/status.ts';

/** A function that this device lacks. */
export const unsupported = (): number => Status.NOT_SUPPORTED;

/** A table in which every driver function is unsupported. The functions of this device replace theirs. */
export function unsupportedFunctions(): DriverTable {
  const table: Record<string, () => number> = {};
  for (const [name] of entriesOf(functions)) table[name] = unsupported;
  return table as unknown as DriverTable;
}
