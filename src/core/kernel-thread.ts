import { existsSync } from 'node:fs';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { hasAddressSpace } from './address-space.ts';

/** What a thread has from its start. The port brings the rest, once the word is not 0. */
export interface ThreadStart {
  readonly port: MessagePort;
  readonly begun: Int32Array;
}

const NATIVE_STACK_MB = 16;

let ahead: KernelThread | undefined;

/**
 * Start the first thread for kernels before its device is there. A thread takes about as long to start as the code of the
 * device to load.
 *
 * @param from - `import.meta.url` of the module that asks; bundlers may leave nothing there
 * @param path - the thread's file, relative to that module
 */
export function startAhead(from: string | undefined, path: string): void {
  if (ahead || from === undefined) return;
  const file = new URL(path, from);
  // Where address space is limited the device looks first whether there is enough for all that it needs.
  if (existsSync(file) && hasAddressSpace(Infinity)) ahead = new KernelThread(file, 0);
}

/** A new thread, or the one that has started already. */
export function kernelThread(file: URL, index: number): KernelThread {
  const started = index === 0 && ahead?.file === file.href ? ahead : undefined;
  if (started) ahead = undefined;
  return started ?? new KernelThread(file, index);
}

/** A thread of the embedded device. It never keeps the process alive. */
export class KernelThread {
  readonly file: string;
  readonly port: MessagePort;
  readonly #worker: Worker;
  readonly #begun = new Int32Array(new SharedArrayBuffer(4));
  #failure: Error | undefined;
  #failed: ((error: Error) => void) | undefined;

  /** @param index - its number, or what else it is named by */
  constructor(file: URL, index: number | string) {
    this.file = file.href;
    const { port1, port2 } = new MessageChannel();
    const start: ThreadStart = { port: port2, begun: this.#begun };
    this.port = port1;
    this.#worker = new Worker(file, {
      workerData: start,
      transferList: [port2],
      // None of this process's loaders and hooks: they would only cost time.
      execArgv: [],
      resourceLimits: { stackSizeMb: NATIVE_STACK_MB },
      name: `rawkernel CPU ${index}`,
    });
    this.#worker.on('error', (error: Error) => {
      this.#failure = error;
      this.#failed?.(error);
    });
    this.#worker.unref();
    port1.unref();
  }

  /**
   * Give it the first message, for which it waits.
   *
   * @param failed - called when the thread ends by an error, or has done so already
   */
  begin(first: unknown, failed: (error: Error) => void): void {
    this.#failed = failed;
    if (this.#failure) failed(this.#failure);
    this.port.postMessage(first);
    Atomics.store(this.#begun, 0, 1);
    Atomics.notify(this.#begun, 0);
  }

  terminate(): void {
    this.#failed = undefined;
    void this.#worker.terminate();
    this.port.close();
  }
}
