import type { CpuKernel } from '../abi/program.ts';
import { Slot } from './control.ts';
import { layOutBlock, type BlockLayout } from './grid-area.ts';
import type { DeviceMemory } from './memory.ts';
import type { ProgramImage } from './program.ts';

/** The memory that a launch runs in. */
export interface LaunchArea {
  /** The scratch memory of the first worker, and the distance to the next worker's. */
  readonly scratch: { readonly base: number; readonly stride: number };
  /** The memory of all blocks of a cooperative launch. */
  readonly grid: ({ readonly base: number } & BlockLayout) | undefined;
}

const LINE = 256;
const NONE = { base: 0, stride: 0 };

/**
 * Memory for running kernels. A worker runs one block at a time, and grids wait for each other, so that launches share
 * it. Where a launch needs more, the running ones keep the old memory, which is released after them.
 */
export class LaunchMemory {
  readonly #memory: DeviceMemory;
  readonly #workers: number;
  readonly #afterAll: (release: () => void) => void;
  #scratch = NONE;
  #grid = { start: 0, base: 0, byteLength: 0 };

  /** @param afterAll - calls back when all present commands have finished */
  constructor(memory: DeviceMemory, workers: number, afterAll: (release: () => void) => void) {
    this.#memory = memory;
    this.#workers = workers;
    this.#afterAll = afterAll;
  }

  /**
   * Memory for a block in each worker; undefined where there is not enough.
   *
   * @param launching - the kernels that the launch may lead to, with blocks of any size
   */
  forBlocks(kernel: CpuKernel, threads: number, launching?: readonly CpuKernel[]): LaunchArea | undefined {
    let wanted = contextBytes(kernel, threads);
    if (launching) for (const child of launching) wanted = Math.max(wanted, contextBytes(child, child.maxThreads));
    if (wanted > this.#scratch.stride) {
      const stride = Math.ceil((wanted * 1.25) / LINE) * LINE;
      const base = this.#replace(this.#scratch.base, stride * this.#workers);
      if (base === undefined) return undefined;
      this.#scratch = { base, stride };
    }
    return { scratch: this.#scratch, grid: undefined };
  }

  /** Memory for all blocks of a grid; undefined where there is not enough. */
  forGrid(
    kernel: CpuKernel,
    image: ProgramImage,
    threads: number,
    blocks: number,
    shared: number,
    launching?: readonly CpuKernel[],
  ): LaunchArea | undefined {
    const { tlsStride, tlsAlign } = image;
    const layout = layOutBlock(contextBytes(kernel, threads), shared, tlsStride, tlsAlign);
    const unit = Math.max(LINE, tlsAlign);
    const wanted = layout.stride * blocks + unit;
    if (wanted > this.#grid.byteLength || this.#grid.base % unit !== 0) {
      const start = this.#replace(this.#grid.start, wanted);
      if (start === undefined) return undefined;
      this.#grid = { start, base: Math.ceil(start / unit) * unit, byteLength: wanted };
    }
    const scratch = launching ? this.forBlocks(kernel, threads, launching)?.scratch : NONE;
    return scratch && { scratch, grid: { base: this.#grid.base, ...layout } };
  }

  #replace(old: number, byteLength: number): number | undefined {
    const address = this.#memory.allocate(byteLength);
    if (address !== undefined && old !== 0) this.#afterAll(() => this.#memory.release(old));
    return address;
  }
}

/** Write into the words of a launch where its memory is. */
export function writeArea(control: Int32Array, base: number, { scratch, grid }: LaunchArea): void {
  control[base + Slot.SCRATCH] = scratch.base;
  control[base + Slot.SCRATCH_STRIDE] = scratch.stride;
  control[base + Slot.GRID_AREA] = 0;
  if (!grid) return;
  control[base + Slot.GRID_AREA] = grid.base;
  control[base + Slot.GRID_STRIDE] = grid.stride;
  control[base + Slot.GRID_SHARED] = grid.shared;
  control[base + Slot.GRID_LOCAL] = grid.local;
  control[base + Slot.ROUND] = 0;
}

/** Allocate pieces of memory, and after them the heap of kernels; undefined where there is not enough for all. */
export function takeRoom(memory: DeviceMemory, sizes: readonly number[], heapBytes: number): number[] | undefined {
  const room = sizes.map((byteLength) => memory.allocate(byteLength));
  room.push(memory.allocate(heapBytes, undefined, 'heap'));
  const taken = room.filter((address) => address !== undefined);
  if (taken.length === room.length) return taken;
  for (const address of taken) memory.release(address);
  return undefined;
}

/** Bytes of scratch memory that a block needs. */
function contextBytes({ contextBytes: each, contextFixed }: CpuKernel, threads: number): number {
  return each * ((threads + 15) & -16) + contextFixed;
}
