import type { ArrayDType } from './dtype.ts';

/** Elements as something of the host has them: of a typed array, or one by one. */
export interface HostSource {
  readonly data: ArrayBufferView | readonly unknown[];
  readonly shape: readonly number[];
  /** Where the typed array does not tell it. */
  readonly dtype?: ArrayDType;
}
