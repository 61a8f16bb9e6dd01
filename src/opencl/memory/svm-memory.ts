import { isWhole } from '../../core/public-object.ts';
import type { Context } from '../device/context.ts';
import type { Event } from '../queue/event.ts';

/** Memory that kernels take by its address: an {@link SVMAllocation}, or host memory in {@link SVM}. */
export interface SVMMemory {
  /** Bytes. */
  readonly byteLength: number;
  /** The address for a command of this context. @internal */
  pointer(context: Context, what: string): bigint;
  /** A command uses it. @internal */
  touch(event: Event): void;
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

const touched: SVMMemory[] = [];

/** Note that the launch whose arguments are being set uses shared memory. */
export function noteSVM(memory: SVMMemory): void {
  touched.push(memory);
}

/** Forget what a launch noted that came to nothing. */
export function forgetSVM(): void {
  if (touched.length > 0) touched.length = 0;
}

/** Give the launch's event to what it uses. */
export function touchSVM(event: Event): void {
  if (touched.length === 0) return;
  for (const memory of touched) memory.touch(event);
  touched.length = 0;
}

/** What the arguments noted since {@link forgetSVM}, for a command that is recorded. */
export function takeSVM(): readonly SVMMemory[] {
  return touched.splice(0);
}
