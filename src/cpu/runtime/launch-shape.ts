/** What a launch is besides its shape. */
export interface LaunchHow {
  /** Its blocks may wait for each other. */
  readonly cooperative: boolean;
  /** It goes on after findings. */
  readonly report: boolean;
  /** The numbers of its first block, where it is a part of something larger. */
  readonly first?: readonly [x: number, y: number, z: number];
}

/** Where and how a kernel runs: grid x, y, z, block x, y, z, dynamic shared bytes. */
export type LaunchShape = Uint32Array;
