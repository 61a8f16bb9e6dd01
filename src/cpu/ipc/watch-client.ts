import { KernelThread } from '../../core/kernel-thread.ts';
import { workerFile } from '../files/worker-file.ts';
import type { Engine } from '../runtime/engine.ts';
import type { Watched, WatchMessage, WatchStart } from './watch-messages.ts';

/** The thread that waits for events of other processes, as the program's thread sees it. It never keeps the process alive. */
export class WatchClient {
  readonly #thread: KernelThread;

  constructor(engine: Engine) {
    this.#thread = new KernelThread(workerFile('ipc/watch'), 'IPC');
    const start: WatchStart = { control: engine.control.buffer as SharedArrayBuffer, memory: engine.memory.memory };
    this.#thread.begin(start, (error) => {
      throw error;
    });
    engine.moved.add(() => {
      this.#post({ type: 'control', control: engine.control.buffer as SharedArrayBuffer });
    });
  }

  watch(watched: Watched): void {
    this.#post({ type: 'watch', watched });
  }

  #post(message: WatchMessage): void {
    this.#thread.port.postMessage(message);
  }
}
