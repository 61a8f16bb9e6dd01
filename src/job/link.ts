import type { Socket } from 'node:net';
import { ClosedError } from '../core/errors.ts';
import { hostAndPort } from './address.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';
import type { Connected } from './handshake.ts';
import { type FieldReader, frame, type FrameReader, Reply, Request, valueFields } from './protocol.ts';

/** A request's words for its errors, and its limits. */
export interface Ask {
  /** `Store.get: key 'x'` */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Notes of a subscription, by the protocol's keys. */
export interface Exchange {
  readonly note: (key: string, value: Uint8Array | undefined) => void;
}

interface Pending {
  readonly resolve: (reply: FieldReader) => void;
  readonly reject: (error: Error) => void;
}

/** The cause of the loss of a store whose host has closed it, as it does at its own end. */
export const HOST_CLOSED = 'closed';

const MAX_ID = 0xffff_ffff;
/** Time for the server to hear a goodbye. */
const GOODBYE_MS = 1000;
/** The codes of refusals. */
const CODES: Readonly<Record<number, StoreErrorCode>> = {
  [Reply.INVALID]: 'ERR_RAWKERNEL_STORE_INVALID',
  [Reply.LIMIT]: 'ERR_RAWKERNEL_STORE_LIMIT',
  [Reply.REFUSED]: 'ERR_RAWKERNEL_STORE_REFUSED',
};

/** The client's end of a connection: requests with their replies, in any order, and the notes of subscriptions. */
export class Link {
  readonly #socket: Socket;
  readonly #frames: FrameReader;
  readonly #where: string;
  readonly #pending = new Map<number, Pending>();
  readonly #exchanges = new Map<number, Exchange>();
  readonly #lostListeners: ((error: StoreError) => void)[] = [];
  #lastId = 0;
  #lost: StoreError | undefined;
  #isClosed = false;

