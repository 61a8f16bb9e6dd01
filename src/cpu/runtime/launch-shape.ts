import type { HostTrace } from '../../core/host-place.ts';

/** The properties of a launch besides its shape. */
export interface LaunchHow {
  /** Its blocks may wait for each other. */
  readonly cooperative: boolean;
  /** Whether kernels continue after findings. */
  readonly report: boolean;
  /** The program's call that enqueued it, if the launch reaches the engine later. */
  readonly host?: HostTrace | undefined;
  /** The numbers of its first block, if the launch is a part of a larger range. */
  readonly first?: readonly [x: number, y: number, z: number];
}

/** Where and how a kernel runs: grid x, y, z, block x, y, z, dynamic shared bytes. */
export type LaunchShape = Uint32Array;
