import { attempt, callError, cu } from '../call.ts';
import { requireContext } from '../device/context.ts';
import { deviceRange, type DeviceMemory, type DevicePointer } from './device-pointer.ts';
import { Device } from '../device/device.ts';
import { MemoryType, PointerAttribute, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

/** What the driver knows of an address. */
export interface PointerAttributes {
  /** Whose memory it is. Managed memory counts as the device's. */
  readonly kind: 'host' | 'device' | 'array';
  /** The device that it belongs to. */
  readonly device: Device;
  /** The context in which it was made, as the driver's `CUcontext`; 0n for memory that belongs to none, as of a pool. */
  readonly context: bigint;
  /** How kernels reach it, if they can. */
  readonly devicePointer: DevicePointer | undefined;
  /** How the host reaches it, if it can. */
  readonly hostPointer: bigint | undefined;
  /** Whether it moves between host and device as needed. */
  readonly managed: boolean;
  /** Whether there is memory behind it, as it need not be in reserved address space. */
  readonly mapped: boolean;
  /** The pool's `CUmemoryPool` for memory of a pool, else undefined. */
  readonly pool: bigint | undefined;
  /** The start of the allocation. */
  readonly base: bigint;
  /** The size of the allocation in bytes. */
  readonly byteLength: number;
  /** A number that no other allocation of this process has had. */
  readonly bufferId: bigint;
}

const INVALID_VALUE = statuses.CUDA_ERROR_INVALID_VALUE[0];
const wide = slotOf('unsigned long long');
const int = slotOf('int');
const baseSlot = slotOf('CUdeviceptr');
const sizeSlot = slotOf('size_t');

/**
 * Ask the driver what an address is.
 *
 * Host: does not block.
 *
 * @param pointer - device memory, an address in it, or a host address that the driver knows (pinned, registered)
 * @returns undefined for memory that the driver does not know, such as a plain array's
 * @throws TypeError no address
 * @throws {@link ClosedError} the memory was freed
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, pointerAttributes } from 'rawkernel/cuda';
 *
 * using memory = memAlloc(1024);
 * pointerAttributes(memory.slice(16))?.base === memory.ptr; // true
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html | cuPointerGetAttribute}
 */
export function pointerAttributes(pointer: DeviceMemory): PointerAttributes | undefined {
  const address = deviceRange(pointer, 0, 'pointerAttributes: the pointer');
  requireContext('cuPointerGetAttribute');
  const type = ask(PointerAttribute.MEMORY_TYPE, address, int) ? take(int) : 0;
  if (type === 0) return undefined;
  const wideOf = (attribute: number): bigint | undefined => (ask(attribute, address, wide) ? take(wide) : undefined);
  const flagOf = (attribute: number): boolean => ask(attribute, address, int) && (take(int) & 0xff) !== 0;
  const nonZero = (attribute: number): bigint | undefined => {
    const value = wideOf(attribute);
    return value === 0n ? undefined : value;
  };
  const ordinal = ask(PointerAttribute.DEVICE_ORDINAL, address, int) ? take(int) : 0;
  return {
    kind: type === MemoryType.HOST ? 'host' : type === MemoryType.ARRAY ? 'array' : 'device',
    device: new Device(Math.max(0, ordinal)),
    context: wideOf(PointerAttribute.CONTEXT) ?? 0n,
    devicePointer: nonZero(PointerAttribute.DEVICE_POINTER) as DevicePointer | undefined,
    hostPointer: nonZero(PointerAttribute.HOST_POINTER),
    managed: flagOf(PointerAttribute.IS_MANAGED),
    mapped: flagOf(PointerAttribute.MAPPED),
    pool: nonZero(PointerAttribute.MEMPOOL_HANDLE),
    base: wideOf(PointerAttribute.RANGE_START_ADDR) ?? address,
    byteLength: Number(wideOf(PointerAttribute.RANGE_SIZE) ?? 0n),
    bufferId: wideOf(PointerAttribute.BUFFER_ID) ?? 0n,
  };
}

/**
 * The allocation in which an address lies.
 *
 * Host: does not block.
 *
 * @returns its start, and its size in bytes
 * @throws {@link CudaLogicError} the address is in no allocation
 * @throws {@link ClosedError} the memory was freed
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemGetAddressRange}
 */
export function memGetAddressRange(pointer: DeviceMemory): {
  readonly base: DevicePointer;
  readonly byteLength: number;
} {
  const address = deviceRange(pointer, 0, 'memGetAddressRange: the pointer');
  requireContext('cuMemGetAddressRange');
  cu.cuMemGetAddressRange(baseSlot, sizeSlot, address);
  return { base: take(baseSlot), byteLength: Number(take(sizeSlot)) };
}

/** False where the driver has no answer: unknown memory, an unknown attribute, an invalid context. */
function ask(attribute: number, address: DevicePointer, out: typeof wide | typeof int): boolean {
  wide[0] = 0n;
  int[0] = 0;
  const status = attempt('cuPointerGetAttribute', out, attribute, address);
  if (status === 0) return true;
  if (ANSWERS.includes(status)) return false;
  throw callError('cuPointerGetAttribute', status);
}

const INVALID_CONTEXT = statuses.CUDA_ERROR_INVALID_CONTEXT[0];
const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];
const ANSWERS: readonly number[] = [INVALID_VALUE, INVALID_CONTEXT, NOT_SUPPORTED];
