import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { checkInteger, checkOptions } from '../core/check.ts';
import { jobTokenVariable } from '../core/environment.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { cannotListen, isLoopback } from './address.ts';
import { StoreError } from './errors.ts';
import { KeyTable } from './key-table.ts';
import { DEFAULT_LIMITS, type StoreLimits } from './limits.ts';
import { Peer } from './peer.ts';
import { MIN_TOKEN } from './token.ts';

/** Where a store listens, and the secret of its clients. */
export interface ListenOptions {
  /** An address of this machine; `'127.0.0.1'` by default, which other machines do not reach. */
  readonly host?: string | undefined;
  /** 0, the default: a free one. */
  readonly port?: number | undefined;
  /** What clients must know, at least 16 characters; `RAWKERNEL_JOB_TOKEN` by default. Beyond the loopback there must be one. */
  readonly token?: string | undefined;
  readonly limits?: Partial<StoreLimits> | undefined;
}

const OPTIONS = ['host', 'port', 'token', 'limits'];

/**
 * The host of a job's store: keys with values in memory, and word of ranks that leave. It keeps no process alive, and
 * nothing is left of it after `close()`.
 */
export class StoreServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #peers = new Set<Peer>();
  readonly #table: KeyTable;
  readonly #limits: StoreLimits;
  readonly #token: string;
  /** Connections of each rank. */
  readonly #ranks = new Map<number, number>();
  #closing: Promise<void> | undefined;
  /** Connections end because the store does: that is not a rank's leave. */
  #isDown = false;
  /** Is called when a client leaves. */
  #left: () => void = () => undefined;

  /** @internal */
  constructor(maker: Maker, server: Server, token: string, limits: StoreLimits) {
    checkMade(maker === MAKER, 'StoreServer', 'call StoreServer.listen()');
    this.#server = server;
    this.#token = token;
    this.#limits = limits;
    this.#table = new KeyTable(limits);
    server.on('connection', (socket) => this.#accept(socket));
    // A connection that ends before it is accepted must not end the process.
    server.on('error', () => undefined);
  }

  /**
   * Listen for clients.
   *
   * Host: does not block.
   *
   * @throws {@link StoreError} the address is taken, or it is beyond the loopback and there is no token
   */
  static async listen(options: ListenOptions = {}): Promise<StoreServer> {
    checkOptions(options, OPTIONS, 'StoreServer.listen');
    const { host = '127.0.0.1', port = 0, token = jobTokenVariable() ?? '', limits } = options;
    checkInteger(port, 'StoreServer.listen: port', 0, 65535);
    checkToken(token, host);
    const server = createServer({ pauseOnConnect: false });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(cannotListen(host, port, error)));
      server.listen({ host, port, exclusive: true }, resolve);
    });
    server.removeAllListeners('error').unref();
    return new StoreServer(MAKER, server, token, { ...DEFAULT_LIMITS, ...limits });
  }

  get host(): string {
    return (this.#server.address() as AddressInfo | null)?.address ?? '';
  }

  /** The port; 0 after `close()`. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** The number of connections whose clients have proved the token. */
  get clients(): number {
    return [...this.#peers].filter(({ isAdmitted }) => isAdmitted).length;
  }

  /**
   * Tell the clients, end all connections and release the port.
   *
   * @param lingerMs - time to wait until the clients have gone by themselves; 0 by default
   */
  close(lingerMs = 0): Promise<void> {
    this.#closing ??= this.#close(lingerMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(lingerMs: number): Promise<void> {
    if (lingerMs > 0 && this.clients > 0) await this.#linger(lingerMs);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#isDown = true;
    for (const peer of [...this.#peers]) {
      if (peer.isAdmitted) peer.dismiss();
      else peer.end();
    }
    await closed;
  }

  #linger(lingerMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lingerMs);
      this.#left = () => {
        if (this.clients > 0) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #accept(socket: Socket): void {
    const waiting = [...this.#peers].filter(({ isAdmitted }) => !isAdmitted);
    if (waiting.length >= this.#limits.maxHandshakes) waiting[0]?.end();
    this.#peers.add(
      new Peer(socket, {
        token: this.#token,
        table: this.#table,
        limits: this.#limits,
        admit: (peer) => this.#admit(peer),
        left: (peer) => this.#leave(peer),
      }),
    );
  }

  #admit({ rank }: Peer): string | undefined {
    if (this.#closing) return 'the store closes';
    if (this.clients >= this.#limits.maxClients) return `it has ${this.#limits.maxClients} clients, the limit`;
    if (rank < 0) return undefined;
    this.#ranks.set(rank, (this.#ranks.get(rank) ?? 0) + 1);
    this.#table.delete(`leave/${rank}`);
    this.#table.set(`join/${rank}`, Buffer.alloc(0));
    return undefined;
  }

  /** A rank has left with its last connection. */
  #leave(peer: Peer): void {
    this.#peers.delete(peer);
    const { rank, isAdmitted, goodbye } = peer;
    if (isAdmitted && rank >= 0 && !this.#isDown) {
      const others = (this.#ranks.get(rank) ?? 1) - 1;
      if (others > 0) this.#ranks.set(rank, others);
      else {
        this.#ranks.delete(rank);
        this.#table.delete(`join/${rank}`);
        this.#table.set(`leave/${rank}`, Buffer.from(goodbye ?? 'connection lost'));
      }
    }
    this.#left();
  }
}

function checkToken(token: string, host: string): void {
  if (token === '' && !isLoopback(host)) {
    throw new StoreError(
      'ERR_RAWKERNEL_STORE_ADDRESS',
      `A store at ${host}, beyond the loopback, must have a token: set RAWKERNEL_JOB_TOKEN to the same secret of at ` +
        `least ${MIN_TOKEN} characters in all processes of the job, such as the output of openssl rand -hex 16`,
    );
  }
  if (token !== '' && token.length < MIN_TOKEN) {
    throw new RangeError(
      `RAWKERNEL_JOB_TOKEN must have at least ${MIN_TOKEN} characters, got ${token.length}: openssl rand -hex 16 makes one`,
    );
  }
}
