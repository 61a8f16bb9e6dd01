import { availableParallelism } from 'node:os';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { cpuWorkersVariable } from '../../core/environment.ts';
import { warn } from '../../core/errors.ts';
import type { WasmMemory } from '../abi/webassembly.ts';
import { workerFile } from '../files/worker-file.ts';
import { MAX_WORKERS, SHARED_BYTES, Word } from './control.ts';
import type { ProgramImage } from './program.ts';
import { hasThreadRoom } from './thread-room.ts';
import type { WorkerData, WorkerMessage } from './worker.ts';

const NATIVE_STACK_MB = 16;

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
  readonly #workers: Worker[] = [];
  readonly #ports: MessagePort[] = [];
  /** State that a worker started later must also receive. */
  readonly #programs = new Map<number, ProgramImage>();
  #stack: { readonly base: number; readonly stride: number };
  #messages = 0;
  #failure: Error | undefined;

  constructor(setup: PoolSetup, size: number, stack: { readonly base: number; readonly stride: number }) {
    this.#setup = setup;
    this.#size = size;
    this.#stack = stack;
  }

  get started(): number {
    return this.#workers.length;
  }

  /** The error of a worker that has ended unexpectedly. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Start workers until there are this many, or as many as the pool may have. */
  ensure(count: number): void {
    while (this.#workers.length < Math.min(count, this.#size)) {
      // With little address space the pool has fewer workers, but at least one: the JavaScript engine ends a process
      // whose thread lacks room.
      if (this.#workers.length > 0 && !hasThreadRoom()) this.#size = this.#workers.length;
      else this.#start();
    }
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
    for (const worker of this.#workers) {
      worker.removeAllListeners();
      void worker.terminate();
    }
    for (const port of this.#ports) port.close();
    this.#workers.length = 0;
    this.#ports.length = 0;
  }

  #start(): void {
    const index = this.#workers.length;
    const { port1, port2 } = new MessageChannel();
    const { control, prints, memory, shared } = this.#setup;
    const data: WorkerData = {
      index,
      control: control.buffer as SharedArrayBuffer,
      prints,
      memory,
      port: port2,
      shared: shared + index * SHARED_BYTES,
    };
    const messages: WorkerMessage[] = [
      { type: 'stack', ...this.#stack },
      ...[...this.#programs.values()].map((image) => ({ type: 'load', image }) as const),
    ];
    for (const message of messages) port1.postMessage(message);
    // A worker looks into its port when this count is not the one it knows, and it knows none.
    this.#count();
    const worker = new Worker(workerFile('runtime/worker'), {
      workerData: data,
      transferList: [port2],
      // None of this process's loaders and hooks: they would only cost time.
      execArgv: [],
      resourceLimits: { stackSizeMb: NATIVE_STACK_MB },
      name: `rawkernel CPU ${index}`,
    });
    worker.on('error', (error) => {
      this.#failure = error;
      warn(`A worker of the CPU device failed: ${error.message}`, 'RAWKERNEL_CPU');
    });
    worker.unref();
    port1.unref();
    this.#workers.push(worker);
    this.#ports.push(port1);
  }

  #send(message: WorkerMessage): void {
    for (const port of this.#ports) port.postMessage(message);
    this.#count();
  }

  #count(): void {
    Atomics.store(this.#setup.control, Word.MESSAGES, ++this.#messages);
  }
}
