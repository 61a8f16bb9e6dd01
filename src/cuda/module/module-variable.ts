import type { AnyHandle } from '../../core/handle.ts';
import { MAKER } from '../../core/maker.ts';
import type { AddressHolder } from '../../core/struct.ts';
import { callError, type Routine } from '../call.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { DeviceSlice } from '../memory/memory.ts';
import { status as statuses } from '../sys/enums.ts';

const NOT_FOUND = statuses.CUDA_ERROR_NOT_FOUND[0];

/**
 * The variable that the driver has found.
 *
 * @param status - what the routine has answered
 * @param found - address and size, if it was found
 * @param owned - the record of what the variable is part of; throws once that is closed
 */
export function readVariable(
  routine: Extract<Routine, 'cuModuleGetGlobal' | 'cuLibraryGetGlobal' | 'cuLibraryGetManaged'>,
  status: number,
  found: BigUint64Array,
  name: string,
  owned: () => AnyHandle,
): DeviceSlice {
  const [holder, group] = routine === 'cuModuleGetGlobal' ? ['module', 'MODULE'] : ['library', 'LIBRARY'];
  if (status === NOT_FOUND) {
    const reason = `The ${holder} has no variable '${name}'; one that no kernel uses may have been left out`;
    throw callError(routine, status, group, { reason });
  }
  if (status !== 0) throw callError(routine, status, group);
  const address = found[0] as DevicePointer;
  const base: AddressHolder & { readonly owner: AnyHandle } = {
    get ptr() {
      owned();
      return address;
    },
    get owner() {
      return owned();
    },
  };
  return new DeviceSlice(MAKER, base, 0, Number(found[1]));
}
