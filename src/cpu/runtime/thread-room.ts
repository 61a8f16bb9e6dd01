import { hasAddressSpace } from '../../core/address-space.ts';

/** The address space of a thread: heap, code and stack. */
export const THREAD_BYTES: number = 800 * 2 ** 20;

/** Whether there is room for one more thread; without it the runtime would end the process. */
export function hasThreadRoom(): boolean {
  return hasAddressSpace(THREAD_BYTES);
}
