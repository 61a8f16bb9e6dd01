import { listenAddress } from '../../job/address.ts';
import { StoreError } from '../../job/errors.ts';
import { Store } from '../../job/store.ts';
import { StoreServer } from '../../job/store-server.ts';
import { otherFailure, type Failure } from './failure.ts';
import type { JobStore, Nodes } from './nodes.ts';
import type { LaunchPlan, Rendezvous } from './plan.ts';

/** What a launcher tells the others. */
interface Member {
  readonly processes: number;
  readonly nodes: number;
  readonly restarts: number;
}

/** Where the launchers have met. */
interface Meeting {
  readonly rendezvous: Rendezvous;
  readonly token: string;
  /** On node 0. */
  readonly host: StoreServer | undefined;
  readonly store: Store;
}

/** Time for all launchers to come. */
const JOIN_MS = 600_000;
/** A job may take as long as it likes. */
const FOREVER_MS = 2 ** 31 - 1;
/** Time for other launchers to read the result from node 0. */
const LINGER_MS = 5000;

/**
 * The launchers of several machines meet in a store of node 0's, at the address that all were given. Each attempt has
 * another store for the ranks, of node 0's launcher too. When one node fails or is lost, all end.
 */
export class SeveralNodes implements Nodes {
  readonly nodes: number;
  readonly node: number;
  readonly size: number;
  readonly offset: number;
  readonly restarts: number;
  readonly #meeting: Meeting;
  #lost: Failure | undefined;
  /** Ends waits for nodes that are lost. */
  readonly #without = new AbortController();
  #onLost: (failure: Failure) => void = () => undefined;
  #server: StoreServer | undefined;
  #store: Store | undefined;

  constructor(meeting: Meeting, members: readonly Member[]) {
    const { node, nodes } = meeting.rendezvous;
    this.nodes = nodes;
    this.node = node;
    const counts = members.map(({ processes }) => processes);
    this.size = counts.reduce((sum, count) => sum + count, 0);
    this.offset = counts.slice(0, node).reduce((sum, count) => sum + count, 0);
    this.restarts = members[0]?.restarts ?? 0;
    this.#meeting = meeting;
  }

  /** Meet the other launchers. */
  static async join(plan: LaunchPlan, rendezvous: Rendezvous): Promise<SeveralNodes> {
    const { token } = plan;
    const { host: address, port, node } = rendezvous;
    const host = node === 0 ? await StoreServer.listen({ host: listenAddress(address), port, token }) : undefined;
    const store = await Store.connect({ host: address, port, token, rank: node, timeoutMs: JOIN_MS });
    const meeting = { rendezvous, token, host, store };
    const joined = new SeveralNodes(meeting, await membersOf(meeting, plan));
    await joined.#watch();
    return joined;
  }

  async begin(attempt: number): Promise<JobStore> {
    const { rendezvous, token, store } = this.#meeting;
    const address = rendezvous.host;
    const key = `attempt/${attempt}/port`;
    if (this.node === 0) {
      this.#server = await StoreServer.listen({ host: listenAddress(address), token });
      await store.set(key, String(this.#server.port));
    }
    const port = Number(Buffer.from(await store.get(key, { signal: this.#without.signal })).toString());
    this.#store = await Store.connect({ host: address, port, token });
    return { address, port, store: this.#store };
  }

  async onFailure(attempt: number, listener: (failure: Failure) => void): Promise<void> {
    this.#onLost = listener;
    if (this.#lost) listener(this.#lost);
    await this.#meeting.store.subscribe(failKey(attempt), (_, value) => {
      if (value) listener(JSON.parse(Buffer.from(value).toString()) as Failure);
    });
  }

  async fail(attempt: number, failure: Failure): Promise<Failure> {
    const first = this.#meeting.store.compareSet(failKey(attempt), '', JSON.stringify(failure));
    // Without the others, the own failure is the first one.
    return first.then((value) => JSON.parse(Buffer.from(value).toString()) as Failure).catch(() => failure);
  }

  async succeed(attempt: number): Promise<void> {
    const { store } = this.#meeting;
    await store.set(`attempt/${attempt}/done/${this.node}`, '');
    const all = Array.from({ length: this.nodes }, (_, node) => `attempt/${attempt}/done/${node}`);
    await store.wait(all, { timeoutMs: FOREVER_MS });
  }

  async end(attempt: number): Promise<void> {
    await this.#store?.close();
    // Ranks of other nodes may still end by what this store tells them.
    const { signal } = this.#without;
    await this.#meeting.store.barrier(`attempt/${attempt}/end`, this.nodes, { signal }).catch(() => undefined);
    await this.#server?.close();
  }

  async close(): Promise<void> {
    await this.#store?.close();
    await this.#server?.close();
    await this.#meeting.store.close();
    await this.#meeting.host?.close(LINGER_MS);
  }

  /** A launcher that is gone ends the job: its ranks are gone as well. */
  async #watch(): Promise<void> {
    const { store } = this.#meeting;
    const lose = (how: string): void => {
      this.#lost ??= otherFailure(how, 1);
      this.#onLost(this.#lost);
      this.#without.abort(new Error(how));
    };
    store.onLost(() => lose('node 0 is lost: its launcher has ended, or cannot be reached'));
    await store.onLeave((node, reason) => {
      if (reason !== 'closed') lose(`node ${node} is lost: ${reason}`);
    });
  }
}

function failKey(attempt: number): string {
  return `attempt/${attempt}/failure`;
}

/** What all launchers tell, in the order of the nodes. */
async function membersOf({ rendezvous, store }: Meeting, plan: LaunchPlan): Promise<readonly Member[]> {
  const { node, nodes } = rendezvous;
  const own: Member = { processes: plan.processes, nodes, restarts: plan.restarts };
  if ((await store.add(`join/count/${node}`, 1)) > 1) {
    throw new Error(`--node-rank ${node}: another launcher has this number already`);
  }
  await store.set(`member/${node}`, JSON.stringify(own));
  const keys = Array.from({ length: nodes }, (_, each) => `member/${each}`);
  const values = await Promise.all(keys.map((key) => valueOf(store, key, nodes)));
  const members = values.map((value) => JSON.parse(Buffer.from(value).toString()) as Member);
  const other = members.findIndex((member) => member.nodes !== nodes);
  if (other < 0) return members;
  throw new Error(`--nnodes ${nodes}: node ${other} has --nnodes ${members[other]?.nodes ?? 0}`);
}

async function valueOf(store: Store, key: string, nodes: number): Promise<Uint8Array> {
  try {
    return await store.get(key);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code !== 'ERR_RAWKERNEL_STORE_TIMEOUT') throw cause;
    throw new Error(`Node ${key.slice('member/'.length)} of ${nodes} has not come within ${JOIN_MS / 1000} s`, {
      cause,
    });
  }
}
