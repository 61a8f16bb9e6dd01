import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { encodeHello, isSame, LOOPBACK, Purpose, readHello, TOKEN_BYTES, type Hello, type Member } from './hello.ts';
import { Meeting } from './meeting.ts';
import { MAX_RANKS } from './numbers.ts';

/** Connections that have not said hello, at most: the oldest one goes. */
const MOST_STRANGERS = 256;
/** Links that came before their communicator, at most. */
const MOST_EARLY = 1024;
const BACKLOG = 511;

/** The sockets of a progress thread: one listener on the loopback for its ids and for links. */
export class Hub {
  /** Ranks of one communicator in the same thread have the same token. */
  readonly token: Buffer = randomBytes(TOKEN_BYTES);
  #server: Server | undefined;
  #listening: Promise<Server> | undefined;
  #uses = 0;
  readonly #meetings = new Map<string, Meeting>();
  readonly #strangers = new Set<Socket>();
  /** Links that have been awaited, and those that came before. */
  readonly #awaited = new Map<string, (socket: Socket) => void>();
  readonly #early = new Map<string, Socket>();

  /** Listen, as long as there is a use. Returns the port. */
  async use(): Promise<number> {
    this.#uses++;
    this.#listening ??= this.#listen();
    return ((await this.#listening).address() as AddressInfo).port;
  }

  /** The end of a use. */
  leave(): void {
    if (--this.#uses > 0) return;
    for (const socket of [...this.#strangers, ...this.#early.values()]) socket.destroy();
    this.#early.clear();
    // At once: afterwards the port is free.
    this.#server?.close();
    this.#server = this.#listening = undefined;
  }

  /** Make an id: ranks that know its nonce meet here. Returns the port. */
  async open(nonce: Uint8Array): Promise<number> {
    const key = Buffer.from(nonce).toString('hex');
    const port = await this.use();
    this.#meetings.set(
      key,
      new Meeting(() => {
        this.#retire(key);
      }),
    );
    return port;
  }

  #retire(key: string): void {
    if (this.#meetings.delete(key)) this.leave();
  }

  /** Connect to another thread, and say hello. */
  call(port: number, hello: Hello): Socket {
    const socket = connect({ host: LOOPBACK, port, noDelay: true });
    socket.on('error', () => undefined);
    socket.write(encodeHello(hello));
    return socket;
  }

  /** The hello of this thread. */
  hello(purpose: number, a: number, b: number, secret: Uint8Array, self: Member): Hello {
    return { purpose, a, b, secret: Buffer.from(secret), ...self };
  }

  /** Resolves with the link that another rank makes. */
  await(key: string, from: number, to: number): { readonly link: Promise<Socket>; readonly stop: () => void } {
    const name = nameOf(key, from, to);
    const early = this.#early.get(name);
    this.#early.delete(name);
    if (early) return { link: Promise.resolve(early), stop: () => early.destroy() };
    const link = new Promise<Socket>((resolve) => this.#awaited.set(name, resolve));
    return { link, stop: () => this.#awaited.delete(name) };
  }

  #listen(): Promise<Server> {
    const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => void this.#greet(socket));
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen({ host: LOOPBACK, port: 0, backlog: BACKLOG }, () => {
        resolve(server);
      });
    });
  }

  async #greet(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    this.#strangers.add(socket);
    socket.once('close', () => this.#strangers.delete(socket));
    const [oldest] = this.#strangers;
    if (this.#strangers.size > MOST_STRANGERS) oldest?.destroy();
    const hello = await readHello(socket);
    this.#strangers.delete(socket);
    if (!hello || socket.destroyed || !this.#take(hello, socket)) socket.destroy();
  }

  /** @returns false for a connection that has no business here */
  #take(hello: Hello, socket: Socket): boolean {
    const secret = hello.secret.toString('hex');
    if (hello.purpose === Purpose.LINK) return isSame(hello.token, this.token) && this.#link(secret, hello, socket);
    const meeting = this.#meetings.get(secret);
    if (!meeting) return false;
    if (hello.purpose === Purpose.RETIRE) {
      meeting.close();
      this.#retire(secret);
      return false;
    }
    const isRank = hello.a >= 1 && hello.a <= MAX_RANKS && hello.b < hello.a;
    if (hello.purpose !== Purpose.MEET || !isRank) return false;
    meeting.add(hello, socket);
    return true;
  }

  #link(key: string, { a, b }: Hello, socket: Socket): boolean {
    const name = nameOf(key, a, b);
    const take = this.#awaited.get(name);
    if (take) {
      this.#awaited.delete(name);
      take(socket);
      return true;
    }
    if (this.#early.size >= MOST_EARLY || this.#early.has(name)) return false;
    this.#early.set(name, socket);
    return true;
  }
}

function nameOf(key: string, from: number, to: number): string {
  return `${key}.${from}.${to}`;
}
