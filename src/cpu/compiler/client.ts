import { MessageChannel, receiveMessageOnPort, SHARE_ENV, Worker, type MessagePort } from 'node:worker_threads';
import { compileScope, tookTooLong } from '../../core/compile-scope.ts';
import { cpuDevicesVariable, cpuProgressVariable } from '../../core/environment.ts';
import { hasThreadRoom } from '../runtime/thread-room.ts';
import { workerFile } from '../files/worker-file.ts';
import { tooMuch } from './limits.ts';
import { ENDED, Word, type Question, type Reply, type WorkerStart, type Withdrawal } from './messages.ts';
import { toolchainMissing } from './toolchain.ts';
import { orderSeed } from '../abi/order.ts';
import type { OpenCLRequest } from './opencl/request.ts';
import type { CompileAnswer, CompileRequest } from './request.ts';

/** The tools hold some hundred megabytes. */
const IDLE_MS = 30_000;
/** The additional wait after the limit of a compilation; then the worker counts as ended. */
const PATIENCE_MS = 60_000;

interface Waiter {
  readonly resolve: (answer: CompileAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Compile CUDA C++ for the CPU device. Host: blocks.
 *
 * @throws {@link LibraryNotFoundError} the compiler's package is not installed
 */
export function compileCuda(request: CompileRequest): CompileAnswer {
  return client()?.compile(amongPeers(inOrder(request))) ?? NO_ROOM;
}

/** {@link compileCuda} without blocking JavaScript. */
export function compileCudaLater(request: CompileRequest): Promise<CompileAnswer> {
  return client()?.compileLater(amongPeers(inOrder(request))) ?? Promise.resolve(NO_ROOM);
}

/**
 * Compile OpenCL C for the CPU device, or link compiled objects. Host: blocks.
 *
 * @throws Error the compiler's packages are not installed, or it has failed
 */
export function compileOpenCL(request: OpenCLRequest): CompileAnswer {
  return client()?.compile(inOrder(request)) ?? NO_ROOM;
}

/** {@link compileOpenCL} without blocking JavaScript. */
export function compileOpenCLLater(request: OpenCLRequest): Promise<CompileAnswer> {
  return client()?.compileLater(inOrder(request)) ?? Promise.resolve(NO_ROOM);
}

/** A request with the environment's choice between the plain and a drawn order of threads. */
function inOrder<Request extends CompileRequest | OpenCLRequest>(request: Request): Request {
  return { ...request, shuffled: orderSeed() !== undefined };
}

/** A request whose code asks, before each access, whether the memory is that of a device without peer access. */
function amongPeers(request: CompileRequest): CompileRequest {
  return cpuDevicesVariable() > 1 ? { ...request, peers: true } : request;
}

let current: Client | undefined;

const NO_ROOM: CompileAnswer = { log: tooMuch('could not start: there is no room to allocate a thread') };

/** Undefined if the process has no room for its thread. */
function client(): Client | undefined {
  if (!current?.claim()) {
    if (!hasThreadRoom()) return undefined;
    current = new Client();
    current.claim();
  }
  return current;
}

/** A compile worker and the requests that it has. It keeps the process alive only for promises. */
class Client {
  readonly #port: MessagePort;
  readonly #words = new Int32Array(new SharedArrayBuffer(8));
  readonly #waiters = new Map<number, Waiter>();
  #next = 0;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    const start: WorkerStart = { port: port2, words: this.#words, idleMs: IDLE_MS };
    // Loaders of the main thread would read the tools' megabytes of JavaScript.
    const worker = new Worker(workerFile('compiler/worker'), {
      workerData: start,
      transferList: [port2],
      execArgv: [],
      env: SHARE_ENV,
      name: 'rawkernel compiler',
    });
    this.#port = port1;
    worker.unref();
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error("The CPU device's compiler has ended")));
    port1.on('message', (reply: Reply) => this.#settle(reply));
    port1.unref();
  }

  /** Announce a request; false when the worker takes no more. */
  claim(): boolean {
    for (;;) {
      const requests = Atomics.load(this.#words, Word.REQUESTS);
      if (requests === ENDED) return false;
      if (Atomics.compareExchange(this.#words, Word.REQUESTS, requests, requests + 1) === requests) return true;
    }
  }

  compile(request: CompileRequest | OpenCLRequest): CompileAnswer {
    const { timeoutMs } = compileScope();
    const id = this.#ask(request, timeoutMs);
    let answer: CompileAnswer | undefined;
    let failure: Error | undefined;
    this.#waiters.set(id, {
      resolve: (value) => {
        answer = value;
      },
      reject: (error) => {
        failure = error;
      },
    });
    const patience = this.#waiters.size * (timeoutMs + PATIENCE_MS);
    const deadline = timeoutMs > 0 ? Date.now() + patience : Infinity;
    while (this.#waiters.has(id)) {
      const answers = Atomics.load(this.#words, Word.ANSWERS);
      const message = receiveMessageOnPort(this.#port) as { readonly message: Reply } | undefined;
      if (message) this.#settle(message.message);
      else if (Date.now() > deadline) this.#fail(new Error("The CPU device's compiler does not answer"));
      else Atomics.wait(this.#words, Word.ANSWERS, answers, 1000);
    }
    if (!answer) throw failure ?? new Error("The CPU device's compiler has no answer");
    return answer;
  }

  compileLater(request: CompileRequest | OpenCLRequest): Promise<CompileAnswer> {
    const { timeoutMs, signal } = compileScope();
    return new Promise((resolve, reject) => {
      const id = this.#ask(request, timeoutMs);
      this.#port.ref();
      const abort = (): void => this.#withdraw(id, signal?.reason as Error);
      const done = (): void => signal?.removeEventListener('abort', abort);
      this.#waiters.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Wait no longer for an answer; the worker ends the compilation. */
  #withdraw(id: number, reason: Error): void {
    const withdrawal: Withdrawal = { withdrawn: id };
    this.#port.postMessage(withdrawal);
    const waiter = this.#waiters.get(id);
    this.#forget(id);
    waiter?.reject(reason);
  }

  #forget(id: number): void {
    this.#waiters.delete(id);
    if (this.#waiters.size === 0) this.#port.unref();
  }

  #ask(request: CompileRequest | OpenCLRequest, timeoutMs: number): number {
    const id = this.#next++;
    const late = tookTooLong(timeoutMs);
    const question: Question = { id, request, timeoutMs, late, progress: cpuProgressVariable() };
    this.#port.postMessage(question);
    return id;
  }

  #settle({ id, answer, failure, missing }: Reply): void {
    const waiter = this.#waiters.get(id);
    this.#forget(id);
    if (answer) waiter?.resolve(answer);
    else waiter?.reject(missing ? toolchainMissing(missing) : new Error(failure));
  }

  #fail(error: Error): void {
    Atomics.store(this.#words, Word.REQUESTS, ENDED);
    for (const waiter of this.#waiters.values()) waiter.reject(error);
    this.#waiters.clear();
    this.#port.unref();
  }
}
