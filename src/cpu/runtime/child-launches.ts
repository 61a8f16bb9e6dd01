import { contextWord, firstShare, GRID_ROUNDS, Left, MAX_SHARED, Slot, Word } from './control.ts';
import type { Running } from './finding.ts';
import type { MemoryGuard } from './guard.ts';
import { DeviceHeap } from './heap.ts';
import { shareOf } from './launch-shape.ts';
import { locked } from './lock.ts';
import type { HostFunctions, KernelLimits } from './program.ts';

/** Words of a record: a launch that a kernel has made. Its parameters follow. */
const Record = {
  NEXT: 0,
  KERNEL: 1,
  GRID: 2,
  BLOCK: 5,
  SHARED: 8,
  /** 1 for a launch that waits until its parent has completed. */
  TAIL: 9,
  DEPTH: 10,
  BYTES: 11,
  /** The address of the block of the heap. */
  START: 12,
} as const;
const HEADER = 64;
/** Clang stores parameters as if the buffer had this alignment. */
const ALIGNMENT = 64;
/**
 * So many times as many launches as the limit says may wait: here a grid's launches begin when it has ended, on a GPU before
 * that, and an H200 takes 5,000 from a loop with the limit at 2,048.
 */
const WAITING = 8;
const TAIL_STREAM = 3n;
/** The runtime API's error numbers. */
const Failure = { VALUE: 1, CONFIGURATION: 9, PENDING: 69, FUNCTION: 98, RESOURCES: 701 } as const;
const MAX_BLOCK = [1024, 1024, 64] as const;
const MAX_GRID = [0x7fff_ffff, 0xffff, 0xffff] as const;
const MAX_BLOCKS = 0x7fff_ffff;

/** What launches of kernels need of their worker. */
export interface LaunchingWorker {
  readonly control: Int32Array;
  readonly running: Running;
  /** All of the memory, at its present size. */
  readonly memory: () => { readonly bytes: Uint8Array };
  readonly guard: () => MemoryGuard | undefined;
  /** Of a kernel in the running program. */
  readonly limitsOf: (kernel: number) => KernelLimits | undefined;
}

/**
 * Launches that kernels make. Each command has a list of those that its running grid has made, and one of those that
 * wait: a grid's own come before the others, so that all that a launch leads to has completed before the next launch of
 * its stream.
 */
export class ChildLaunches {
  readonly #worker: LaunchingWorker;
  readonly #heap: DeviceHeap;
  /** Errors by the threads that made them. */
  readonly #errors = new Map<bigint, number>();

  constructor(worker: LaunchingWorker) {
    this.#worker = worker;
    this.#heap = new DeviceHeap(worker.control, () => this.#words());
  }

