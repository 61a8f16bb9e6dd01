import type { NcclTable } from '../nccl/sys/tables.ts';
import { functions } from '../nccl/sys/nccl.ts';
import { entriesOf, requiredPlaces } from '../ffi/prototype.ts';
import { bindRows } from './abi/rows.ts';
import { collectiveFunctions } from './nccl/collective-functions.ts';
import { communicatorFunctions } from './nccl/communicator-functions.ts';
import { makingFunctions } from './nccl/making-functions.ts';
import { Result } from './nccl/numbers.ts';
import { newerFunctions, otherFunctions } from './nccl/other-functions.ts';
import { NcclScope, type NcclDevice } from './nccl/scope.ts';

type Call = (...args: unknown[]) => number;

/** An NCCL whose ranks are on an embedded device: a test double, over the loopback. Its thread starts with the first id. */
export function cpuNccl(device: NcclDevice): NcclTable {
  const scope = new NcclScope(device);
  const rows = { ...communicatorFunctions, ...makingFunctions, ...collectiveFunctions, ...otherFunctions };
  const table = { ...newerFunctions(() => scope), ...bindRows(scope, rows) } as unknown as Record<string, Call>;
  for (const [name, text] of entriesOf(functions)) {
    const places = requiredPlaces(text);
    const call = table[name] as Call;
    if (places.length === 0) continue;
    table[name] = (...args) => {
      const at = places.find((place) => args[place] === 0n);
      return at === undefined
        ? call(...args)
        : scope.group.note(scope.say(Result.INVALID_ARGUMENT, `${name}: argument ${at + 1} is NULL`));
    };
  }
  return table as unknown as NcclTable;
}
