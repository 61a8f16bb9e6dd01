import type { Opaque } from '../../ffi/ctype.ts';
import type { SVMMemory } from '../memory/svm-memory.ts';

/** What a recorded launch is made of: addresses that are good until the next one. */
export interface RecordedLaunch {
  readonly kernel: Opaque<'cl_kernel'>;
  readonly dimensions: number;
  readonly offset: bigint;
  readonly global: bigint;
  readonly local: bigint;
  readonly waitFor: unknown;
  /** Shared memory that it uses. */
  readonly shared: readonly SVMMemory[];
}
