import { memoryOf, NDArray as AnyNDArray } from '../../array/ndarray.ts';
import { NULL } from '../../ffi/ctype.ts';
import type { CudaArrayInterface } from '../memory/cuda-array.ts';
import type { OwnMemory } from './memory.ts';
import { arrayDTypes, type ArrayDType } from '../../array/dtype.ts';
import { shapeText } from '../../array/shape.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';

const LEGACY = 1n;

/**
 * An array in CUDA's device memory. One without gaps is a kernel's argument and a place for copies as it stands.
 */
export class NDArray<D extends ArrayDType = ArrayDType> extends AnyNDArray<D> {
  /**
   * The address of the first element, borrowed: good until the array is closed.
   *
   * @throws TypeError the elements do not follow each other: a kernel would read others
   */
  override get ptr(): DevicePointer {
    const base = this.use('ptr');
    if (!this.isFlat) {
      throw new TypeError(
        `The array's elements must follow each other in memory, got shape ${shapeText(this.shape)} with strides ${shapeText(this.strides)}; pass .contiguous()`,
      );
    }
    if (this.offset === 0) return base as DevicePointer;
    return (base + BigInt(this.offset * arrayDTypes[this.dtype].size)) as DevicePointer;
  }

  /**
   * The description for other libraries, borrowed like {@link NDArray.ptr}: version 3 of the CUDA array interface. It names the
   * stream whose work they have to wait for.
   *
   * @throws TypeError bf16, which it cannot say
   */
  get cudaArrayInterface(): CudaArrayInterface {
    const base = this.use('cudaArrayInterface');
    const { dtype, shape, strides, offset, size } = this;
    const info = arrayDTypes[dtype];
    if (dtype === 'bf16') {
      throw new TypeError('The CUDA array interface has no name for bf16; DLPack has one: toDlpack(x)');
    }
    const memory = memoryOf(this) as OwnMemory;
    const stream = memory.order.end();
    return {
      version: 3,
      shape,
      typestr: info.typestr,
      data: [size === 0 ? 0n : base + BigInt(offset * info.size), false],
      strides: this.isFlat ? null : strides.map((stride) => stride * info.size),
      stream: stream === NULL ? LEGACY : stream,
    };
  }

  /** Bytes of all elements, as copies count them. @internal */
  get byteLength(): number {
    return this.nbytes;
  }
}
