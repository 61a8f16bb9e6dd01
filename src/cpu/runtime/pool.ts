import { availableParallelism } from 'node:os';
import { cpuWorkersVariable } from '../../core/environment.ts';
import { warn } from '../../core/errors.ts';
import { kernelThread, type KernelThread } from '../../core/kernel-thread.ts';
import type { WasmMemory } from '../abi/webassembly.ts';
import { workerFile } from '../files/worker-file.ts';
import { milliseconds } from './clock.ts';
import { MAX_WORKERS, SHARED_BYTES, Word } from './control.ts';
import type { ProgramImage } from './program.ts';
import { FIRST_PATIENCE_MS } from './queue.ts';
import { hasThreadRoom } from './thread-room.ts';
import type { WorkerData, WorkerMessage } from './worker.ts';

/** To start a thread takes several times as long. A thread that waits looks a little later. */
const LATE_MS = FIRST_PATIENCE_MS - 1;

/** The start data of all workers. */
export interface PoolSetup {
  readonly control: Int32Array;
  readonly prints: SharedArrayBuffer;
  readonly memory: WasmMemory;
  /** Dynamic shared memory of the first worker; {@link SHARED_BYTES} for each. */
  readonly shared: number;
}

/** The number of workers: `RAWKERNEL_CPU_WORKERS`, else one for each core. */
export function workerCount(): number {
  return cpuWorkersVariable(MAX_WORKERS) ?? Math.min(MAX_WORKERS, availableParallelism());
}

/** The threads that run kernels. They start when they are first needed, and never keep the process alive. */
export class WorkerPool {
  readonly #setup: PoolSetup;
  #size: number;
  readonly #threads: KernelThread[] = [];
  /** State that a worker started later must also receive. */
  readonly #programs = new Map<number, ProgramImage>();
  #stack: { readonly base: number; readonly stride: number };
  #messages = 0;
  /** What the first light command wanted, and when. */
  #late: { readonly count: number; readonly since: number } | undefined;
  #failure: Error | undefined;

  constructor(setup: PoolSetup, size: number, stack: { readonly base: number; readonly stride: number }) {
    this.#setup = setup;
    this.#size = size;
    this.#stack = stack;
  }

  get started(): number {
    return this.#threads.length;
  }

  /** The error of a worker that has ended unexpectedly. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Start workers until there are this many, or as many as the pool may have.
   *
   * @param isLight - the worker that is there may be enough: the first time the others are left for {@link startLate}
   */
  ensure(count: number, isLight = false): void {
    if (isLight && this.#threads.length === 1 && this.#late === undefined) {
      this.#late = { count, since: milliseconds() };
      return;
    }
    while (this.#threads.length < Math.min(count, this.#size)) {
      // With little address space the pool has fewer workers, but at least one: the JavaScript engine ends a process
      // whose thread lacks room.
      if (this.#threads.length > 0 && !hasThreadRoom()) this.#size = this.#threads.length;
      else this.#start();
    }
  }

  /** Start the workers that a light command did not seem to need, once it takes long. */
  startLate(): void {
    if (this.#late && milliseconds() - this.#late.since >= LATE_MS) this.ensure(this.#late.count);
  }

  load(image: ProgramImage): void {
    this.#programs.set(image.id, image);
    this.#send({ type: 'load', image });
  }

  unload(id: number): void {
    this.#programs.delete(id);
    this.#send({ type: 'unload', id });
  }

  /** Where the kernels' stacks are from the next command on. Nothing may run meanwhile. */
  moveStacks(base: number, stride: number): void {
    this.#stack = { base, stride };
    this.#send({ type: 'stack', base, stride });
  }

  /** End all workers at once. */
  terminate(): void {
    for (const thread of this.#threads) thread.terminate();
    this.#threads.length = 0;
  }

  #start(): void {
    const index = this.#threads.length;
    const { control, prints, memory, shared } = this.#setup;
    const data: WorkerData = {
      index,
      control: control.buffer as SharedArrayBuffer,
      prints,
      memory,
      shared: shared + index * SHARED_BYTES,
    };
    const messages: WorkerMessage[] = [
      { type: 'stack', ...this.#stack },
      ...[...this.#programs.values()].map((image) => ({ type: 'load', image }) as const),
    ];
    const thread = kernelThread(workerFile('runtime/worker'), index);
    thread.begin(data, (error) => {
      this.#failure = error;
      warn(`A worker of the CPU device failed: ${error.message}`, 'RAWKERNEL_CPU');
    });
    for (const message of messages) thread.port.postMessage(message);
    // A worker looks into its port when this count is not the one it knows, and it knows none.
    this.#count();
    this.#threads.push(thread);
  }

  #send(message: WorkerMessage): void {
    for (const { port } of this.#threads) port.postMessage(message);
    this.#count();
  }

  #count(): void {
    Atomics.store(this.#setup.control, Word.MESSAGES, ++this.#messages);
  }
}
