/**
 * With several devices, memory is given to them in granules of 4 MiB: small enough for the contexts and pools of 16 devices
 * within the 768 MiB that the checked mode has, large enough that a table of all granules stays in a processor's first cache.
 */
export const GRANULE_SHIFT = 22;

/** The granules of 4 GiB. */
export const GRANULES: number = 2 ** (32 - GRANULE_SHIFT);

/** Exports of a program that asks before each access: the table's address, and the address of an access that was refused. */
export const PEER_EXPORTS = ['__rk_access', '__rk_refused'] as const;
