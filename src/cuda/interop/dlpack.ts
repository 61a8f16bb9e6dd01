import { Handle } from '../../core/handle.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { checkMade } from '../../core/maker.ts';
import { Resource } from '../../core/resource.ts';
import { callAddress } from '../../ffi/callback.ts';
import { allocateNative, freeFunction, freeNative } from '../../ffi/libc.ts';
import { copyOf } from '../../ffi/memory.ts';
import { currentDevice } from '../device/context.ts';
import { cudaError } from '../errors.ts';
import { isEmbedded } from '../selection.ts';
import { TENSOR_TYPES, TensorView, type TensorDType } from './tensor-view.ts';
import { status } from '../sys/enums.ts';

/** Offsets of DLPack's C structs, which stay as they are by its own rules. */
const TENSOR = {
  data: 0,
  deviceType: 8,
  deviceId: 12,
  rank: 16,
  code: 20,
  bits: 21,
  lanes: 22,
  shape: 24,
  strides: 32,
  byteOffset: 40,
  size: 48,
} as const;
const MANAGED = { tensor: 0, deleter: 56, size: 64 } as const;
const VERSIONED = { major: 0, minor: 4, deleter: 16, flags: 24, tensor: 32, size: 80 } as const;
const CUDA = 2;
const CUDA_MANAGED = 13;
const READ_ONLY = 1n;
const MAJOR = 1;
const NOT_SUPPORTED = status.CUDA_ERROR_NOT_SUPPORTED[0];
const MAX_RANK = 64;

/** How a tensor travels. */
export interface DLPackOptions {
  /** A `DLManagedTensorVersioned` (DLPack 1.0) instead of a `DLManagedTensor`. */
  readonly versioned?: boolean;
}

/**
 * A tensor for another library: a C struct that it takes over, and frees by its deleter, which is C's own `free`. The
 * *memory* of the tensor is kept alive by this object alone, since no JavaScript function may be called by that library:
 * close it when the other side is done.
 */
export class DLPackExport extends Resource<bigint> {
  readonly versioned: boolean;
  readonly #tensor: TensorView;
  readonly #state: { taken: boolean };

  /** @internal */
  constructor(handle: Handle<bigint>, tensor: TensorView, versioned: boolean, state: { taken: boolean }) {
    checkMade(handle instanceof Handle, 'DLPackExport', 'write toDLPack(tensor)');
    super(handle);
    this.versioned = versioned;
    this.#tensor = tensor;
    this.#state = state;
  }

  /** What was exported. */
  get tensor(): TensorView {
    this.use('tensor');
    return this.#tensor;
  }

  /**
   * Hand the struct over: from now on the consumer of the address calls its deleter. A second time throws; a struct that was
   * never handed over is freed with this object.
   *
   * @returns the address of the `DLManagedTensor` or `DLManagedTensorVersioned`
   */
  take(): bigint {
    const address = this.use('take');
    if (this.#state.taken) throw new TypeError('DLPackExport.take: the tensor was handed over before; export it again');
    this.#state.taken = true;
    return address;
  }
}

/** A tensor that another library made: closing it tells that library, by its deleter, that it may go. */
export class DLPackTensor extends Resource<bigint> {
  readonly #address: bigint;

  /** @internal */
  constructor(handle: Handle<bigint>, address: bigint) {
    checkMade(handle instanceof Handle, 'DLPackTensor', 'write fromDLPack(address)');
    super(handle);
    this.#address = address;
  }

