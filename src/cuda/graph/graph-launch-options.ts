import type { Dims } from '../../core/dims.ts';
import type { AccessPolicy } from '../stream/access-policy.ts';
import type { MemSyncDomainMap } from '../stream/mem-sync-domain.ts';

/** The shape of a kernel node: a launch without a stream. */
export interface GraphLaunchOptions {
  /** Threads of a block: a number, or 1 to 3 numbers (x, y, z). */
  readonly block: Dims;
  /** Blocks of the grid: a number, or 1 to 3 numbers (x, y, z); 1 by default. */
  readonly grid?: Dims;
  /** Dynamic shared memory of a block, in bytes. More than 48 KiB is opted in by itself. */
  readonly shared?: number;
  /** All blocks run at once, so that `grid.sync()` of cooperative groups can make them wait for each other. */
  readonly cooperative?: boolean;
  /**
   * Blocks of a thread-block cluster: a number, or 1 to 3 numbers (x, y, z). The grid still counts blocks, and has to be a
   * multiple. More than 8 blocks are opted in by itself. Compute capability 9.0 and newer.
   */
  readonly cluster?: Dims;
  /** The cluster that is taken where it fits; `cluster` elsewhere. Compute capability 10.0 and newer. */
  readonly preferredCluster?: Dims;
  /** How the blocks of a cluster go to multiprocessors. */
  readonly clusterScheduling?: 'default' | 'spread' | 'loadBalancing';
  /** Lower goes first; see {@link Context.streamPriorityRange}. The stream's by default. */
  readonly priority?: number;
  /** How much of the L1 cache's memory is shared memory, in percent of what can be; -1: the driver's choice. */
  readonly carveout?: number;
  /** The domain whose memory operations this kernel's fences wait for. */
  readonly memSyncDomain?: 'default' | 'remote';
  /** Which of the device's domains the two names mean, numbers from 0. */
  readonly memSyncDomainMap?: MemSyncDomainMap;
  /** Memory that the kernel uses again and again, or only once. */
  readonly accessPolicy?: AccessPolicy;
}
