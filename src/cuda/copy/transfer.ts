import { PublicObject } from '../../core/public-object.ts';
import type { ElementName } from '../../core/element-table.ts';
import { tagOfArray, type ElementTag } from '../../core/element-tag.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { hostOf, type RefValue } from '../../core/ref-value.ts';
import type { ElementsOf, Known } from '../../core/typed/element.ts';

/** A host array for one launch: see {@link In}, {@link Out} and {@link InOut}. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bytes go for any element
export class Transfer<E extends ElementName = any> extends PublicObject {
  /** For the type checker alone: no value has it. */
  declare readonly '~elements': E;
  readonly array: HostMemory;
  readonly copiesIn: boolean;
  readonly copiesOut: boolean;
  /** @internal */
  readonly elementTag: ElementTag;

  /** @internal */
  constructor(maker: Maker, given: HostMemory | RefValue, copiesIn: boolean, copiesOut: boolean) {
    super();
    checkMade(maker === MAKER, 'Transfer', 'write In(array), Out(array) or InOut(array)');
    const array = hostOf(given);
    hostByteLength(array, copiesOut ? 'cuda.Out: the array' : 'cuda.In: the array');
    this.array = array;
    this.copiesIn = copiesIn;
    this.copiesOut = copiesOut;
    this.elementTag = tagOfArray(array);
  }
}

/**
 * Pass a host array to a kernel that reads it: device memory is allocated, the array copied there before the launch,
 * and the memory freed after it. Without a stream the launch waits until then; with one all of it is ordered on the
 * stream.
 *
 * @throws TypeError no host memory, or a detached array; at the launch, an array of another element type than the
 * parameter's. A Uint8Array, a Buffer, a DataView and an ArrayBuffer are bytes and go for any type
 * @throws RangeError the array is empty
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { In, Out, SourceModule } from 'rawkernel/cuda';
 *
 * using module = new SourceModule('__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }');
 * const y = new Float32Array(32);
 * module.getFunction('twice')(Out(y), In(new Float32Array(32).fill(1)), { block: 32 });
 * ```
 */
export function In<A extends HostMemory | RefValue>(array: A): Transfer<Known<ElementsOf<A>>> {
  return new Transfer(MAKER, array, true, false);
}

/**
 * Pass a host array that a kernel fills: device memory is allocated, and copied into the array after the launch. What
 * the kernel leaves alone is undefined afterwards. Without a stream the launch waits for the copy; with one the array
 * is ready when the stream has reached that copy.
 */
export function Out<A extends HostMemory | RefValue>(array: A): Transfer<Known<ElementsOf<A>>> {
  return new Transfer(MAKER, array, false, true);
}

/** Pass a host array that a kernel reads and changes: {@link In} and {@link Out} in one. */
export function InOut<A extends HostMemory | RefValue>(array: A): Transfer<Known<ElementsOf<A>>> {
  return new Transfer(MAKER, array, true, true);
}
