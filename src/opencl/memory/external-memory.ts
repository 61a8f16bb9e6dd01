import { checkNumber, checkGiven } from '../../core/check.ts';
import type { Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireVersion } from '../device/requirement.ts';
import { ExternalMemoryHandle, SemaphoreProperty } from '../sys/enums.ts';
import { checkDescriptor, contextDevices, deviceList, requireHandleType } from '../device/file-descriptor.ts';

/** Memory of another allocator: another process, CUDA, Vulkan, a camera. Pass one of the two descriptors. */
export interface ExternalMemory {
  /** A file descriptor of `cl_khr_external_memory_opaque_fd`, which the driver owns from then on. */
  readonly opaqueFd?: number;
  /** A file descriptor of `cl_khr_external_memory_dma_buf`. */
  readonly dmaBuf?: number;
  /** Bytes of the whole memory. */
  readonly byteLength: number;
  /** Bits of {@link MemFlags}. Default: `READ_WRITE` */
  readonly flags?: number;
  /** One of the context's devices, where it has several and the memory is for one. */
  readonly device?: Device;
}

const KINDS = { opaqueFd: 'OPAQUE_FD', dmaBuf: 'DMA_BUF' } as const;

/** The properties by which a driver imports memory, checked. */
export function externalProperties(context: Context, external: ExternalMemory, what: string): BigUint64Array {
  checkGiven(external, ['opaqueFd', 'dmaBuf', 'byteLength', 'flags', 'device'], what);
  requireVersion(context.platform, 3, 0, what);
  checkNumber(external.byteLength, `${what}: byteLength`, 1);
  const { device, opaqueFd, dmaBuf } = external;
  if ((opaqueFd === undefined) === (dmaBuf === undefined)) {
    throw new TypeError(`${what} takes one file descriptor: opaqueFd or dmaBuf`);
  }
  const key = opaqueFd === undefined ? 'dmaBuf' : 'opaqueFd';
  const name = KINDS[key];
  const type = ExternalMemoryHandle[name];
  for (const one of contextDevices(context, device)) {
    requireHandleType(one, 'cl_khr_external_memory', 'EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR', [name, type], what);
  }
  const descriptor = checkDescriptor(external[key], what);
  const devices = deviceList(device, SemaphoreProperty.DEVICE_HANDLE_LIST);
  return BigUint64Array.from([type, descriptor, ...devices, 0], BigInt);
}
