import { Handle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { AddressHolder } from '../../core/struct.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, cleanup, cu } from '../call.ts';
import { requireContext, currentDevice } from '../device/context.ts';
import { whenIdle } from '../device/idle.ts';
import type { DevicePointer } from './device-pointer.ts';
import { Device } from '../device/device.ts';
import { accessDescription, accessName, packLocation, type MemAccess } from './mem-location.ts';
import { allocate, sliceOf, type DeviceSlice } from './memory.ts';
import { MemAllocationType, MemGranularity, MemHandleType } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type PhysicalHandle = Opaque<'CUmemGenericAllocationHandle'>;

/** How physical memory is made. */
export interface PhysicalMemoryOptions {
  /** Where it lies; the current context's device by default. */
  readonly device?: Device;
  /** Let other processes map it, by {@link PhysicalMemory.exportHandle}; Linux only. */
  readonly shareable?: boolean;
}

/** A mapping of physical memory into an address range. */
interface Mapping {
  readonly byteLength: number;
  readonly memory: Handle<PhysicalHandle>;
}

const sizeSlot = slotOf('size_t');
const physicalSlot = slotOf('CUmemGenericAllocationHandle');
const pointerSlot = slotOf('CUdeviceptr');
const ulongSlot = slotOf('unsigned long long');
const intSlot = slotOf('int');

/**
 * The unit of which sizes and offsets of physical memory and mappings are multiples, in bytes.
 *
 * @param options - `device`: the current context's by default; `recommended`: the unit for the best speed, not the least
 * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_SUPPORTED: the device maps no memory
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html | cuMemGetAllocationGranularity}
 */
export function memGranularity(options: { readonly device?: Device; readonly recommended?: boolean } = {}): number {
  checkOptions(options, ['device', 'recommended'], 'memGranularity');
  const option = options.recommended ? MemGranularity.RECOMMENDED : MemGranularity.MINIMUM;
  cu.cuMemGetAllocationGranularity(sizeSlot, propertiesOf(options.device, false, 'memGranularity'), option);
  return Number(take(sizeSlot));
}

/**
 * Device memory without an address: map it into an {@link AddressRange}, into several, or in another process.
 *
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html | Virtual memory management}
 */
export class PhysicalMemory extends Resource<PhysicalHandle> {
  /** Its size in bytes. */
  readonly byteLength: number;

  /**
   * Allocate physical memory.
   *
   * @param byteLength - in bytes, a multiple of {@link memGranularity}
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   * @throws {@link CudaLogicError} CUDA_ERROR_INVALID_VALUE: the size is not a multiple
   */
  constructor(byteLength: number, options?: PhysicalMemoryOptions);
  /** @internal */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- the second one is not public
  constructor(byteLength: number, options: PhysicalMemoryOptions, adopted: Handle<PhysicalHandle>);
  constructor(byteLength: number, options: PhysicalMemoryOptions = {}, adopted?: Handle<PhysicalHandle>) {
    const bytes = checkInteger(byteLength, 'PhysicalMemory: byteLength', 1);
    checkOptions(options, ['device', 'shareable'], 'PhysicalMemory');
    super(adopted ?? create(bytes, options));
    this.byteLength = bytes;
  }

  /**
   * Use physical memory of another process.
   *
   * @param descriptor - what {@link PhysicalMemory.exportHandle} gave there, as this process knows it
   * @param byteLength - the memory's size in bytes, which the descriptor does not tell
   */
  static fromHandle(descriptor: number, byteLength: number): PhysicalMemory {
    const fd = checkInteger(descriptor, 'PhysicalMemory.fromHandle: the descriptor', 0, 0x7fff_ffff);
    const bytes = checkInteger(byteLength, 'PhysicalMemory.fromHandle: byteLength', 1);
    // The descriptor itself travels where an address would.
    cu.cuMemImportFromShareableHandle(physicalSlot, BigInt(fd), MemHandleType.POSIX_FILE_DESCRIPTOR);
    return new PhysicalMemory(bytes, {}, own());
  }

  /**
   * A file descriptor of the memory for another process; the caller closes it (`fs.closeSync`).
   *
   * @throws {@link CudaLogicError} the memory was not made with `shareable`
   */
  exportHandle(): number {
    cu.cuMemExportToShareableHandle(intSlot, this.use('exportHandle'), MemHandleType.POSIX_FILE_DESCRIPTOR, 0);
    return take(intSlot);
  }
}

/**
 * Addresses without memory. Map physical memory into it piece by piece: an array that grows keeps its address.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { AddressRange, currentDevice, memGranularity, PhysicalMemory } from 'rawkernel/cuda';
 *
 * if (currentDevice().virtualMemoryManagementSupported === 1) {
 *   const unit = memGranularity();
 *   using range = new AddressRange(4 * unit);
 *   using memory = new PhysicalMemory(unit);
 *   range.map(0, memory);
 *   range.setAccess(currentDevice(), 'readwrite');
 * }
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VA.html | cuMemAddressReserve}
 */
export class AddressRange extends Resource<DevicePointer> implements AddressHolder {
  /** Its size in bytes. */
  readonly byteLength: number;
  readonly #mappings: Map<number, Mapping>;
  readonly #context: ReturnType<typeof requireContext>;

  /**
   * Reserve addresses.
   *
   * @param byteLength - in bytes, a multiple of {@link memGranularity}
   * @param options - `alignment` of the start in bytes, a power of two; `address`: a wish for the start
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY: no addresses are left
   */
  constructor(byteLength: number, options: { readonly alignment?: number; readonly address?: bigint } = {}) {
    const bytes = checkInteger(byteLength, 'AddressRange: byteLength', 1);
    checkOptions(options, ['alignment', 'address'], 'AddressRange');
    const alignment = checkInteger(options.alignment ?? 0, 'AddressRange: alignment');
    const { address = 0n } = options;
    if (typeof address !== 'bigint')
      throw new TypeError(`AddressRange: address must be a bigint, got ${nameOf(address)}`);
    const context = requireContext('cuMemAddressReserve');
    cu.cuMemAddressReserve(pointerSlot, bytes, alignment, address as DevicePointer, 0);
    const mappings = new Map<number, Mapping>();
    super(reserved(context, take(pointerSlot), bytes, mappings));
    this.byteLength = bytes;
    this.#mappings = mappings;
    this.#context = context;
  }

  /** The first address, borrowed: good until {@link AddressRange.close}. */
  get ptr(): DevicePointer {
    return this.use('ptr');
  }

  /** A part of the range, for copies and kernel arguments; see {@link DeviceAllocation.slice}. */
  slice(byteOffset: number, byteLength?: number): DeviceSlice {
    return sliceOf(this, this.byteLength, byteOffset, byteLength);
  }

  /**
   * Put physical memory behind a part of the range. No access is allowed before {@link AddressRange.setAccess}.
   *
   * @param byteOffset - in the range, a multiple of {@link memGranularity}
   * @param memory - all of it is mapped; it stays alive as long as the mapping
   * @throws RangeError it does not lie inside
   * @throws {@link CudaLogicError} something is mapped there already
   */
  map(byteOffset: number, memory: PhysicalMemory): void {
    const offset = checkInteger(byteOffset, 'AddressRange.map: byteOffset');
    if (!(memory instanceof PhysicalMemory)) {
      throw new TypeError(`AddressRange.map takes PhysicalMemory, got ${nameOf(memory)}`);
    }
    const { byteLength } = memory;
    if (offset + byteLength > this.byteLength) {
      throw new RangeError(`AddressRange.map: ${offset} + ${byteLength} bytes; the range has ${this.byteLength}`);
    }
    const record = handleOf(memory, 'AddressRange.map');
    cu.cuMemMap((this.use('map') + BigInt(offset)) as DevicePointer, byteLength, 0, record.value, 0);
    this.#mappings.set(offset, { byteLength, memory: record.retain() });
  }

  /**
   * Take the memory at an offset away again.
   *
   * Host: blocks until the context has finished what it was doing.
   *
   * @throws RangeError nothing was mapped at exactly this offset
   */
  unmap(byteOffset: number): void {
    const offset = checkInteger(byteOffset, 'AddressRange.unmap: byteOffset');
    const base = this.use('unmap');
    const mapping = this.#mappings.get(offset);
    if (!mapping) throw new RangeError(`AddressRange.unmap: nothing was mapped at ${offset}`);
    this.#mappings.delete(offset);
    whenIdle(this.#context, [handleOf(this, 'unmap')], () => {
      unmapOne(base, offset, mapping);
    });
  }

  /**
   * Say what a device may do with a mapped part of the range.
   *
   * @param byteOffset - where the part begins; 0 by default
   * @param byteLength - in bytes; by default up to the end of what is mapped without a gap from there
   */
  setAccess(device: Device, access: MemAccess, byteOffset = 0, byteLength?: number): void {
    const description = accessDescription(device, access, 'AddressRange.setAccess');
    const offset = checkInteger(byteOffset, 'AddressRange.setAccess: byteOffset');
    const bytes = checkInteger(byteLength ?? this.#mappedFrom(offset), 'AddressRange.setAccess: byteLength', 1);
    if (offset + bytes > this.byteLength) {
      throw new RangeError(`AddressRange.setAccess: ${offset} + ${bytes} bytes; the range has ${this.byteLength}`);
    }
    cu.cuMemSetAccess((this.use('setAccess') + BigInt(offset)) as DevicePointer, bytes, description, 1);
  }

  /** What a device may do with the memory at an offset. */
  getAccess(device: Device, byteOffset = 0): MemAccess {
    const location = BigUint64Array.of(packLocation(device, 'AddressRange.getAccess: the device'));
    const offset = checkInteger(byteOffset, 'AddressRange.getAccess: byteOffset', 0, this.byteLength - 1);
    cu.cuMemGetAccess(ulongSlot, location, (this.use('getAccess') + BigInt(offset)) as DevicePointer);
    return accessName(Number(take(ulongSlot)));
  }

  #mappedFrom(offset: number): number {
    let end = offset;
    for (let mapping = this.#mappings.get(end); mapping; mapping = this.#mappings.get(end)) end += mapping.byteLength;
    return end - offset;
  }
}

/** In a function of its own: the record must not keep the wrapper from the collector. */
function reserved(
  context: ReturnType<typeof requireContext>,
  base: DevicePointer,
  byteLength: number,
  mappings: Map<number, Mapping>,
): Handle<DevicePointer> {
  const free = (address: DevicePointer): void => {
    const end = (): void => {
      for (const [offset, mapping] of mappings) unmapOne(address, offset, mapping);
      mappings.clear();
      cleanup('cuMemAddressFree', address, byteLength);
    };
    if (mappings.size > 0) whenIdle(context, [], end);
    else end();
  };
  return new Handle('AddressRange', base, free, [context]);
}

function unmapOne(base: DevicePointer, offset: number, { byteLength, memory }: Mapping): void {
  cleanup('cuMemUnmap', (base + BigInt(offset)) as DevicePointer, byteLength);
  memory.release();
}

function create(byteLength: number, options: PhysicalMemoryOptions): Handle<PhysicalHandle> {
  const properties = propertiesOf(options.device, options.shareable === true, 'PhysicalMemory');
  allocate('cuMemCreate', byteLength, () => attempt('cuMemCreate', physicalSlot, byteLength, properties, 0));
  return own();
}

function own(): Handle<PhysicalHandle> {
  return new Handle('PhysicalMemory', take(physicalSlot) as PhysicalHandle, (memory) => {
    cleanup('cuMemRelease', memory);
  });
}

function propertiesOf(device: unknown, shareable: boolean, what: string): DataView {
  const on = device === undefined ? currentDevice() : device;
  if (!(on instanceof Device)) throw new TypeError(`${what}: device must be a Device, got ${nameOf(on)}`);
  const { size, fields } = structs.CUmemAllocationProp;
  const view = new DataView(new ArrayBuffer(size));
  view.setInt32(fields.type, MemAllocationType.PINNED, true);
  const type = shareable ? MemHandleType.POSIX_FILE_DESCRIPTOR : MemHandleType.NONE;
  view.setInt32(fields.requestedHandleTypes, type, true);
  view.setBigUint64(fields.location, packLocation(on, what), true);
  return view;
}
