import type { MessagePort } from 'node:worker_threads';
import type { OpenCLRequest } from './opencl/request.ts';
import type { CompileAnswer, CompileRequest } from './request.ts';

/** The start data of the compile worker. */
export interface WorkerStart {
  readonly port: MessagePort;
  /** Words of shared memory; see {@link Word}. */
  readonly words: Int32Array;
  /** The worker ends after this long without work. */
  readonly idleMs: number;
}

/** Places in the shared memory of the compile worker and its client. */
export const Word = {
  /** Requests that are not answered yet; {@link ENDED} once the worker takes no more. */
  REQUESTS: 0,
  /** Answers so far; the client waits for it to change. */
  ANSWERS: 1,
} as const;

/** The worker has ended, so that a new one must be started. */
export const ENDED = -1;

/** One request. */
export interface Question {
  readonly id: number;
  readonly request: CompileRequest | OpenCLRequest;
  /** How long it may take, in milliseconds; 0: without a limit. */
  readonly timeoutMs: number;
  /** The log when it takes longer. The thread has few modules, so that it starts soon. */
  readonly late: string;
  /** Whether a terminal is told when it takes long. */
  readonly progress: boolean;
}

/** A request whose answer is no longer needed. */
export interface Withdrawal {
  readonly withdrawn: number;
}

/** The answer to a request, or an error that is not the user's. */
export interface Reply {
  readonly id: number;
  readonly answer?: CompileAnswer;
  readonly failure?: string;
  /** If the tools are not installed: the searched places. */
  readonly missing?: readonly string[] | undefined;
}
