import { transfersOf, type Transfers } from '../../jit/transfers.ts';
import { array, empty } from '../array/create.ts';

const transfers: Transfers = transfersOf({ array, empty });

/** {@link Transfers.toDevice} */
export const toDevice: Transfers['toDevice'] = transfers.toDevice;
/** {@link Transfers.deviceArray} */
export const deviceArray: Transfers['deviceArray'] = transfers.deviceArray;
/** {@link Transfers.copyToHost} */
export const copyToHost: Transfers['copyToHost'] = transfers.copyToHost;

export { pagelockedEmpty as pinnedArray } from '../memory/host-memory.ts';
