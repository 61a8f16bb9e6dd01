import { slotsOf, type SlotMaker } from '../ffi/slot.ts';
import { types } from './sys/ctypes.ts';

/** Memory for what a function of NCCL writes, by the C type of its parameter: `slotOf('ncclComm_t')`. */
export const slotOf: SlotMaker<typeof types> = slotsOf(types);
