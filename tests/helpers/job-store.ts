import { connect, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import type { StoreLimits } from '../../src/job/limits.ts';
import { GREETING_BYTES, MAGIC, VERSION } from '../../src/job/protocol.ts';
import { Store } from '../../src/job/store.ts';
import { StoreServer } from '../../src/job/store-server.ts';
import { prove } from '../../src/job/token.ts';
import { until } from './until.ts';

export const TOKEN = 'a token of a test';

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
});

/** A server that the end of the test closes. */
export async function server(limits: Partial<StoreLimits> = {}): Promise<StoreServer> {
  const made = await StoreServer.listen({ token: TOKEN, limits });
  closing.push(made);
  return made;
}

/** A client that the end of the test closes. */
export async function client(of: { readonly port: number }, rank?: number): Promise<Store> {
  const made = await Store.connect({ port: of.port, token: TOKEN, rank, timeoutMs: 60_000 });
  closing.push(made);
  return made;
}

/** A socket that speaks to a server by itself, and all that it was sent. */
export class RawPeer {
  readonly socket: Socket;
  #received: Buffer[] = [];
  isEnded = false;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => this.#received.push(chunk));
    this.socket.on('error', () => (this.isEnded = true)).on('close', () => (this.isEnded = true));
    closing.push({ close: () => this.socket.destroy() });
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  send(...pieces: readonly (Uint8Array | string)[]): void {
    for (const piece of pieces) this.socket.write(piece);
  }

  async greeting(): Promise<Buffer> {
    await until('the server has greeted', () => this.received.length >= GREETING_BYTES);
    return this.received.subarray(MAGIC.length + 1, GREETING_BYTES);
  }

  /** Prove the token, and wait for the server's proof. */
  async enter(rank = -1): Promise<void> {
    this.send(hello(await this.greeting(), rank));
    await until('the server has answered', () => this.received.length >= GREETING_BYTES + 9 + 32);
    this.#received = [];
  }

  async ended(): Promise<void> {
    await until('the server has ended the connection', () => this.isEnded);
  }
}

/** What a client says first. */
export function hello(serverNonce: Uint8Array, rank = -1, token: string = TOKEN, version: number = VERSION): Buffer {
  const nonce = Buffer.alloc(32, 7);
  const field = Buffer.alloc(4);
  field.writeInt32LE(rank);
  return Buffer.concat([MAGIC, Uint8Array.of(version), nonce, prove(token, 'client', serverNonce, nonce), field]);
}