  #words(): Uint32Array {
    const { buffer } = this.#worker.memory().bytes;
    return new Uint32Array(buffer, 0, buffer.byteLength >>> 2);
  }

  /** The functions that kernels import. */
  get functions(): HostFunctions {
    return {
      parameters: (bytes: bigint, thread: bigint): bigint => {
        const made = this.#record(Number(bytes));
        if (made < 0) this.#errors.set(thread, -made);
        return BigInt(Math.max(0, made));
      },
      launch: (kernel: bigint, parameters: bigint, ...rest: [...sizes: number[], stream: bigint, thread: bigint]) => {
        const [stream, thread] = rest.slice(-2) as [bigint, bigint];
        const sizes = (rest.slice(0, -2) as number[]).map((size) => size >>> 0);
        const failure = this.#launch(Number(kernel) - 1, Number(parameters), sizes, stream);
        if (failure !== 0) this.#errors.set(thread, failure);
        return failure;
      },
      last_error: (thread: bigint, forget: number): number => {
        const failure = this.#errors.get(thread) ?? 0;
        if (forget !== 0) this.#errors.delete(thread);
        return failure;
      },
    };
  }

  /** Forget the errors of threads that have ended. */
  start(): void {
    if (this.#errors.size > 0) this.#errors.clear();
  }

  /** Memory for a record: the address of its parameters, or a negative error. */
  #record(bytes: number): number {
    const { control, guard } = this.#worker;
    if (Atomics.add(control, Word.PENDING, 1) >= WAITING * Atomics.load(control, Word.MAX_PENDING)) {
      Atomics.sub(control, Word.PENDING, 1);
      return -Failure.PENDING;
    }
    const start = this.#heap.allocate(bytes + HEADER + ALIGNMENT);
    if (start === 0) {
      Atomics.sub(control, Word.PENDING, 1);
      return -Failure.RESOURCES;
    }
    const record = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
    this.#words().set([start, bytes], record / 4 + Record.START);
    this.#words()[record / 4 + Record.BYTES] = bytes;
    guard()?.give(record + HEADER, bytes, 'global');
    return record + HEADER;
  }

  /** Enter a launch into the list of its grid. Returns an error. */
  #launch(kernel: number, parameters: number, sizes: readonly number[], stream: bigint): number {
    const { control, running, limitsOf } = this.#worker;
    if (parameters < HEADER) return Failure.VALUE;
    const record = parameters - HEADER;
    const depth = (control[running.command + Slot.DEPTH] as number) + 1;
    // A kernel that has launched another one is pending until that has completed.
    const isDeep = depth > Atomics.load(control, Word.MAX_PENDING);
    const failure = isDeep ? Failure.PENDING : failureOf(limitsOf(kernel), sizes);
    if (failure !== 0) {
      this.#release(record);
      return failure;
    }
    locked(control, Word.LAUNCH_LOCK, () => {
      const all = this.#words();
      all.set([0, kernel, ...sizes, stream === TAIL_STREAM ? 1 : 0, depth], record / 4);
      const last = Atomics.load(control, running.command + Slot.LAUNCHED_LAST) >>> 0;
      if (last === 0) Atomics.store(control, running.command + Slot.LAUNCHED_FIRST, record);
      else all[last / 4 + Record.NEXT] = record;
      Atomics.store(control, running.command + Slot.LAUNCHED_LAST, record);
      Atomics.or(control, running.command + Slot.LEFT, Left.LAUNCHES);
    });
    return 0;
  }

  #release(record: number): void {
    const { control, guard } = this.#worker;
    const at = record / 4;
    guard()?.take(record + HEADER, this.#words()[at + Record.BYTES] as number);
    this.#heap.release(this.#words()[at + Record.START] as number);
    Atomics.sub(control, Word.PENDING, 1);
  }

  /**
   * Make the running command the next launch of a kernel. All shares of it have been done, and the caller is the one
   * that did the last.
   *
   * @returns false where there is none
   */
  next(base: number): boolean {
    const { control } = this.#worker;
    const take = (word: number): number => Atomics.exchange(control, base + word, 0) >>> 0;
    const current = take(Slot.LAUNCH_RUNNING);
    if (current !== 0) this.#release(current);
    this.#join(base, take(Slot.LAUNCHED_FIRST));
    Atomics.store(control, base + Slot.LAUNCHED_LAST, 0);
    const first = take(Slot.WAITING_FIRST);
    if (first === 0) return false;
    if (Atomics.load(control, contextWord(control[base + Slot.CONTEXT] as number)) !== 0) {
      for (const record of this.#listAt(first)) this.#release(record);
      return false;
    }
    Atomics.store(control, base + Slot.WAITING_FIRST, this.#words()[first / 4 + Record.NEXT] as number);
    Atomics.store(control, base + Slot.LAUNCH_RUNNING, first);
    this.#become(base, first);
    return true;
  }

  /** Put the launches of the grid that has ended before those that wait, with the tail launches behind the others. */
  #join(base: number, first: number): void {
    if (first === 0) return;
    const { control } = this.#worker;
    const all = this.#words();
    const own = this.#listAt(first);
    const isTail = (record: number): boolean => all[record / 4 + Record.TAIL] === 1;
    const sorted = [...own.filter((record) => !isTail(record)), ...own.filter(isTail)];
    let next = Atomics.load(control, base + Slot.WAITING_FIRST) >>> 0;
    for (const record of sorted.reverse()) {
      all[record / 4 + Record.NEXT] = next;
      next = record;
    }
    Atomics.store(control, base + Slot.WAITING_FIRST, next);
  }

  #listAt(first: number): number[] {
    const words = this.#words();
    const list: number[] = [];
    for (let at = first; at !== 0; at = words[at / 4 + Record.NEXT] as number) list.push(at);
    return list;
  }

  /** Rewrite the command's words. Its number of the child comes first: other workers compare it with their shares'. */
  #become(base: number, record: number): void {
    const { control } = this.#worker;
    const at = record / 4;
    const all = this.#words();
    const child = ((control[base + Slot.CHILD] as number) + 1) | 0;
    Atomics.store(control, base + Slot.CHILD, child);
    if (control[base + Slot.GRID_AREA] !== 0) {
      // Its rounds have had numbers of their own.
      control[base + Slot.EPOCH] = (control[base + Slot.EPOCH] as number) + GRID_ROUNDS;
      control[base + Slot.GRID_AREA] = 0;
    }
    const size = (word: number): number => all[at + word] as number;
    control[base + Slot.KERNEL] = size(Record.KERNEL);
    control[base + Slot.ARGUMENTS] = record + HEADER;
    for (let i = 0; i < 3; i++) {
      control[base + Slot.GRID + i] = size(Record.GRID + i);
      control[base + Slot.BLOCK + i] = size(Record.BLOCK + i);
    }
    control[base + Slot.SHARED] = size(Record.SHARED);
    control[base + Slot.DEPTH] = size(Record.DEPTH);
    control[base + Slot.ROUND] = 0;
    const blocks = size(Record.GRID) * size(Record.GRID + 1) * size(Record.GRID + 2);
    Atomics.store(control, base + Slot.PARTS, blocks);
    const workers = Math.max(1, Atomics.load(control, Word.READY));
    Atomics.store(control, base + Slot.CHUNK, shareOf(blocks, workers));
    Atomics.store(control, base + Slot.DONE, 0);
    // From here on other workers may take shares.
    Atomics.store(control, base + Slot.NEXT, firstShare(child));
  }
}

/** Why a launch cannot be: its grid, its block, its dynamic shared memory. */
function failureOf(limits: KernelLimits | undefined, sizes: readonly number[]): number {
  if (!limits) return Failure.FUNCTION;
  const [gx = 0, gy = 0, gz = 0, bx = 0, by = 0, bz = 0, shared = 0] = sizes;
  const tooLarge = [gx, gy, gz].some((size, i) => size === 0 || size > (MAX_GRID[i] as number));
  const threads = bx * by * bz;
  const tooWide = [bx, by, bz].some((size, i) => size === 0 || size > (MAX_BLOCK[i] as number));
  if (tooLarge || tooWide || threads > limits.maxThreads) return Failure.CONFIGURATION;
  if (shared + limits.sharedBytes > MAX_SHARED) return Failure.VALUE;
  return gx * gy * gz > MAX_BLOCKS ? Failure.RESOURCES : 0;
}
