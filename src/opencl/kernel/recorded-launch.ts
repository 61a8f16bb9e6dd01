import type { Opaque } from '../../ffi/ctype.ts';
import type { UseRecord } from '../queue/uses.ts';
import type { SVMMemory } from '../memory/svm-memory.ts';

/** What a recorded launch is made of: addresses that are good until the next one. */
export interface RecordedLaunch {
  readonly kernel: Opaque<'cl_kernel'>;
  readonly dimensions: number;
  readonly offset: bigint;
  readonly global: bigint;
  readonly local: bigint;
  readonly waitFor: unknown;
  /** Shared memory that the kernel reaches. */
  readonly shared: readonly SVMMemory[];
  /** The records of all memory that the launch uses. */
  readonly uses: readonly UseRecord[];
}
