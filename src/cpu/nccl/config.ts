import { CONFIG_UNDEF_INT } from '../../nccl/sys/enums.ts';
import { magics, structs } from '../../nccl/sys/structs.ts';
import { bytesAt, type Out } from '../abi/out.ts';

const { fields } = structs.ncclConfig_t;
/** The size that the first version of the struct had. */
const LEAST_BYTES = 24;

/**
 * Whether a communicator blocks, as its `ncclConfig_t` says; undefined for a struct that was not initialised.
 *
 * @param otherwise - where it does not say
 */
export function isBlocking(config: Out, otherwise: boolean): boolean | undefined {
  if (config === 0n) return otherwise;
  const bytes = bytesAt(config, LEAST_BYTES);
  if (bytes.length < LEAST_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(fields.magic, true) !== magics.ncclConfig_t) return undefined;
  const blocking = view.getInt32(fields.blocking, true);
  if (blocking === CONFIG_UNDEF_INT) return otherwise;
  return blocking === 0 || blocking === 1 ? blocking === 1 : undefined;
}
