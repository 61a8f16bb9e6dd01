import { Store } from '../../job/store.ts';
import { StoreServer } from '../../job/store-server.ts';
import type { Failure } from './failure.ts';

/** The store of one attempt at a job. Ranks connect to it, and this launcher as well. */
export interface JobStore {
  readonly address: string;
  readonly port: number;
  readonly store: Store;
}

/** The machines of a job, as one launcher sees them. */
export interface Nodes {
  readonly nodes: number;
  readonly node: number;
  /** Ranks of all nodes. */
  readonly size: number;
  /** The first rank of this node. */
  readonly offset: number;
  readonly restarts: number;
  /** Begin an attempt, once all nodes are ready for it. */
  begin(attempt: number): Promise<JobStore>;
  /** Hear of the first failure of another node. */
  onFailure(attempt: number, listener: (failure: Failure) => void): Promise<void>;
  /** Tell of a failure here; the answer is the first one of all nodes. */
  fail(attempt: number, failure: Failure): Promise<Failure>;
  /** All ranks of this node have succeeded; wait for those of the others. */
  succeed(attempt: number): Promise<void>;
  /** The attempt is over here: all processes have ended. */
  end(attempt: number): Promise<void>;
  close(): Promise<void>;
}

/** A job on this machine alone. */
export class OneNode implements Nodes {
  readonly nodes = 1;
  readonly node = 0;
  readonly offset = 0;
  readonly size: number;
  readonly restarts: number;
  readonly #token: string;
  #server: StoreServer | undefined;
  #store: Store | undefined;

  constructor(size: number, restarts: number, token: string) {
    this.size = size;
    this.restarts = restarts;
    this.#token = token;
  }

  async begin(): Promise<JobStore> {
    const token = this.#token;
    this.#server = await StoreServer.listen({ token });
    const { host: address, port } = this.#server;
    this.#store = await Store.connect({ host: address, port, token });
    return { address, port, store: this.#store };
  }

  onFailure(): Promise<void> {
    return Promise.resolve();
  }

  fail(_: number, failure: Failure): Promise<Failure> {
    return Promise.resolve(failure);
  }

  succeed(): Promise<void> {
    return Promise.resolve();
  }

  async end(): Promise<void> {
    await this.#store?.close();
    await this.#server?.close();
  }

  close(): Promise<void> {
    return this.end();
  }
}
