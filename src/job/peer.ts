import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { KeyTable } from './key-table.ts';
import type { StoreLimits } from './limits.ts';
import { frame, FrameReader, HELLO_BYTES, MAGIC, Reply, valueFields, VERSION } from './protocol.ts';
import { Session } from './session.ts';
import { isProof, NONCE_BYTES, PROOF_BYTES, prove } from './token.ts';

/** What a connection needs of its server. */
export interface PeerHost {
  readonly token: string;
  readonly table: KeyTable;
  readonly limits: StoreLimits;
  /** A client has proved the token. The answer is the reason for which it is refused. */
  readonly admit: (peer: Peer) => string | undefined;
  /** The connection has ended. */
  readonly left: (peer: Peer) => void;
}

/** Keep-alive packets tell of a machine that is gone. */
const KEEP_ALIVE_MS = 15_000;
/** Time for a client to read the last words. */
const DISMISS_MS = 500;

/** The server's end of one connection. Whatever comes, it ends this connection at most. */
export class Peer {
  readonly #socket: Socket;
  readonly #host: PeerHost;
  readonly #session: Session;
  readonly #frames = new FrameReader();
  readonly #nonce = randomBytes(NONCE_BYTES);
  readonly #deadline: NodeJS.Timeout;
  #stalled: NodeJS.Timeout | undefined;
  #isAdmitted = false;
  #isChoked = false;
  #isClosed = false;
  #goodbye: string | undefined;
  #rank = -1;

  constructor(socket: Socket, host: PeerHost) {
    this.#socket = socket;
    this.#host = host;
    this.#session = new Session({
      table: host.table,
      maxWaits: host.limits.maxWaits,
      send: (pieces) => this.#send(pieces),
      goodbye: (how) => {
        this.#goodbye = how;
        this.#finish();
      },
    });
    this.#deadline = setTimeout(() => this.end(), host.limits.handshakeMs).unref();
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS).unref();
    const end = (): void => this.end();
    socket.on('error', end).on('end', end).on('close', end);
    socket.on('data', (chunk: Buffer) => {
      if (this.#isClosed) return;
      this.#frames.push(chunk);
      this.#work();
    });
    this.#send([MAGIC, Uint8Array.of(VERSION), this.#nonce]);
  }

  /** Whether the client has proved the token. */
  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /** -1 for a client that is not a rank. */
  get rank(): number {
    return this.#rank;
  }

  /** How the client said that it ends; undefined: it did not. */
  get goodbye(): string | undefined {
    return this.#goodbye;
  }

  /** Say that the store closes, and end the connection once that is sent. */
  dismiss(): void {
    if (this.#isClosed) return;
    this.#send(frame(0, Reply.CLOSING));
    this.#finish();
  }

  /** End the connection once all is sent. */
  #finish(): void {
    this.end(() => {
      // A client that does not read must not keep the host.
      const late = setTimeout(() => this.#socket.destroy(), DISMISS_MS);
      this.#socket.on('close', () => clearTimeout(late)).end();
    });
  }

  /** End the connection, and what it waits for. */
  end(close: () => void = () => this.#socket.destroy()): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#stalled);
    this.#session.close();
    close();
    this.#host.left(this);
  }

  #work(): void {
    try {
      if (!this.#isAdmitted && !this.#greet()) return;
      while (!this.#isClosed && !this.#isChoked) {
        const request = this.#frames.next();
        if (request === undefined) return;
        this.#session.handle(request);
      }
    } catch {
      // The other side does not speak the protocol: an answer would mean nothing to it.
      this.end();
    }
  }

  /** Whether the client has proved the token. */
  #greet(): boolean {
    const hello = this.#frames.bytes(HELLO_BYTES);
    if (hello === undefined) return false;
    if (!hello.subarray(0, MAGIC.length).equals(MAGIC)) {
      this.end();
      return false;
    }
    const [nonceAt, proofAt, rankAt] = HELLO_FIELDS;
    const nonce = hello.subarray(nonceAt, proofAt);
    this.#rank = Math.max(hello.readInt32LE(rankAt), -1);
    const reason =
      this.#refusalOf(hello.readUInt8(MAGIC.length), nonce, hello.subarray(proofAt, rankAt)) ?? this.#host.admit(this);
    if (reason !== undefined) {
      this.#send(frame(0, Reply.REFUSED, ...valueFields(Buffer.from(reason))));
      this.end(() => this.#socket.destroySoon());
      return false;
    }
    clearTimeout(this.#deadline);
    this.#isAdmitted = true;
    this.#send(frame(0, Reply.OK, prove(this.#host.token, 'server', this.#nonce, nonce)));
    return true;
  }

  #refusalOf(version: number, nonce: Uint8Array, proof: Uint8Array): string | undefined {
    if (version !== VERSION) {
      return `the store speaks version ${VERSION} of its protocol, and the client ${version}: use one version of rawkernel`;
    }
    const isRight = isProof(proof, prove(this.#host.token, 'client', this.#nonce, nonce));
    return isRight ? undefined : 'the tokens differ: RAWKERNEL_JOB_TOKEN must be the same in all processes of the job';
  }

  /** Send, and read no further requests of a client that does not read the replies. */
  #send(pieces: readonly Uint8Array[]): void {
    if (this.#isClosed || this.#socket.destroyed) return;
    const socket = this.#socket;
    socket.cork();
    for (const piece of pieces) socket.write(piece);
    socket.uncork();
    const { chokeBytes, maxUnsentBytes, stallMs } = this.#host.limits;
    if (socket.writableLength > maxUnsentBytes) this.end();
    else if (socket.writableLength > chokeBytes && !this.#isChoked) this.#choke(stallMs);
  }

  #choke(stallMs: number): void {
    this.#isChoked = true;
    this.#socket.pause();
    this.#stalled = setTimeout(() => this.end(), stallMs).unref();
    this.#socket.once('drain', () => {
      if (this.#isClosed) return;
      clearTimeout(this.#stalled);
      this.#isChoked = false;
      this.#socket.resume();
      this.#work();
    });
  }
}

/** Where a hello has its nonce, its proof and its rank. */
const HELLO_FIELDS: readonly [number, number, number] = [
  MAGIC.length + 1,
  MAGIC.length + 1 + NONCE_BYTES,
  MAGIC.length + 1 + NONCE_BYTES + PROOF_BYTES,
];
