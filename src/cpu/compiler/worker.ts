import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { tooMuch } from './limits.ts';
import { ENDED, Word, type Question, type Reply, type Withdrawal, type WorkerStart } from './messages.ts';
import { optionsForCompiler } from './node-options.ts';
import { BAD_OPTION, flagsOnStart, SERVER_FLAGS } from './server-flags.ts';
import { sayCompiling } from './waiting-line.ts';

// The main thread may be blocked while it waits for an answer, so this thread passes messages between it and the
// process that compiles. That process gets one question at a time, so that ending it for one question loses no other.
const { port, words, idleMs } = workerData as WorkerStart;
const waiting: Question[] = [];
let asked: Question | undefined;
let limit: NodeJS.Timeout | undefined;
let endLine: (() => void) | undefined;
let server: ChildProcess | undefined;
let flags = flagsOnStart(process.versions);
let complaint = '';
let idle: NodeJS.Timeout | undefined;

/** Windows would open a console for a program without one. Node.js passes this on, though its types lack it. */
const NO_CONSOLE = { windowsHide: true };

function start(): ChildProcess {
  const env = { ...process.env };
  env['NODE_OPTIONS'] = optionsForCompiler(env['NODE_OPTIONS'] ?? '');
  const child = fork(fileURLToPath(new URL('./server.js', import.meta.url)), SERVER_FLAGS, {
    env,
    // Loaders and inspectors of the user's program are not meant for ours.
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...NO_CONSOLE,
  });
  complaint = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaint = `${complaint}${text.toString()}`.slice(-2000);
  });
  child.on('message', (reply: Reply) => {
    if (child === server && reply.id === asked?.id) settle(reply);
  });
  child.on('error', (error) => fail(child, { failure: error.message }));
  child.on('exit', (code, signal) => {
    if (code === BAD_OPTION && flags.length > 0 && child === server) {
      flags = [];
      server = start();
      if (asked) server.send(asked);
      return;
    }
    const fell = signal !== null || (code ?? 0) >= FIRST_CRASH;
    fail(
      child,
      fell
        ? { answer: { log: tooMuch(`ended with ${signal ?? `status ${code}`}`) } }
        : { failure: `it ended with status ${code}` },
    );
  });
  return child;
}

/** Where a process that crashed has a status instead of a signal, it is a large one. */
const FIRST_CRASH = 128;

function fail(child: ChildProcess, reply: Omit<Reply, 'id'>): void {
  if (child !== server) return;
  server = undefined;
  const { failure } = reply;
  const told =
    failure === undefined
      ? reply
      : { failure: `The CPU device's compiler has failed: ${failure}\n${complaint}`.trim() };
  if (asked) settle({ id: asked.id, ...told });
}

/** End the process for the question that it has. The next one loads the tools until it is needed. */
function kill(reply: Reply): void {
  const child = server;
  server = start();
  child?.kill('SIGKILL');
  settle(reply);
}

function next(): void {
  if (asked) return;
  asked = waiting.shift();
  if (!asked) {
    idle = setTimeout(end, idleMs);
    return;
  }
  const { id, timeoutMs, late, request, progress } = asked;
  server ??= start();
  server.send(asked);
  if (progress) endLine = sayCompiling(request.file);
  if (timeoutMs > 0) limit = setTimeout(() => kill({ id, answer: { log: late } }), timeoutMs);
}

function settle(reply: Reply): void {
  clearTimeout(limit);
  endLine?.();
  endLine = undefined;
  asked = undefined;
  answer(reply);
  next();
}

function answer(reply: Reply): void {
  port.postMessage(reply);
  Atomics.add(words, Word.ANSWERS, 1);
  Atomics.notify(words, Word.ANSWERS);
  Atomics.sub(words, Word.REQUESTS, 1);
}

function withdraw(id: number): void {
  const at = waiting.findIndex((question) => question.id === id);
  const reply = { id, failure: 'withdrawn' };
  if (at >= 0) {
    waiting.splice(at, 1);
    answer(reply);
  } else if (asked?.id === id) kill(reply);
}

/** End the process to free its memory, unless a request has arrived meanwhile. */
function end(): void {
  if (Atomics.compareExchange(words, Word.REQUESTS, 0, ENDED) !== 0) return;
  if (!server) process.exit();
  // The system keeps an ended process until its parent has read its exit code.
  server.once('exit', () => process.exit());
  server.disconnect();
}

// Before the first question: it takes a while to load.
server = start();
port.on('message', (message: Question | Withdrawal) => {
  if ('withdrawn' in message) {
    withdraw(message.withdrawn);
    return;
  }
  clearTimeout(idle);
  waiting.push(message);
  next();
});
