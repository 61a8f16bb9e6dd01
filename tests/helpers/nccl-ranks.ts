import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DriverTable } from '../../src/cuda/sys/tables.ts';
import type { NcclTable } from '../../src/nccl/sys/tables.ts';
import { root } from './root.ts';

const FILE = join(root, 'tests/helpers/nccl-rank.mjs');

/** What a rank's functions have: nccl-rank.mjs. Tables and handles are untyped there. */
export interface RankApi {
  readonly cuda: DriverTable;
  readonly nccl: NcclTable;
  readonly kept: Record<string, never>;
  readonly check: (status: number) => void;
  readonly made: (call: (out: BigUint64Array) => number) => never;
  readonly init: (id: readonly number[], size: number, rank: number) => never;
  readonly put: (array: ArrayBufferView) => never;
  readonly get: <T extends ArrayBufferView>(address: never, array: T) => T;
  readonly stream: () => never;
  readonly sync: () => void;
  readonly handles: () => string[];
}

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** A rank in a thread or a process of its own. Each counts as a machine of its own, with its device 0. */
export class RankRunner {
  readonly #worker: Worker | undefined;
  readonly #child: ChildProcess | undefined;
  readonly ended: Promise<unknown>;

  constructor(kind: 'thread' | 'process', index: number, variables: Readonly<Record<string, string>> = {}) {
    const env = { ...process.env, NCCL_HOSTID: `host ${index}`, ...variables };
    if (kind === 'thread') this.#worker = new Worker(FILE, { env });
    else this.#child = fork(FILE, { env, serialization: 'advanced', execArgv: [] });
    this.ended = once((this.#worker ?? this.#child) as Worker, 'exit').then(([code]) => code as unknown);
  }

  /** Resolves when the rank has its tables. */
  async ready(): Promise<this> {
    await this.#reply();
    return this;
  }

  async #reply(): Promise<unknown> {
    const [reply] = (await once((this.#worker ?? this.#child) as Worker, 'message')) as [Reply];
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  }

  /** Run a function there; it sees its arguments alone. */
  run<Args extends unknown[], Result>(
    call: (api: RankApi, ...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const message = { text: call.toString(), args };
    const reply = this.#reply();
    if (this.#worker) this.#worker.postMessage(message);
    else this.#child?.send(message);
    return reply as Promise<Awaited<Result>>;
  }

  /** Let go of the rank: it ends when nothing else keeps it. */
  release(): void {
    this.#child?.disconnect();
    void this.#worker?.terminate();
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
    void this.#worker?.terminate();
  }
}

export async function startRanks(kind: 'thread' | 'process', count: number): Promise<RankRunner[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => new RankRunner(kind, index).ready()));
}
