import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { Handle } from '../../core/handle.ts';
import { nameOf } from '../../core/check.ts';
import { checkViewBytes } from '../../ffi/memory.ts';
import { requireContext } from '../device/context.ts';
import { ownerOf } from '../lifetime/recording.ts';
import { managedArray, type Managed } from './managed-memory.ts';
import { DeviceSlice } from '../memory/memory.ts';
import { pointerAttributes } from '../memory/pointer-attributes.ts';

/**
 * The host's view of a `__managed__` variable: a typed array over the memory that kernels use. Its module stays loaded until
 * the array is given back by {@link managedFree} or `using`, or collected.
 *
 * Host: does not block. What kernels have written is there once they have ended. Where the device has no
 * `concurrentManagedAccess`, the host must not touch the array while any kernel runs: the process would end.
 *
 * @param variable - of {@link Module.getGlobal} or {@link Library.getManaged}, or a part of it
 * @param type - a typed array class, or a dtype's name
 * @throws TypeError the variable is not managed
 * @throws RangeError its size is not a multiple of the element's
 * @throws {@link ClosedError} its module is closed
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { Context, managedView, SourceModule } from 'rawkernel/cuda';
 *
 * using module = new SourceModule('__managed__ int counter = 40; __global__ void add(int n) { counter += n; }');
 * using counter = managedView(module.getGlobal('counter'), 'i32');
 * module.getFunction('add')(2, { block: 1 });
 * Context.current?.synchronize();
 * counter[0]; // 42
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html | cuPointerGetAttribute}
 */
export function managedView<const T extends ElementType>(variable: DeviceSlice, type: T): Managed<ArrayOf<T>> {
  if (!(variable instanceof DeviceSlice)) {
    throw new TypeError(
      `managedView takes a variable of Module.getGlobal or Library.getManaged, got ${nameOf(variable)}`,
    );
  }
  const { bytes } = arrayClass(type, 'managedView: the type');
  const { ptr, byteLength } = variable;
  const owner = ownerOf(variable, 'managedView');
  if (!owner || pointerAttributes(variable)?.managed !== true) {
    throw new TypeError(
      'managedView: the memory is not a __managed__ variable; copy it with memcpyDtoH, or fromDevice',
    );
  }
  if (byteLength === 0 || byteLength % bytes !== 0) {
    throw new RangeError(`managedView: ${byteLength} bytes are not a whole number of elements of ${bytes} bytes`);
  }
  checkViewBytes(byteLength, 'managedView: the array');
  const context = requireContext('managedView');
  const handle = new Handle('managed view', ptr, undefined, [owner, context]);
  return managedArray(handle, context, byteLength, type, true);
}
