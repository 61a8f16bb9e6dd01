import { readDims, type Dims } from '../../core/dims.ts';
import { sizeOf } from '../../array/shape.ts';
import type { Variable } from '../tree.ts';
import type { ArrayType, ElementType } from '../kernel-type.ts';
import { Block, type Run } from './block.ts';
import { newFlat, shaped, STORAGES, type KernelView, type Storage } from './kernel-view.ts';
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
  readonly #blockIdx: Place = { x: 0, y: 0, z: 0 };
  readonly #sharedBytes: number;
  #shared: (Storage | KernelView)[] = [];
  #dynamic: ArrayBuffer | undefined;

  constructor(script: KernelScript, { grid, block, shared }: SimulatedSizes, args: readonly unknown[], name: string) {
    this.#script = script;
    this.#args = args;
    this.#gridDim = dims(grid, `${name}: grid`);
    this.#blockDim = dims(block, `${name}: block`);
    this.#sharedBytes = shared;
  }

  run(): void {
    const runBlock = this.#script.source.waits ? this.#together() : this.#oneByOne();
    const { x, y, z } = this.#gridDim;
    const place = this.#blockIdx;
    for (place.z = 0; place.z < z; place.z++)
      for (place.y = 0; place.y < y; place.y++)
        for (place.x = 0; place.x < x; place.x++) {
          this.#shared = [];
          this.#dynamic = undefined;
          runBlock();
        }
  }

  /** Threads that do not wait for each other run in a loop. */
  #oneByOne(): () => void {
    const thread = this.#thread({ x: 0, y: 0, z: 0 });
    const { threadIdx, blockDim } = thread;
    const { kernel } = this.#script;
    const args = this.#args;
    return () => {
      try {
        for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)
          for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) kernel(thread, ...args);
      } catch (error) {
        throw this.#script.errorOf(error, thread);
      }
    };
  }

  #together(): () => void {
    const { x, y, z } = this.#blockDim;
    const threads = Array.from({ length: x * y * z }, (_, rank) => {
      const thread = this.#thread({ x: rank % x, y: Math.floor(rank / x) % y, z: Math.floor(rank / (x * y)) });
      thread.rank = rank;
      return thread;
    });
    const start = (thread: Thread): Run => this.#script.kernel(thread, ...this.#args) as Run;
    return () => {
      const block = new Block(threads, start, (site) => this.#script.siteText(site));
      try {
        block.run();
      } catch (error) {
        throw this.#script.errorOf(error, block.current);
      }
    };
  }

  #thread(threadIdx: Place): Thread {
    return new Thread(threadIdx, this.#blockIdx, this.#blockDim, this.#gridDim, (index) => this.#sharedArray(index));
  }

  /** An array of the block, made when the first thread comes to it. */
  #sharedArray(index: number): Storage | KernelView {
    const known = this.#shared[index];
    if (known) return known;
    const { type, shape = [] } = this.#script.source.program.shared[index] as Variable;
    const { element } = type as ArrayType;
    const data = sizeOf(shape) === 0 ? this.#dynamicArray(element) : newFlat(element, shape);
    const made = shaped(data, shape);
    this.#shared[index] = made;
    return made;
  }

  /** All arrays of length 0 begin at one place, as in CUDA. */
  #dynamicArray(element: ElementType): Storage {
    this.#dynamic ??= new ArrayBuffer(this.#sharedBytes);
    const Kind = STORAGES[element];
    return new Kind(this.#dynamic, 0, Math.floor(this.#sharedBytes / Kind.BYTES_PER_ELEMENT));
  }
}
