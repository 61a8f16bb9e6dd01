import type { Elements, KernelView } from './kernel-view.ts';

export interface Place {
  x: number;
  y: number;
  z: number;
}

/** Gives the arrays of the block that runs. */
export type SharedArrays = (index: number) => Elements | KernelView;

/** What a thread waits for, and what it brings. */
export interface Request {
  readonly operation: string;
  /** Whether the whole block is waited for. */
  readonly isOfBlock: boolean;
  readonly site: number;
  readonly mask: number;
  readonly value: number | bigint | boolean;
  readonly other: number;
}

/** What more than a warp waits for. */
const OF_BLOCK = /^(?:syncthreads|this_grid)/;
const ALL_LANES = 0xffff_ffff;

/** One thread of a kernel in JavaScript: `$` in its text. */
export class Thread {
  readonly threadIdx: Place;
  readonly blockIdx: Place;
  readonly blockDim: Place;
  readonly gridDim: Place;
  readonly shared: SharedArrays;
  /** The thread's number in its block. */
  rank: number = 0;
  request: Request | undefined;

  constructor(threadIdx: Place, blockIdx: Place, blockDim: Place, gridDim: Place, shared: SharedArrays) {
    this.threadIdx = threadIdx;
    this.blockIdx = blockIdx;
    this.blockDim = blockDim;
    this.gridDim = gridDim;
    this.shared = shared;
  }

  get laneid(): number {
    const { threadIdx, blockDim } = this;
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
  }

  /** Say what is waited for; the thread goes on with the result. */
  ask(operation: string, site: number, mask: number = ALL_LANES, value: Request['value'] = 0, other: number = 0): this {
    this.request = { operation, isOfBlock: OF_BLOCK.test(operation), site, mask, value, other };
    return this;
  }

  /** `thread (999, 0, 0)` */
  get text(): string {
    return `thread ${placeText(this.threadIdx)}`;
  }
}

export function placeText({ x, y, z }: Place): string {
  return `(${x}, ${y}, ${z})`;
}