  /** The device address of its memory, borrowed: good until {@link DLPackTensor.close}. */
  get ptr(): bigint {
    this.use('ptr');
    return this.#address;
  }
}

/**
 * Export a tensor as DLPack's C struct, for a library in this process.
 *
 * @throws {@link CudaLogicError} no context is current; CUDA_ERROR_NOT_SUPPORTED: on the embedded CPU device, whose
 * addresses mean nothing to other libraries
 * @throws TypeError no {@link TensorView}
 * @example
 * ```typescript
 * using shared = toDLPack(new TensorView(memory, { shape: [2, 3], dtype: 'f32' }));
 * takeTensor(shared.take());
 * ```
 * @see {@link https://dmlc.github.io/dlpack/latest/c_api.html | DLPack}
 */
export function toDLPack(tensor: TensorView, options: DLPackOptions = {}): DLPackExport {
  if (!(tensor instanceof TensorView)) throw new TypeError(`toDLPack takes a TensorView, got ${nameOf(tensor)}`);
  checkOptions(options, ['versioned'], 'toDLPack');
  refuseEmbedded('toDLPack');
  const { versioned = false } = options;
  const { shape, strides, dtype } = tensor;
  const [, code, bytes] = TENSOR_TYPES[dtype];
  if (strides.some((step) => step % bytes !== 0))
    throw new RangeError('DLPack counts strides in elements: strides must be multiples of the bytes of an element');
  const rank = shape.length;
  const head = versioned ? VERSIONED.size : MANAGED.size;
  const at = versioned ? VERSIONED.tensor : MANAGED.tensor;
  const ptr: bigint = tensor.ptr;
  const device = currentDevice().ordinal;
  const { address, view } = allocateNative(head + 16 * Math.max(1, rank));
  if (versioned) {
    view.setUint32(VERSIONED.major, MAJOR, true);
    view.setBigUint64(VERSIONED.flags, tensor.readOnly ? READ_ONLY : 0n, true);
  }
  view.setBigUint64(versioned ? VERSIONED.deleter : MANAGED.deleter, freeFunction(), true);
  view.setBigUint64(at + TENSOR.data, ptr, true);
  view.setInt32(at + TENSOR.deviceType, CUDA, true);
  view.setInt32(at + TENSOR.deviceId, device, true);
  view.setInt32(at + TENSOR.rank, rank, true);
  view.setUint8(at + TENSOR.code, code);
  view.setUint8(at + TENSOR.bits, 8 * bytes);
  view.setUint16(at + TENSOR.lanes, 1, true);
  view.setBigUint64(at + TENSOR.shape, address + BigInt(head), true);
  view.setBigUint64(at + TENSOR.strides, address + BigInt(head + 8 * rank), true);
  shape.forEach((size, i) => {
    view.setBigInt64(head + 8 * i, BigInt(size), true);
  });
  strides.forEach((step, i) => {
    view.setBigInt64(head + 8 * (rank + i), BigInt(step / bytes), true);
  });
  const state = { taken: false };
  const free = (struct: bigint): void => {
    if (!state.taken) freeNative(struct);
  };
  return new DLPackExport(new Handle('DLPackExport', address, free), tensor, versioned, state);
}

/**
 * Take over a tensor of another library. It has to be in CUDA memory, and what writes it has to be done, or to be on a
 * stream that the user orders before its use.
 *
 * @param address - of a `DLManagedTensor`, or a `DLManagedTensorVersioned` with `versioned`. On Linux an address of no memory is
 * refused; memory of another kind cannot be told.
 * @returns the array, and what owns it: close that when the array is no longer used
 * @throws TypeError nothing is at the address, or it is not a tensor of CUDA memory, or of an element type that {@link TensorDType} does not have
 * @throws RangeError a dimension or a stride that cannot be
 */
export function fromDLPack(
  address: bigint,
  options: DLPackOptions = {},
): { readonly tensor: TensorView; readonly owner: DLPackTensor } {
  if (typeof address !== 'bigint' || address <= 0n || address >= 1n << 64n) {
    throw new TypeError(`fromDLPack takes the address of a DLManagedTensor, got ${nameOf(address)}`);
  }
  checkOptions(options, ['versioned'], 'fromDLPack');
  refuseEmbedded('fromDLPack');
  const { versioned = false } = options;
  const view = new DataView(foreign(address, versioned ? VERSIONED.size : MANAGED.size, 'DLManagedTensor'));
  if (versioned && view.getUint32(VERSIONED.major, true) !== MAJOR) {
    throw new TypeError(`fromDLPack: DLPack ${view.getUint32(VERSIONED.major, true)} is not supported, ${MAJOR} is`);
  }
  const at = versioned ? VERSIONED.tensor : MANAGED.tensor;
  const deviceType = view.getInt32(at + TENSOR.deviceType, true);
  if (deviceType !== CUDA && deviceType !== CUDA_MANAGED) {
    throw new TypeError(`fromDLPack: the tensor is on a device of DLPack's type ${deviceType}, not in CUDA memory`);
  }
  const dtype = dtypeOf(view, at);
  const rank = view.getInt32(at + TENSOR.rank, true);
  if (rank < 0 || rank > MAX_RANK) throw new RangeError(`fromDLPack: ${rank} is not a number of dimensions`);
  const [, , bytes] = TENSOR_TYPES[dtype];
  const shape = sizesAt(view.getBigUint64(at + TENSOR.shape, true), rank) ?? [];
  const steps = sizesAt(view.getBigUint64(at + TENSOR.strides, true), rank);
  const ptr = view.getBigUint64(at + TENSOR.data, true) + view.getBigUint64(at + TENSOR.byteOffset, true);
  const deleter = view.getBigUint64(versioned ? VERSIONED.deleter : MANAGED.deleter, true);
  const destroy = (struct: bigint): void => {
    if (deleter !== 0n) callAddress(deleter, 'void (*)(void *)', [struct]);
  };
  const owner = new DLPackTensor(new Handle('DLPackTensor', address, destroy), ptr);
  const readOnly = versioned && (view.getBigUint64(VERSIONED.flags, true) & READ_ONLY) !== 0n;
  try {
    const strides = steps?.map((step) => step * bytes);
    const tensor = new TensorView(owner, { shape, dtype, readOnly, ...(strides ? { strides } : {}) });
    return { tensor, owner };
  } catch (error) {
    owner.close();
    throw error;
  }
}

function dtypeOf(view: DataView, at: number): TensorDType {
  const code = view.getUint8(at + TENSOR.code);
  const bits = view.getUint8(at + TENSOR.bits);
  const lanes = view.getUint16(at + TENSOR.lanes, true);
  const found = Object.entries(TENSOR_TYPES).find(([, [, own, bytes]]) => own === code && 8 * bytes === bits);
  if (found && lanes === 1) return found[0] as TensorDType;
  throw new TypeError(`fromDLPack: no element type has code ${code}, ${bits} bits and ${lanes} lanes here`);
}

function sizesAt(address: bigint, rank: number): number[] | undefined {
  if (address === 0n || rank === 0) return undefined;
  return [...new BigInt64Array(foreign(address, 8 * rank, 'list of sizes'))].map(Number);
}

function foreign(address: bigint, byteLength: number, what: string): ArrayBuffer {
  const copy = copyOf(address, byteLength);
  if (copy) return copy;
  throw new TypeError(`fromDLPack: no ${what} is at address 0x${address.toString(16)}: nothing can be read there`);
}

function refuseEmbedded(routine: string): void {
  if (!isEmbedded()) return;
  const reason = 'Addresses of the embedded CPU device are its own: other libraries cannot use them';
  throw cudaError(routine, NOT_SUPPORTED, { group: 'MEM', reason });
}
