import { readDims, type Dims } from '../../core/dims.ts';
import { Block, type Run } from './block.ts';
import { BlockArrays } from './block-arrays.ts';
import type { KernelScript } from './script.ts';
import { Thread, type Place } from './thread.ts';

/** The shape of a run. */
export interface SimulatedSizes {
  readonly grid: Dims;
  readonly block: Dims;
  /** Bytes of a shared array whose length the kernel gives as 0. */
  readonly shared: number;
}

function dims(value: Dims, what: string): Place {
  const sizes = new Float64Array(3);
  readDims(value, what, sizes);
  return { x: sizes[0] ?? 1, y: sizes[1] ?? 1, z: sizes[2] ?? 1 };
}

/** Runs a kernel: one block after the other, x first. */
export class Grid {
  readonly #script: KernelScript;
  readonly #args: readonly unknown[];
  readonly #gridDim: Place;
  readonly #blockDim: Place;
  readonly #sharedBytes: number;

  constructor(script: KernelScript, { grid, block, shared }: SimulatedSizes, args: readonly unknown[], name: string) {
    this.#script = script;
    this.#args = args;
    this.#gridDim = dims(grid, `${name}: grid`);
    this.#blockDim = dims(block, `${name}: block`);
    this.#sharedBytes = shared;
  }

  run(): void {
    const { waits, waitsForGrid } = this.#script.source;
    if (waitsForGrid) this.#allBlocks();
    else if (waits) this.#each((blockIdx) => this.#block(blockIdx).run());
    else this.#oneByOne();
  }

  /** Do something for each block, x first. */
  #each(run: (blockIdx: Place) => void): void {
    const { x, y, z } = this.#gridDim;
    const place: Place = { x: 0, y: 0, z: 0 };
    for (place.z = 0; place.z < z; place.z++)
      for (place.y = 0; place.y < y; place.y++) for (place.x = 0; place.x < x; place.x++) run({ ...place });
  }

  /** Threads that do not wait for each other run in a loop. */
  #oneByOne(): void {
    const { kernel } = this.#script;
    const args = this.#args;
    this.#each((blockIdx) => {
      const thread = this.#thread({ x: 0, y: 0, z: 0 }, blockIdx, this.#arrays());
      const { threadIdx, blockDim } = thread;
      try {
        for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)
          for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) kernel(thread, ...args);
      } catch (error) {
        throw this.#script.errorOf(error, thread);
      }
    });
  }

  /** Blocks that wait for each other go on together. */
  #allBlocks(): void {
    const blocks: Block[] = [];
    this.#each((blockIdx) => blocks.push(this.#block(blockIdx)));
    for (;;) {
      for (const block of blocks) block.run();
      const waiting = blocks.find(({ isAtGrid }) => isAtGrid);
      if (waiting === undefined) return;
      const gone = blocks.find(({ isAtGrid }) => !isAtGrid);
      if (gone) waiting.failAtGrid(gone);
      for (const block of blocks) block.goOn();
    }
  }

  #block(blockIdx: Place): Block {
    const { x, y, z } = this.#blockDim;
    const arrays = this.#arrays();
    const threads = Array.from({ length: x * y * z }, (_, rank) => {
      const threadIdx = { x: rank % x, y: Math.floor(rank / x) % y, z: Math.floor(rank / (x * y)) };
      const thread = this.#thread(threadIdx, blockIdx, arrays);
      thread.rank = rank;
      return thread;
    });
    const start = (thread: Thread): Run => this.#script.kernel(thread, ...this.#args) as Run;
    return new Block(threads, start, this.#script);
  }

  #arrays(): BlockArrays {
    return new BlockArrays(this.#script.source.program.shared, this.#sharedBytes);
  }

  #thread(threadIdx: Place, blockIdx: Place, arrays: BlockArrays): Thread {
    return new Thread(threadIdx, blockIdx, this.#blockDim, this.#gridDim, (index) => arrays.at(index));
  }
}
