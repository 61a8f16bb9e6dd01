import { asarray } from '../../array/create.ts';
import type { LaneOptions } from '../../array/engine.ts';
import { memoryOf, type NDArray as AnyNDArray, viewOf } from '../../array/ndarray.ts';
import { checkOpen } from '../../array/operand.ts';
import { arrayDTypes } from '../../array/dtype.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { cu } from '../call.ts';
import { fromDLPack, toDLPack, type DLPackExport, type DLPackOptions } from '../interop/dlpack.ts';
import { TensorView } from '../interop/tensor-view.ts';
import { MemoryPart } from '../lifetime/memory-part.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { currentEngine } from './engine.ts';
import type { OwnMemory } from './memory.ts';
import { NDArray } from './ndarray.ts';

/** How a tensor of another library is taken over. */
export interface FromDlpackOptions extends LaneOptions, DLPackOptions {}

/** The memory from an array's first element on, whatever its strides. */
class ArrayPart extends MemoryPart {
  readonly #array: AnyNDArray;

  constructor(array: AnyNDArray) {
    super(array);
    this.#array = array;
  }

  get ptr(): DevicePointer {
    const { offset, itemsize } = this.#array;
    return (this.#array.use('ptr') + BigInt(offset * itemsize)) as DevicePointer;
  }

  get byteLength(): number {
    const { offset, itemsize } = this.#array;
    return memoryOf(this.#array).byteLength - offset * itemsize;
  }
}

/**
 * Export an array as DLPack's C struct, for a library in this process. Its memory lives as long as the export and the array.
 *
 * Host: blocks until the work that has used the array is done.
 *
 * @throws `CudaLogicError` CUDA_ERROR_NOT_SUPPORTED: on the embedded CPU device
 * @throws RangeError strides that are negative
 * @see {@link https://dmlc.github.io/dlpack/latest/c_api.html | DLPack}
 */
export function toDlpack(array: AnyNDArray, options: DLPackOptions = {}): DLPackExport {
  checkOpen(array, 'toDlpack');
  if (!(array instanceof NDArray)) {
    throw new TypeError(`toDlpack: the array must be one in CUDA memory, got ${nameOf(array)}`);
  }
  const { shape, strides, dtype } = array as AnyNDArray;
  if (strides.some((stride) => stride < 0)) {
    throw new RangeError(`toDlpack: strides must not be negative, got [${strides.join(', ')}]; write copy() first`);
  }
  const { size } = arrayDTypes[dtype];
  const view = viewOf(array as AnyNDArray, array);
  try {
    const bytes = strides.map((stride) => stride * size);
    const made = toDLPack(new TensorView(new ArrayPart(view), { shape, dtype, strides: bytes }), options);
    cu.cuStreamSynchronize((memoryOf(view) as OwnMemory).order.end());
    return made;
  } catch (error) {
    view.close();
    throw error;
  }
}

/**
 * Take over a tensor of another library as an array, without a copy: its deleter is called once the array and its views are
 * closed. What writes it has to be done, or to be on the given stream.
 *
 * @param address - of a `DLManagedTensor`, or a `DLManagedTensorVersioned` with `versioned`
 * @throws TypeError nothing is at the address, or it is not a tensor of CUDA memory
 * @throws `CudaLogicError` CUDA_ERROR_NOT_SUPPORTED: on the embedded CPU device
 */
export function fromDlpack(address: bigint, options: FromDlpackOptions = {}): AnyNDArray {
  checkOptions(options, ['versioned', 'stream', 'queue'], 'fromDlpack');
  const { versioned, ...lanes } = options;
  const engine = currentEngine();
  engine.laneOf(lanes, 'fromDlpack');
  const { tensor, owner } = fromDLPack(address, versioned === undefined ? {} : { versioned });
  try {
    return asarray(engine, tensor, lanes, 'fromDlpack');
  } finally {
    owner.close();
  }
}
