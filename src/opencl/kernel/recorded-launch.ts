import type { Opaque } from '../../ffi/ctype.ts';
import type { UseRecord } from '../queue/uses.ts';
import type { SVMMemory } from '../memory/svm-memory.ts';

/** The parts of a recorded launch. The addresses are valid until the next launch. */
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
