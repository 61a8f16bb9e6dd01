import type { Dims } from '../core/dims.ts';
import type { AnyHandle } from '../core/handle.ts';
import type { Value } from '../core/value.ts';
import type { ArrayDType } from './dtype.ts';
import type { Dialect } from './kernel/dialect.ts';
import type { Layout } from './layout.ts';

/** What work is put in line on: a CUDA stream, an OpenCL queue; null is CUDA's default stream. */
export type Lane = { readonly closed: boolean } | null;

/** What an operation may be told of its line: `{ stream }` on CUDA, `{ queue }` on OpenCL. */
export interface LaneOptions {
  /** CUDA: the stream that the work is put in line on; that of the first operand by default. */
  readonly stream?: Lane | undefined;
  /** OpenCL: the queue that the work is put in line on; that of the first operand by default. */
  readonly queue?: Lane | undefined;
}

/** Device memory that arrays share. It knows which work has used it, so that later work comes after it. */
export interface ArrayMemory {
  readonly engine: Engine;
  /** The record of the memory: what is retained by each array over it. */
  readonly handle: AnyHandle & { readonly kind: string; readonly value: bigint };
  readonly byteLength: number;
  /** What its address is a multiple of, as far as that matters: 16, or less. */
  readonly alignment: number;
  /** The line of its last writer. */
  readonly lane: Lane;
}

/** Stands for memory of the group whose size the launch gives, where that is a parameter of the kernel: OpenCL's. */
export const SHARED_MEMORY: unique symbol = Symbol('shared memory');

/** A kernel's argument: memory is passed by its address, numbers as the parameter's C type, structs after a number. */
export type LaunchArgument = ArrayMemory | number | bigint | Value;

/** An argument of a kernel that a user has written. */
export type UserArgument = LaunchArgument | typeof SHARED_MEMORY;

/** A kernel that is built for one device. */
export interface ArrayKernel {
  /**
   * Put it in line, behind whatever has used the memory.
   *
   * @param groups - groups of threads, in one dimension
   * @param width - threads of a group, along x
   * @param height - and along y
   * @param args - the arguments; they are the kernel's own after the call
   * @param written - how many memories, from the first, are written
   */
  readonly launch: (
    lane: Lane,
    groups: number,
    width: number,
    height: number,
    args: LaunchArgument[],
    written: number,
  ) => void;
  /**
   * Put it in line with sizes that a user gives: they are checked.
   *
   * @param args - the arguments in the kernel's order; they are the kernel's own after the call
   * @param isWritten - which of the memories, in their order, are written
   */
  readonly launchGrid: (lane: Lane, sizes: GridSizes, args: UserArgument[], isWritten: readonly boolean[]) => void;
}

/** The shape of a launch: blocks of the grid, threads of a block, x first. */
export interface GridSizes {
  readonly grid: Dims;
  readonly block: Dims;
  /** Bytes of shared memory whose size the kernel does not say. */
  readonly shared: number;
  /** CUDA: whether all blocks must run at once, since they wait for each other. */
  readonly cooperative?: boolean;
}

/** What kernels are laid out by. */
export interface DeviceFacts {
  readonly name: string;
  /** Bytes that a thread reads at once: 16 on a GPU, 0 where compilers put threads together themselves. */
  readonly packBytes: number;
  /** Threads that go in step; 1 where none do. */
  readonly warp: number;
  /** Threads of a usual group. */
  readonly groupSize: number;
  /** Groups that run at once. */
  readonly groups: number;
  /** Whether a group that runs goes on while others wait for it: groups may wait for those that began before them. */
  readonly promisesProgress: boolean;
  /** Bytes of shared memory that a group can have. */
  readonly sharedBytes: number;
  /** Bytes of a kernel's parameters. */
  readonly parameterBytes: number;
  readonly hasDoubles: boolean;
  /** Whether 64-bit words of memory can be compared and swapped. */
  readonly hasWideAtomics: boolean;
}

/** Memory that something else owns, as an array. */
export interface Adopted {
  /** Its record keeps the owner; one reference goes to who is given it. */
  readonly memory: ArrayMemory;
  readonly dtype: ArrayDType;
  readonly layout: Layout;
}

/** What is said of memory that does not describe itself. */
export interface AdoptOptions {
  readonly dtype: ArrayDType | undefined;
  readonly shape: number | readonly number[] | undefined;
  /** The line whose earlier work has written the memory; the engine's default one where it is undefined. */
  readonly lane: Lane | undefined;
}

/** Where arrays live: one context of one half, which gives memory, builds kernels and puts work in line. */
export interface Engine {
  readonly dialect: Dialect;
  readonly facts: DeviceFacts;
  /** The line that options ask for; undefined where they do not. Throws for what is no line of this half. */
  laneOf(options: LaneOptions | undefined, method: string): Lane | undefined;
  /** The line of arrays that are made from nothing. */
  readonly defaultLane: Lane;
  /** Uninitialised memory for work on a line. */
  allocate(byteLength: number, lane: Lane): ArrayMemory;
  /** An NDArray of this half over memory; it takes one reference of the memory's record over. See `arrayOver`. */
  wrap(memory: ArrayMemory, dtype: ArrayDType, layout: Layout): object;
  /**
   * Build a source and find its kernel.
   *
   * @param options - of the compiler, for what users have written
   */
  build(source: string, name: string, options?: readonly string[]): ArrayKernel;
  /** Copy from the host. Host: blocks until the bytes have been read. */
  write(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): void;
  /** Copy to the host. Host: blocks. */
  read(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): void;
  /** Copy to the host. Host: does not block. */
  readLater(memory: ArrayMemory, byteOffset: number, bytes: Uint8Array, lane: Lane): Promise<void>;
  /** Device memory of others as an array, without a copy; undefined for any other value. */
  adopt?(value: unknown, options: AdoptOptions, what: string): Adopted | undefined;
  /** Whether nothing can be read now, since work is being recorded: a read would end the recording. */
  isRecording?(lane: Lane): boolean;
}
