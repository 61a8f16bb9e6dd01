import { Handle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { trueByteLength } from '../../core/host-memory.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { callError, cleanup, cu } from '../call.ts';
import { requireContext, currentDevice } from '../device/context.ts';
import { Device } from '../device/device.ts';
import {
  accessDescription,
  accessName,
  packLocation,
  type MemAccess,
  type MemLocation,
} from '../memory/mem-location.ts';
import { allocateOnStream, ownOnStream, StreamAllocation } from './stream-allocation.ts';
import type { Stream } from '../stream/stream.ts';
import { MemAllocationType, MemHandleType, MemPoolAttribute, status } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUmemoryPool = Opaque<'CUmemoryPool'>;

/** How a pool is made. */
export interface MemPoolOptions {
  /** Whose kernels use its memory, which lies there by default; the current context's device by default. */
  readonly device?: Device;
  /**
   * Memory of the host instead, or of one of its NUMA nodes, which the device reaches all the same: for what is too much for
   * the device, and for small things that both sides use. `device.hostMemoryPoolsSupported` and
   * `hostNumaMemoryPoolsSupported` tell whether there is such a thing.
   */
  readonly location?: Exclude<MemLocation, Device>;
  /** The most that it takes, in bytes; no limit by default. */
  readonly maxBytes?: number;
  /** See {@link MemPool.releaseThreshold}. */
  readonly releaseThreshold?: number;
  /** Let other processes use it, by {@link MemPool.exportHandle}; Linux only. */
  readonly shareable?: boolean;
}

/** Bytes now, and the most since the mark was reset. */
export interface MemPoolUse {
  readonly current: number;
  readonly high: number;
}

const NOT_SUPPORTED = status.CUDA_ERROR_NOT_SUPPORTED[0];
const U64_MAX = (1n << 64n) - 1n;
const memoryPoolSlot = slotOf('CUmemoryPool');
const pointerSlot = slotOf('CUdeviceptr');
const wideSlot = slotOf('cuuint64_t');
const memAccessFlagsSlot = slotOf('CUmemAccess_flags');
const intSlot = slotOf('int');

/**
 * A pool of device memory for allocations in stream order. What is freed stays in the pool for the next allocation;
 * at a synchronization the pool gives back to the system what it holds above its release threshold.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { MemPool, Stream } from 'rawkernel/cuda';
 *
 * using pool = new MemPool({ releaseThreshold: 64 << 20 });
 * using stream = new Stream();
 * pool.alloc(1 << 20, stream).freeAsync();
 * stream.synchronize();
 * pool.trimTo(0);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html | Stream-ordered allocation}
 */
export class MemPool extends Resource<CUmemoryPool> {
  /** Whose kernels use its memory. */
  readonly device: Device;
  /** Where its memory lies: the device, or a place of the host. */
  readonly location: MemLocation;

  /**
   * Create a pool.
   *
   * @throws TypeError a pool of `location: 'host'` is to be shareable, which such pools are not
   * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_SUPPORTED: the device has no pools, or the platform no descriptors
   * @throws {@link CudaLogicError} no context is current, and no device is given
   */
  constructor(options?: MemPoolOptions);
  /** @internal */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- the second one is not public
  constructor(options: MemPoolOptions, adopted: Handle<CUmemoryPool>);
  constructor(options: MemPoolOptions = {}, adopted?: Handle<CUmemoryPool>) {
    checkOptions(options, ['device', 'location', 'maxBytes', 'releaseThreshold', 'shareable'], 'MemPool');
    const device = checkDevice(options.device, 'MemPool: device');
    const threshold = checkBytes(options.releaseThreshold ?? 0, 'releaseThreshold');
    super(adopted ?? create(device, options));
    this.device = device;
    this.location = options.location ?? device;
    try {
      // A pool of the host is the host's alone at first.
      if (!(this.location instanceof Device)) this.setAccess(device, 'readwrite');
      if (options.releaseThreshold === undefined) return;
      this.#set(MemPoolAttribute.RELEASE_THRESHOLD, threshold, 'releaseThreshold');
    } catch (error) {
      super.close();
      throw error;
    }
  }

  /** The pool that a device has from the start. Closing it only forgets it. */
  static default(device?: Device): MemPool {
    const of = checkDevice(device, 'MemPool.default');
    cu.cuDeviceGetDefaultMemPool(memoryPoolSlot, of.raw);
    return borrow(of);
  }

  /** The pool from which {@link memAllocAsync} takes now. Closing it only forgets it. */
  static current(device?: Device): MemPool {
    const of = checkDevice(device, 'MemPool.current');
    cu.cuDeviceGetMemPool(memoryPoolSlot, of.raw);
    return borrow(of);
  }

  /**
   * Use a pool of another process.
   *
   * @param descriptor - what {@link MemPool.exportHandle} gave there, as this process knows it: passed on at its start
   *   (`stdio`), or over a socket
   * @param device - where the memory lies
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html | cuMemPoolImportFromShareableHandle}
   */
  static fromHandle(descriptor: number, device?: Device): MemPool {
    const fd = checkInteger(descriptor, 'MemPool.fromHandle: the descriptor', 0, 0x7fff_ffff);
    const on = checkDevice(device, 'MemPool.fromHandle: device');
    // The descriptor itself travels where an address would.
    cu.cuMemPoolImportFromShareableHandle(memoryPoolSlot, BigInt(fd), MemHandleType.POSIX_FILE_DESCRIPTOR, 0);
    return new MemPool({ device: on }, owned());
  }

  /**
   * Allocate from this pool; see {@link memAllocAsync}. Host: does not block. Stream: ordered.
   *
   * @param byteLength - in bytes, at least 1
   * @param stream - the legacy default stream where none is given
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   */
  alloc(byteLength: number, stream: Stream | null = null): StreamAllocation {
    return allocateOnStream(byteLength, stream, handleOf(this, 'alloc'), 'MemPool.alloc');
  }

  /**
   * Have {@link memAllocAsync} take from this pool on its device from now on.
   *
   * @throws TypeError it is a pool of the host
   */
  makeCurrent(): void {
    if (!(this.location instanceof Device)) {
      throw new TypeError('MemPool.makeCurrent: a pool of the host cannot be the one of a device; use MemPool.alloc');
    }
    cu.cuDeviceSetMemPool(this.device.raw, this.use('makeCurrent'));
  }

  /**
   * Release unused memory to the system.
   *
   * Host: may block.
   *
   * @param keepBytes - how much the pool may keep
   */
  trimTo(keepBytes = 0): void {
    const bytes = checkInteger(keepBytes, 'MemPool.trimTo: keepBytes');
    cu.cuMemPoolTrimTo(this.use('trimTo'), bytes);
  }

  /** Bytes that the pool keeps at a synchronization; `Infinity` for all. 0 at first. */
  get releaseThreshold(): number {
    const bytes = this.#get(MemPoolAttribute.RELEASE_THRESHOLD, 'releaseThreshold');
    return bytes === U64_MAX ? Infinity : Number(bytes);
  }

  set releaseThreshold(bytes: number) {
    this.#set(MemPoolAttribute.RELEASE_THRESHOLD, checkBytes(bytes, 'releaseThreshold'), 'releaseThreshold');
  }

  /** Whether memory freed on one stream may go to another that waited for it by an event. */
  get reuseFollowEventDependencies(): boolean {
    return this.#getFlag(MemPoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES, 'reuseFollowEventDependencies');
  }

  set reuseFollowEventDependencies(on: boolean) {
    this.#setFlag(MemPoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES, on, 'reuseFollowEventDependencies');
  }

  /** Whether memory freed on one stream may go to another when the free happens to be done. */
  get reuseAllowOpportunistic(): boolean {
    return this.#getFlag(MemPoolAttribute.REUSE_ALLOW_OPPORTUNISTIC, 'reuseAllowOpportunistic');
  }

  set reuseAllowOpportunistic(on: boolean) {
    this.#setFlag(MemPoolAttribute.REUSE_ALLOW_OPPORTUNISTIC, on, 'reuseAllowOpportunistic');
  }

  /** Whether the driver may let a stream wait for another so that it can have its memory. */
  get reuseAllowInternalDependencies(): boolean {
    return this.#getFlag(MemPoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES, 'reuseAllowInternalDependencies');
  }

  set reuseAllowInternalDependencies(on: boolean) {
    this.#setFlag(MemPoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES, on, 'reuseAllowInternalDependencies');
  }

  /** Memory that the pool has from the system, in bytes. */
  get reserved(): MemPoolUse {
    return {
      current: Number(this.#get(MemPoolAttribute.RESERVED_MEM_CURRENT, 'reserved')),
      high: Number(this.#get(MemPoolAttribute.RESERVED_MEM_HIGH, 'reserved')),
    };
  }

  /** Memory of the pool that is allocated, in bytes. */
  get used(): MemPoolUse {
    return {
      current: Number(this.#get(MemPoolAttribute.USED_MEM_CURRENT, 'used')),
      high: Number(this.#get(MemPoolAttribute.USED_MEM_HIGH, 'used')),
    };
  }

  /** Begin anew with the marks `reserved.high` and `used.high`. */
  resetHighMarks(): void {
    this.#set(MemPoolAttribute.RESERVED_MEM_HIGH, 0n, 'resetHighMarks');
    this.#set(MemPoolAttribute.USED_MEM_HIGH, 0n, 'resetHighMarks');
  }

  /**
   * Let another device use the pool's memory, or no longer.
   *
   * @throws {@link CudaRuntimeError} the devices cannot reach each other (`device.canAccessPeer`)
   */
  setAccess(device: Device, access: MemAccess): void {
    const description = accessDescription(device, access, 'MemPool.setAccess');
    cu.cuMemPoolSetAccess(this.use('setAccess'), description, 1);
  }

  /** What a device may do with the pool's memory. */
  getAccess(device: Device): MemAccess {
    const location = BigUint64Array.of(packLocation(device, 'MemPool.getAccess: the device'));
    cu.cuMemPoolGetAccess(memAccessFlagsSlot, this.use('getAccess'), location);
    return accessName(take(memAccessFlagsSlot));
  }

  /**
   * A file descriptor of the pool for another process; the caller closes it (`fs.closeSync`).
   *
   * @throws {@link CudaLogicError} the pool was not made with `shareable`
   */
  exportHandle(): number {
    cu.cuMemPoolExportToShareableHandle(intSlot, this.use('exportHandle'), MemHandleType.POSIX_FILE_DESCRIPTOR, 0);
    return take(intSlot);
  }

  /** 64 bytes that name an allocation of a shareable pool to a process that has the pool. */
  static exportPointer(memory: StreamAllocation): Uint8Array<ArrayBuffer> {
    if (!(memory instanceof StreamAllocation)) {
      throw new TypeError(`MemPool.exportPointer takes memory of memAllocAsync, got ${nameOf(memory)}`);
    }
    const bytes = new Uint8Array(structs.CUmemPoolPtrExportData.size);
    cu.cuMemPoolExportPointer(bytes, memory.ptr);
    return bytes;
  }

  /**
   * Use an allocation of another process, of a pool that was made by {@link MemPool.fromHandle}. It must be closed here
   * before it is freed there.
   *
   * @param data - what {@link MemPool.exportPointer} gave there
   * @param byteLength - the allocation's size in bytes, which the data does not tell
   * @param stream - on which it is closed; the legacy default stream where none is given
   */
  importPointer(data: Uint8Array, byteLength: number, stream: Stream | null = null): StreamAllocation {
    if (!ArrayBuffer.isView(data) || trueByteLength(data) !== structs.CUmemPoolPtrExportData.size) {
      throw new TypeError(`MemPool.importPointer takes the 64 bytes of exportPointer, got ${nameOf(data)}`);
    }
    const bytes = checkInteger(byteLength, 'MemPool.importPointer: byteLength', 1);
    const pool = handleOf(this, 'importPointer');
    const context = requireContext('cuMemPoolImportPointer');
    cu.cuMemPoolImportPointer(pointerSlot, pool.value, data);
    return ownOnStream(take(pointerSlot), bytes, stream, [context, pool]);
  }

  /** The driver's `CUmemoryPool`, borrowed: good until {@link MemPool.close}. */
  get handle(): CUmemoryPool {
    return this.use('handle');
  }

  #get(attribute: number, method: string): bigint {
    wideSlot[0] = 0n;
    cu.cuMemPoolGetAttribute(this.use(method), attribute, wideSlot);
    return take(wideSlot);
  }

  #set(attribute: number, value: bigint, method: string): void {
    wideSlot[0] = value;
    cu.cuMemPoolSetAttribute(this.use(method), attribute, wideSlot);
  }

  #getFlag(attribute: number, method: string): boolean {
    cu.cuMemPoolGetAttribute(this.use(method), attribute, intSlot);
    return take(intSlot) === 1;
  }

  #setFlag(attribute: number, on: unknown, method: string): void {
    if (typeof on !== 'boolean') throw new TypeError(`MemPool.${method} must be true or false, got ${nameOf(on)}`);
    intSlot[0] = on ? 1 : 0;
    cu.cuMemPoolSetAttribute(this.use(method), attribute, intSlot);
  }
}

function create(device: Device, options: MemPoolOptions): Handle<CUmemoryPool> {
  const { shareable = false, maxBytes = 0, location = device } = options;
  if (location === 'host' && shareable) {
    throw new TypeError("MemPool: a pool of location 'host' cannot be shareable; one of { numaNode } can");
  }
  if (shareable && process.platform === 'win32') {
    const reason = 'Pools are shared by file descriptors, which this platform does not have';
    throw callError('cuMemPoolCreate', NOT_SUPPORTED, { reason });
  }
  const { size, fields } = structs.CUmemPoolProps;
  const props = new DataView(new ArrayBuffer(size));
  props.setInt32(fields.allocType, MemAllocationType.PINNED, true);
  props.setInt32(fields.handleTypes, shareable ? MemHandleType.POSIX_FILE_DESCRIPTOR : MemHandleType.NONE, true);
  props.setBigUint64(fields.location, packLocation(location, 'MemPool: location'), true);
  props.setBigUint64(fields.maxSize, BigInt(checkInteger(maxBytes, 'MemPool: maxBytes')), true);
  cu.cuMemPoolCreate(memoryPoolSlot, props);
  return owned();
}

/** The owner of the pool that the driver has just given. A pool belongs to a device and needs no context to go. */
function owned(): Handle<CUmemoryPool> {
  return new Handle('MemPool', take(memoryPoolSlot), (pool) => {
    cleanup('cuMemPoolDestroy', pool);
  });
}

function borrow(device: Device): MemPool {
  return new MemPool({ device }, new Handle('MemPool', take(memoryPoolSlot), undefined));
}

function checkDevice(device: unknown, what: string): Device {
  if (device === undefined) return currentDevice();
  if (!(device instanceof Device)) throw new TypeError(`${what} must be a Device, got ${nameOf(device)}`);
  return device;
}

function checkBytes(bytes: unknown, what: string): bigint {
  return bytes === Infinity ? U64_MAX : BigInt(checkInteger(bytes, `MemPool: ${what}`));
}