  constructor({ socket, frames }: Connected, host: string, port: number) {
    this.#socket = socket;
    this.#frames = frames;
    this.#where = hostAndPort(host, port);
    socket.on('data', (chunk: Buffer) => {
      frames.push(chunk);
      this.#read();
    });
    socket.on('error', (error) => this.#lose(error.message));
    socket.on('end', () => this.#lose('its host ended the connection'));
    socket.on('close', () => this.#lose('the connection has ended'));
    socket.unref();
    socket.resume();
    watchExit(this);
    // What came behind the handshake.
    this.#read();
    if (socket.destroyed) this.#lose('the connection has ended');
  }

  /** Whether nothing can be sent any more. */
  get isDown(): boolean {
    return this.#isClosed || this.#lost !== undefined;
  }

  /** Send a request; the promise is its reply. */
  ask(code: number, fields: readonly Uint8Array[], { what, timeoutMs, signal }: Ask): Promise<FieldReader> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      if (this.#lost) {
        reject(this.#lost);
        return;
      }
      const id = this.#nextId();
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#pending.delete(id);
        if (this.#pending.size === 0) this.#socket.unref();
      };
      const giveUp = (error: Error): void => {
        settle();
        this.cancel(id);
        reject(error);
      };
      const abort = (): void => giveUp(signal?.reason as Error);
      const timer = setTimeout(() => {
        giveUp(
          new StoreError('ERR_RAWKERNEL_STORE_TIMEOUT', `${what}: no answer within ${timeoutMs} ms (${this.#where})`),
        );
      }, timeoutMs);
      signal?.addEventListener('abort', abort);
      this.#pending.set(id, {
        resolve: (reply) => {
          settle();
          if (reply.code === Reply.OK) resolve(reply);
          else reject(new StoreError(codeOf(reply.code), `${what}: the store refuses: ${reply.text()}`));
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#socket.ref();
      this.#send(frame(id, code, ...fields));
    });
  }

  /** Subscribe; the promise is the number to cancel. */
  async subscribe(code: number, fields: readonly Uint8Array[], exchange: Exchange, timeoutMs: number): Promise<number> {
    // Notes of keys that are there come before the reply.
    const id = this.#lastId + 1;
    this.#exchanges.set(id, exchange);
    try {
      await this.ask(code, fields, { what: 'Store.subscribe', timeoutMs });
    } catch (error) {
      this.#exchanges.delete(id);
      throw error;
    }
    return id;
  }

  /** Have the server forget a wait or a subscription. */
  cancel(id: number): void {
    this.#exchanges.delete(id);
    if (!this.isDown) this.#send(frame(id, Request.CANCEL));
  }

  onLost(listener: (error: StoreError) => void): void {
    if (this.#lost) queueMicrotask(() => this.#lost && listener(this.#lost));
    else this.#lostListeners.push(listener);
  }

  /** End the connection, and tell the server that this is meant. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const isThere = this.#lost === undefined;
    for (const { reject } of [...this.#pending.values()]) reject(new ClosedError('Store', 'close'));
    this.#exchanges.clear();
    if (isThere) {
      const fields = valueFields(Buffer.from('closed'));
      // A server that is gone has heard enough.
      await this.ask(Request.GOODBYE, fields, { what: 'Store.close', timeoutMs: GOODBYE_MS }).catch(() => undefined);
    }
    this.#isClosed = true;
    open.delete(this);
    this.#socket.destroy();
  }

  /** Say at the process's end how it ends. The system takes these few bytes at once, without the event loop. */
  exit(code: number): void {
    if (!this.isDown)
      this.#send(frame(this.#nextId(), Request.GOODBYE, ...valueFields(Buffer.from(`exit code ${code}`))));
  }

  #read(): void {
    try {
      for (let reply = this.#frames.next(); reply !== undefined; reply = this.#frames.next()) this.#take(reply);
    } catch (error) {
      this.#lose((error as Error).message);
      this.#socket.destroy();
    }
  }

  #take(reply: FieldReader): void {
    const { id, code } = reply;
    if (code === Reply.CLOSING) {
      this.#lose('its host has closed it', { cause: HOST_CLOSED });
      return;
    }
    if (code === Reply.NOTE || code === Reply.GONE) {
      const key = reply.key();
      const value = code === Reply.NOTE ? reply.value() : undefined;
      const exchange = this.#exchanges.get(id);
      if (exchange) callListener(() => exchange.note(key, value));
    } else this.#pending.get(id)?.resolve(reply);
  }

  #send(pieces: readonly Uint8Array[]): void {
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    this.#socket.uncork();
  }

  #lose(reason: string, options?: ErrorOptions): void {
    if (this.isDown) return;
    open.delete(this);
    this.#lost = new StoreError(
      'ERR_RAWKERNEL_STORE_LOST',
      `The store at ${this.#where} is lost: ${reason}\nIts host is rank 0, or the launcher: look for the end of that one`,
      options,
    );
    this.#socket.destroy();
    for (const { reject } of [...this.#pending.values()]) reject(this.#lost);
    const lost = this.#lost;
    for (const listener of this.#lostListeners.splice(0)) callListener(() => listener(lost));
  }

  #nextId(): number {
    this.#lastId = this.#lastId === MAX_ID ? 1 : this.#lastId + 1;
    return this.#lastId;
  }
}

/** An error of a listener is the program's own, as one of an event's listener: the connection goes on. */
function callListener(call: () => void): void {
  try {
    call();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

function codeOf(reply: number): StoreErrorCode {
  return CODES[reply] ?? 'ERR_RAWKERNEL_STORE_REFUSED';
}

/** Connections that have not ended. */
const open = new Set<Link>();
let isWatching = false;

/** Have a link say goodbye at the process's end. */
function watchExit(link: Link): void {
  open.add(link);
  if (isWatching) return;
  isWatching = true;
  process.on('exit', (code) => {
    for (const each of open) each.exit(code);
  });
}
