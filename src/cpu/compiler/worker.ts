import { workerData } from 'node:worker_threads';
import { ENDED, Word, type Question, type Reply, type WorkerStart } from './messages.ts';
import { compileProgram } from './pipeline.ts';
import { loadToolchain, type Toolchain } from './toolchain.ts';

const { port, words, idleMs } = workerData as WorkerStart;
let toolchain: Promise<Toolchain> | undefined;
let last = Promise.resolve();
let idle: NodeJS.Timeout | undefined;

async function answer({ id, request }: Question): Promise<Reply> {
  try {
    toolchain ??= loadToolchain();
    return { id, answer: compileProgram(await toolchain, request) };
  } catch (error) {
    toolchain = undefined;
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

async function serve(question: Question): Promise<void> {
  clearTimeout(idle);
  port.postMessage(await answer(question));
  Atomics.add(words, Word.ANSWERS, 1);
  Atomics.notify(words, Word.ANSWERS);
  Atomics.sub(words, Word.REQUESTS, 1);
  idle = setTimeout(end, idleMs);
}

/** Give the memory back, unless a request has come meanwhile. */
function end(): void {
  if (Atomics.compareExchange(words, Word.REQUESTS, 0, ENDED) === 0) process.exit();
}

port.on('message', (question: Question) => {
  last = last.then(() => serve(question));
});
