import type { Slot } from '../ffi/ctype.ts';
import { slotsOf, type SlotMaker } from '../ffi/slot.ts';
import { types } from './sys/ctypes.ts';

/** Memory for what a function of NVML writes, by the C type of its parameter: `slotOf('nvmlDevice_t')`. */
export const slotOf: SlotMaker<typeof types> = slotsOf(types);

/** Memory for a device's handle. */
export type DeviceSlot = Slot<'nvmlDevice_t', typeof types>;
