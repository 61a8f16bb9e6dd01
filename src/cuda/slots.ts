import type { Slot } from '../ffi/ctype.ts';
import { slotsOf, type SlotMaker } from '../ffi/slot.ts';
import { driverTypes } from './sys/ctypes.ts';

/** Memory for what a driver function writes, by the C type of its parameter: `slotOf('CUstream')`. */
export const slotOf: SlotMaker<typeof driverTypes> = slotsOf(driverTypes);

/** What {@link slotOf} makes. */
export type DriverSlot<Name extends string> = Slot<Name, typeof driverTypes>;
