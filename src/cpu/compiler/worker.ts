import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { ENDED, Word, type Question, type Reply, type WorkerStart } from './messages.ts';

// The main thread may be blocked while it waits for an answer, so a thread passes messages between it and the process
// that compiles.
const { port, words, idleMs } = workerData as WorkerStart;
const open = new Set<number>();
let server: ChildProcess | undefined;
let complaint = '';
let idle: NodeJS.Timeout | undefined;

function start(): ChildProcess {
  const env = { ...process.env };
  delete env['NODE_OPTIONS'];
  const child = fork(fileURLToPath(new URL('./server.js', import.meta.url)), [], {
    env,
    // Loaders and inspectors of the user's program are not meant for ours.
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  complaint = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaint = `${complaint}${text.toString()}`.slice(-2000);
  });
  child.on('message', (reply: Reply) => settle(reply));
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => fail(`it ended with ${signal ?? `status ${code}`}`));
  return child;
}

function fail(why: string): void {
  server = undefined;
  for (const id of open) settle({ id, failure: `The CPU device's compiler has failed: ${why}\n${complaint}`.trim() });
}

function settle(reply: Reply): void {
  if (!open.delete(reply.id)) return;
  port.postMessage(reply);
  Atomics.add(words, Word.ANSWERS, 1);
  Atomics.notify(words, Word.ANSWERS);
  Atomics.sub(words, Word.REQUESTS, 1);
  if (open.size === 0) idle = setTimeout(end, idleMs);
}

/** Give the memory back, unless a request has come meanwhile. */
function end(): void {
  if (Atomics.compareExchange(words, Word.REQUESTS, 0, ENDED) !== 0) return;
  if (!server) process.exit();
  // The system keeps a process that has ended until somebody has seen it end.
  server.once('exit', () => process.exit());
  server.disconnect();
}

server = start();
port.on('message', (question: Question) => {
  clearTimeout(idle);
  open.add(question.id);
  server ??= start();
  server.send(question);
});
