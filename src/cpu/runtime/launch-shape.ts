import type { HostTrace } from '../../core/host-place.ts';

/** The properties of a launch besides its shape. */
export interface LaunchHow {
  /** Its blocks may wait for each other. */
  readonly cooperative: boolean;
  /** It goes on after findings. */
  readonly report: boolean;
  /** Where the program asked for it, if that was before. */
  readonly host?: HostTrace | undefined;
  /** The numbers of its first block, where it is a part of something larger. */
  readonly first?: readonly [x: number, y: number, z: number];
}

/** Where and how a kernel runs: grid x, y, z, block x, y, z, dynamic shared bytes. */
export type LaunchShape = Uint32Array;
