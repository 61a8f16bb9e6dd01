import { KernelThread } from '../../core/kernel-thread.ts';
import { workerFile } from '../files/worker-file.ts';
import type { Engine } from '../runtime/engine.ts';
import { CommWord } from './comm-words.ts';
import type { ProgressData, ProgressMessage } from './messages.ts';
import { Result } from './numbers.ts';

/** The thread that carries out collectives, as the program's thread sees it. It never keeps the process alive. */
export class ProgressClient {
  readonly #thread: KernelThread;

  constructor(engine: Engine) {
    this.#thread = new KernelThread(workerFile('nccl/progress'), 'NCCL');
    const data: ProgressData = {
      control: engine.control.buffer as SharedArrayBuffer,
      memory: engine.memory.memory,
    };
    this.#thread.begin(data, (error) => {
      throw error;
    });
    engine.moved.add(() => {
      this.post({ type: 'control', control: engine.control.buffer as SharedArrayBuffer });
    });
  }

  post(message: ProgressMessage): void {
    this.#thread.port.postMessage(message);
  }

  /** Post a message, and sleep until it has been answered. */
  ask(message: Extract<ProgressMessage, { readonly type: 'drop' | 'release' }>, words: Int32Array): void {
    const before = Atomics.load(words, CommWord.ANSWERS);
    this.post(message);
    Atomics.wait(words, CommWord.ANSWERS, before);
  }
}

/** Sleep until a communicator is not in progress: its status. */
export function settled(words: Int32Array): number {
  while (Atomics.load(words, CommWord.STATUS) === Result.IN_PROGRESS) {
    Atomics.wait(words, CommWord.STATUS, Result.IN_PROGRESS);
  }
  return Atomics.load(words, CommWord.STATUS);
}
