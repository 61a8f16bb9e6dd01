import { arrayClass, dtypes, type DType, type ElementType } from '../../core/dtype.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { trueByteLength } from '../../core/host-memory.ts';
import type { Context } from '../device/context.ts';
import { SvmMemFlags } from '../sys/enums.ts';
import { SVMAllocation } from './svm.ts';

const COARSE = SvmMemFlags.READ_WRITE;
const FINE = SvmMemFlags.READ_WRITE | SvmMemFlags.SVM_FINE_GRAIN_BUFFER;

/**
 * Shared memory for so many elements.
 *
 * @param flags - bits of {@link SvmMemFlags}
 * @param length - elements; 0 allocates nothing
 * @param type - a dtype's name or a typed array's class
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * if (ctx.devices[0]?.platform.atLeast(2, 0) && ctx.devices[0].svmCapabilities !== 0) {
 *   using a = cl.svmEmpty(ctx, cl.SvmMemFlags.READ_ONLY, 100, 'i32');
 *   console.log(a.byteLength); // 400
 * }
 * ```
 */
export function svmEmpty<T extends ElementType>(
  context: Context,
  flags: number,
  length: number,
  type: T,
): SVMAllocation<T> {
  const { bytes } = arrayClass(type, 'svmEmpty: type');
  return new SVMAllocation(context, flags, bytes * checkInteger(length, 'svmEmpty: length', 0), {
    type,
    alignment: bytes,
  });
}

/** Shared memory for as many elements as an array has, of its type: {@link svmEmpty}. */
export function svmEmptyLike(context: Context, flags: number, array: ArrayBufferView): SVMAllocation<DType> {
  const found = Object.values(dtypes).find(({ name, array: type }) => name !== 'f16' && isOf(array, type.name));
  if (!found) throw new TypeError(`svmEmptyLike takes a typed array, got ${nameOf(array)}`);
  return svmEmpty(context, flags, trueByteLength(array) / found.size, found.name);
}

/** Coarse-grained shared memory that kernels read and write: {@link svmEmpty}. */
export function csvmEmpty<T extends ElementType>(context: Context, length: number, type: T): SVMAllocation<T> {
  return svmEmpty(context, COARSE, length, type);
}

/** The same for as many elements as an array has, of its type. */
export function csvmEmptyLike(context: Context, array: ArrayBufferView): SVMAllocation<DType> {
  return svmEmptyLike(context, COARSE, array);
}

/** Fine-grained shared memory that kernels read and write, usable by the host at any time: {@link svmEmpty}. */
export function fsvmEmpty<T extends ElementType>(context: Context, length: number, type: T): SVMAllocation<T> {
  return svmEmpty(context, FINE, length, type);
}

/** The same for as many elements as an array has, of its type. */
export function fsvmEmptyLike(context: Context, array: ArrayBufferView): SVMAllocation<DType> {
  return svmEmptyLike(context, FINE, array);
}

/** By the name of its class: the array may come from another realm. */
function isOf(array: unknown, name: string): boolean {
  return ArrayBuffer.isView(array) && Object.prototype.toString.call(array) === `[object ${name}]`;
}
