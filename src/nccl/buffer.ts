import { memoryOf, type NDArray as AnyNDArray } from '../array/ndarray.ts';
import { shapeText } from '../array/shape.ts';
import { nameOf } from '../core/check.ts';
import { tags } from '../core/element-tag.ts';
import type { AnyHandle } from '../core/handle.ts';
import type { OwnMemory } from '../cuda/array/memory.ts';
import { NDArray } from '../cuda/array/ndarray.ts';
import { attempt, callError } from '../cuda/call.ts';
import { noteUse, ownerOf } from '../cuda/lifetime/recording.ts';
import {
  deviceAddress,
  deviceElements,
  roomOf,
  type DeviceMemory,
  type DevicePointer,
} from '../cuda/memory/device-pointer.ts';
import { slotOf } from '../cuda/slots.ts';
import { recording } from '../cuda/captures.ts';
import type { Stream } from '../cuda/stream/stream.ts';
import { PointerAttribute, status } from '../cuda/sys/enums.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { take } from '../ffi/slot.ts';
import type { CommunicatorState } from './communicator-state.ts';

/** What a collective reads or writes: an array without gaps, or device memory with a dtype. */
export type NcclBuffer = AnyNDArray | DeviceMemory;

const [SUCCESS] = status.CUDA_SUCCESS;
const [INVALID_VALUE] = status.CUDA_ERROR_INVALID_VALUE;
const ordinalSlot = slotOf('int');
const DTYPES: ReadonlyMap<number, string> = new Map(
  Object.entries(tags).flatMap(([name, tag]) => (tag === 0 ? [] : [[tag, name] as const])),
);

/** Memory of one call, checked. */
export class Buffer {
  /** The argument's name in errors: `Communicator.allReduce: out`. */
  readonly what: string;
  readonly address: bigint;
  /** Bytes that are there; undefined behind an address. */
  readonly room: number | undefined;
  /** What the memory is known to hold; undefined where nothing is known. */
  readonly dtype: string | undefined;
  /** Elements of an array; undefined for memory that is not an array. */
  readonly size: number | undefined;
  readonly #array: OwnMemory | undefined;
  readonly #owner: AnyHandle | undefined;

  constructor(value: unknown, what: string, state: CommunicatorState) {
    this.what = what;
    if (value instanceof NDArray) {
      const array = value as NDArray;
      const base = array.use(what);
      checkFlat(array, what);
      this.address = base + BigInt(array.offset * array.itemsize);
      this.room = array.nbytes;
      this.dtype = array.dtype;
      this.size = array.size;
      this.#array = memoryOf(array) as OwnMemory;
      this.#owner = this.#array.handle;
      checkEngine(this.#array, state, what);
      return;
    }
    const address = deviceAddress(value);
    if (address === undefined || address === 0n) {
      throw new TypeError(`${what} must be an array in CUDA memory or device memory, got ${nameOf(value)}`);
    }
    this.address = address;
    this.room = roomOf(value);
    this.dtype = DTYPES.get(deviceElements(value));
    this.#owner = ownerOf(value, what);
    checkDevice(address as DevicePointer, state, what);
  }

  /** The stream of the last work on it. */
  get stream(): Stream | null {
    return this.#array?.lane ?? null;
  }

  /** Keep the memory until the handle is released. */
  retain(): AnyHandle | undefined {
    this.#owner?.retain();
    return this.#owner;
  }

  /** Have later work on a stream come after earlier uses, and later uses elsewhere after it. */
  use(stream: Stream | null, raw: Opaque<'CUstream'>, isWrite: boolean): void {
    if (this.#array) this.#array.order.use(stream, raw, isWrite, this.#array.handle);
    else if (recording.active > 0 && this.#owner) noteUse(this.#owner);
  }
}

function checkFlat(array: NDArray, what: string): void {
  if (array.isFlat) return;
  throw new TypeError(
    `${what} must be contiguous: elements one after another; got shape ${shapeText(array.shape)} with strides ${shapeText(array.strides)}. Pass .copy() of it`,
  );
}

function checkEngine(memory: OwnMemory, state: CommunicatorState, what: string): void {
  if (state.owns(memory.engine)) return;
  throw new TypeError(
    `${what} must be in the memory of device ${state.facts.context.device.ordinal}, that of the communicator (${state.title}), got an array of another context; make it while communicator.context is current`,
  );
}

function checkDevice(address: DevicePointer, state: CommunicatorState, what: string): void {
  const { ordinal } = state.facts.context.device;
  const code = attempt('cuPointerGetAttribute', ordinalSlot, PointerAttribute.DEVICE_ORDINAL, address);
  // Any other failure is about the context, which an earlier fault has lost.
  if (code !== SUCCESS && code !== INVALID_VALUE) throw callError('cuPointerGetAttribute', code);
  if (code === INVALID_VALUE) {
    throw new TypeError(
      `${what} must be device memory, got the address 0x${address.toString(16)}, which CUDA does not know`,
    );
  }
  const found = take(ordinalSlot);
  if (found === ordinal) return;
  throw new TypeError(
    `${what} must be in the memory of device ${ordinal}, that of the communicator (${state.title}), got memory of device ${found}`,
  );
}
