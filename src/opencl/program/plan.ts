import type { Headers } from './headers.ts';
import type { KernelAttributes } from './kernel-attributes.ts';
import type { RawProgram } from './program-base.ts';

/** A build that is about to begin. */
export interface Plan {
  readonly raw: RawProgram;
  readonly cached: boolean;
  readonly key: string | undefined;
  /** What the cache has of its kernels' attributes. */
  readonly attributes?: KernelAttributes | undefined;
  /** The key of the build that this one stands in for. */
  readonly instead?: string | undefined;
}

/** The same of a compilation to an object. */
export interface Compilation {
  readonly raw: RawProgram;
  readonly ids: BigUint64Array;
  readonly headers: Headers;
}
