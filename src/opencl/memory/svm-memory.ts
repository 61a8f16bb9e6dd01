import { isWhole } from '../../core/public-object.ts';
import type { Context } from '../device/context.ts';
import type { UseRecord } from '../queue/uses.ts';

/** Memory that kernels take by its address: an {@link SVMAllocation}, or host memory in {@link SVM}. */
export interface SVMMemory {
  /** Bytes. */
  readonly byteLength: number;
  /** The address for a command of this context. @internal */
  pointer(context: Context, what: string): bigint;
  /** The record of the commands that use the memory. @internal */
  readonly uses: UseRecord;
}

const BRAND = Symbol.for('rawkernel.svm');

/** Make the instances of a class known as such memory. */
export function brandSVM(type: { readonly prototype: object }): void {
  Object.defineProperty(type.prototype, BRAND, { value: true });
}

/** Whether a value is such memory. */
export function isSVM(value: unknown): value is SVMMemory {
  return typeof value === 'object' && value !== null && BRAND in value && isWhole(value);
}
