import type { AnyHandle } from '../../core/handle.ts';
import { MAKER } from '../../core/maker.ts';
import type { AddressHolder } from '../../core/struct.ts';
import { callError, type Routine } from '../call.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf, type DriverSlot } from '../slots.ts';
import { DeviceSlice } from '../memory/memory.ts';
import { status as statuses } from '../sys/enums.ts';

const addressSlot = slotOf('CUdeviceptr');
const sizeSlot = slotOf('size_t');

/** Asks the driver for a variable; returns the status. */
export type FindVariable = (address: DriverSlot<'CUdeviceptr'>, size: DriverSlot<'size_t'>) => number;

const NOT_FOUND = statuses.CUDA_ERROR_NOT_FOUND[0];

/**
 * A variable, as the driver finds it.
 *
 * @param find - calls the routine
 * @param owned - the record of what the variable is part of; throws once that is closed
 */
export function readVariable(
  routine: Extract<Routine, 'cuModuleGetGlobal' | 'cuLibraryGetGlobal' | 'cuLibraryGetManaged'>,
  find: FindVariable,
  name: string,
  owned: () => AnyHandle,
): DeviceSlice {
  const status = find(addressSlot, sizeSlot);
  const holder = routine === 'cuModuleGetGlobal' ? 'module' : 'library';
  if (status === NOT_FOUND) {
    const reason = `The ${holder} has no variable '${name}'; one that no kernel uses may have been left out`;
    throw callError(routine, status, { reason });
  }
  if (status !== 0) throw callError(routine, status);
  const address = take(addressSlot);
  const base: AddressHolder & { readonly owner: AnyHandle } = {
    get ptr() {
      owned();
      return address;
    },
    get owner() {
      return owned();
    },
  };
  return new DeviceSlice(MAKER, base, 0, Number(take(sizeSlot)));
}
