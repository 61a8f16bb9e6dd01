import { Handle } from '../../core/handle.ts';
import type { ElementsOf, Known } from '../../core/typed/element.ts';
import { tagOfArray, type ElementTag } from '../../core/element-tag.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { checkMade } from '../../core/maker.ts';
import { closeOnce, Resource } from '../../core/resource.ts';
import { pin } from '../../core/pin.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { attempt, callError, cu } from '../call.ts';
import { requireContext, destroyIn, inContext } from '../device/context.ts';
import { whenIdle } from '../device/idle.ts';
import type { DevicePointer } from './device-pointer.ts';
import { HostRegisterFlags, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type HostPointer = Opaque<'host memory'>;

const INVALID_VALUE = statuses.CUDA_ERROR_INVALID_VALUE[0];
const ALREADY_REGISTERED = statuses.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED[0];
const PAGE = 4096n;
const slot = slotOf('CUdeviceptr');

/**
 * An array of this program's whose pages are locked: copies to and from it are as fast as with
 * {@link pagelockedEmpty}. Made by {@link registerHostMemory}; it keeps the array alive until it is unregistered.
 */
export class RegisteredHostMemory<A extends HostMemory = HostMemory> extends Resource<HostPointer> {
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<ElementsOf<A>>;
  /** The array. */
  readonly base: A;
  /** Its size in bytes. */
  readonly byteLength: number;
  /** @internal */
  elementTag: ElementTag;
  readonly #context: ReturnType<typeof requireContext>;
  readonly #address: HostPointer;

  /** @internal */
  constructor(handle: Handle<HostPointer>, base: A, address: HostPointer, context: ReturnType<typeof requireContext>) {
    checkMade(handle instanceof Handle, 'RegisteredHostMemory', 'write registerHostMemory(array)');
    super(handle);
    this.base = base;
    this.byteLength = base.byteLength;
    this.elementTag = tagOfArray(base);
    this.#address = address;
    this.#context = context;
  }

  /**
   * Unlock the pages.
   *
   * Host: blocks until the context has finished what it was doing, because a copy may still use the pages.
   *
   * @throws {@link ClosedError} they were unlocked before
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemHostUnregister}
   */
  unregister(): void {
    closeOnce(this, 'unregister');
  }

  /**
   * The address under which kernels see the array, borrowed: good until it is unregistered.
   *
   * @throws {@link CudaLogicError} the device does not see it; on some, it takes {@link HostRegisterFlags}.DEVICEMAP
   * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_SUPPORTED: no array of the host is in the device's reach
   */
  get ptr(): DevicePointer {
    const registered = this.use('ptr');
    inContext(this.#context, () => cu.cuMemHostGetDevicePointer(slot, registered, 0));
    return (take(slot) + (this.#address - registered)) as DevicePointer;
  }
}

/**
 * Lock the pages under an existing array, so that copies to and from it need no staging and overlap. The
 * array may begin and end anywhere: whole pages are locked where the driver asks for that.
 *
 * Host: may block; locking takes about as long as writing the array once. Do it for arrays that are copied often.
 *
 * @param array - a typed array, a Buffer, a DataView, or a whole (shared) ArrayBuffer, not a resizable one
 * @param flags - {@link HostRegisterFlags}: DEVICEMAP, READ_ONLY, IOMEMORY; PORTABLE is always on
 * @returns the owner of the lock, which keeps the array alive
 * @throws TypeError no host memory, or a detached or resizable array
 * @throws RangeError the array is empty, or the flags are invalid
 * @throws {@link CudaLogicError} CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: a part of it is locked already
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, memcpyHtoDAsync, registerHostMemory, Stream } from 'rawkernel/cuda';
 *
 * const array = new Float32Array(1 << 20).fill(1);
 * using registered = registerHostMemory(array);
 * using stream = new Stream();
 * using memory = memAlloc(registered.byteLength);
 * memcpyHtoDAsync(memory, array, stream);
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemHostRegister}
 */
export function registerHostMemory<A extends HostMemory>(array: A, flags = 0): RegisteredHostMemory<A> {
  const byteLength = hostByteLength(array, 'registerHostMemory: the array');
  // A small typed array may lie where the collector moves it, until its buffer is read.
  const memory: HostMemory = array;
  const buffer = ArrayBuffer.isView(memory) ? memory.buffer : memory;
  if ((buffer as { readonly resizable?: boolean }).resizable === true) {
    throw new TypeError(`registerHostMemory: the buffer of ${nameOf(array)} is resizable, so its pages may go`);
  }
  const wanted = checkInteger(flags, 'registerHostMemory: flags', 0, 15) | HostRegisterFlags.PORTABLE;
  const context = requireContext('cuMemHostRegister');
  const address = addressOf(array) as HostPointer;
  const start = lock(address, BigInt(byteLength), wanted);
  const handle = own(context, start, buffer);
  return new RegisteredHostMemory(handle, array, address, context);
}

/** Register exactly the array; where the driver requires whole pages, the pages of the array. Returns the registered memory. */
function lock(address: HostPointer, byteLength: bigint, flags: number): HostPointer {
  let start: bigint = address;
  let status = attempt('cuMemHostRegister', start, byteLength, flags);
  if (status === INVALID_VALUE) {
    const end = (address + byteLength + PAGE - 1n) & ~(PAGE - 1n);
    start = address & ~(PAGE - 1n);
    if (start !== address || end !== address + byteLength) {
      status = attempt('cuMemHostRegister', start, end - start, flags);
    }
  }
  if (status === 0) return start as HostPointer;
  const reason =
    status === ALREADY_REGISTERED
      ? 'A part of the array, or of the pages it shares with others, is page-locked already: unregister that first'
      : undefined;
  throw callError('cuMemHostRegister', status, {
    reason,
    facts: { array: `${byteLength} bytes`, flags: `0x${flags.toString(16)}` },
  });
}

/** The record holds the buffer: locked pages must not go back to the system. */
function own(
  context: ReturnType<typeof requireContext>,
  address: HostPointer,
  buffer: ArrayBufferLike,
): Handle<HostPointer> {
  const kept = [buffer];
  const unpin = pin(buffer, 'object');
  const unlock = (pointer: HostPointer): void => {
    // A context that is lost has nothing running any more: its pages can be unlocked all the same.
    whenIdle(context, [], () => {
      destroyIn(context, 'cuMemHostUnregister', pointer);
      kept.length = 0;
      unpin();
    });
  };
  return new Handle('RegisteredHostMemory', address, unlock, [context]);
}
