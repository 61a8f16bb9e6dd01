import type { KernelAttributes } from './kernel-attributes.ts';
import type { RawProgram } from './raw-program.ts';

/** A build that is about to begin. */
export interface Plan {
  readonly raw: RawProgram;
  readonly cached: boolean;
  readonly key: string | undefined;
  /** The attributes of its kernels in the cache. */
  readonly attributes?: KernelAttributes | undefined;
  /** The key of the build that this one stands in for. */
  readonly instead?: string | undefined;
}
