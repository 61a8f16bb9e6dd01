import type { HostTrace } from '../../core/host-place.ts';
import { Slot } from './control.ts';

/** The numbers of a launch's first block. */
export type FirstBlock = readonly [x: number, y: number, z: number];

/** The properties of a launch besides its shape. */
export interface LaunchHow {
  /** Its blocks may wait for each other. */
  readonly cooperative: boolean;
  /** Whether kernels continue after findings. */
  readonly report: boolean;
  /** The program's call that enqueued it, if the launch reaches the engine later. */
  readonly host?: HostTrace | undefined;
  /** The numbers of its first block, if the launch is a part of a larger range. */
  readonly first?: FirstBlock;
}

/** The shares of a grid for each worker, so that a slow worker delays the others little. */
const SHARES = 8;

/** The blocks that a worker takes at once. */
export function shareOf(blocks: number, workers: number): number {
  return Math.max(1, Math.floor(blocks / (workers * SHARES)));
}

/** Where and how a kernel runs: grid x, y, z, block x, y, z, dynamic shared bytes. */
export type LaunchShape = Uint32Array;

/** Write a shape and the numbers of the first block into the words of a launch. One by one: it is done for each launch. */
export function writeShape(control: Int32Array, base: number, shape: LaunchShape, first: FirstBlock): void {
  control[base + Slot.GRID] = shape[0] as number;
  control[base + Slot.GRID + 1] = shape[1] as number;
  control[base + Slot.GRID + 2] = shape[2] as number;
  control[base + Slot.BLOCK] = shape[3] as number;
  control[base + Slot.BLOCK + 1] = shape[4] as number;
  control[base + Slot.BLOCK + 2] = shape[5] as number;
  control[base + Slot.SHARED] = shape[6] as number;
  control[base + Slot.FIRST_BLOCK] = first[0];
  control[base + Slot.FIRST_BLOCK + 1] = first[1];
  control[base + Slot.FIRST_BLOCK + 2] = first[2];
}
