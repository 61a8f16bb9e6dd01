import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { MessageChannel, Worker } from 'node:worker_threads';
import { receive, send } from './compile-frames.js';

// A process with compilers of the embedded device for all test files: global-setup.js starts it. A compiler
// takes seconds to load, more than most files take otherwise, and each file would start one. There are as many as the
// machine has cores, each in the built thread that a user's process has; compile-worker.js passes questions on to here.
const [, , path] = process.argv;
const NEVER = 2 ** 31 - 1;

const compilers = [];
let next = 0;

/** A thread and the questions that it has: by their numbers here, who asked, and by which number. */
function startCompiler() {
  const { port1, port2 } = new MessageChannel();
  const words = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL('../../dist/cpu/compiler/worker.js', import.meta.url), {
    workerData: { port: port2, words, idleMs: NEVER },
    transferList: [port2],
  });
  const compiler = { port: port1, words, asked: new Map() };
  // Those who ask see that the connection ends.
  worker.on('exit', () => process.exit(1));
  port1.on('message', (reply) => {
    const { socket, id } = compiler.asked.get(reply.id) ?? {};
    compiler.asked.delete(reply.id);
    if (socket?.writable) send(socket, { ...reply, id });
  });
  compilers.push(compiler);
  return compiler;
}

/** The compiler with the fewest questions; another one if all have some. */
function idlest() {
  const [first] = compilers.toSorted((a, b) => a.asked.size - b.asked.size);
  return first && (first.asked.size === 0 || compilers.length >= availableParallelism()) ? first : startCompiler();
}

function withdraw(socket, id) {
  for (const { port, asked } of compilers) {
    for (const [number, one] of asked) {
      if (one.socket === socket && (id === undefined || one.id === id)) port.postMessage({ withdrawn: number });
    }
  }
}

const server = createServer((socket) => {
  receive(socket, (message) => {
    if ('withdrawn' in message) {
      withdraw(socket, message.withdrawn);
      return;
    }
    const { port, words, asked } = idlest();
    const number = next++;
    asked.set(number, { socket, id: message.id });
    Atomics.add(words, 0, 1);
    port.postMessage({ ...message, id: number });
  });
  // A file that has ended wants no answers.
  socket.on('error', () => undefined).on('close', () => withdraw(socket));
});
server.listen(path, () => process.send('listening'));
process.on('disconnect', () => {
  rmSync(path, { force: true });
  process.exit();
});
