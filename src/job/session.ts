import type { Answer, KeyTable } from './key-table.ts';
import { type FieldReader, frame, keyField, ProtocolError, Reply, Request, u32, valueFields } from './protocol.ts';

/** What the requests of one client work on. */
export interface SessionHost {
  readonly table: KeyTable;
  readonly maxWaits: number;
  readonly send: (pieces: readonly Uint8Array[]) => void;
  /** The client's program ends, or closes its connection. */
  readonly goodbye: (how: string) => void;
}

/** Answers the requests of one client. */
export class Session {
  readonly #host: SessionHost;
  /** By their requests. */
  readonly #waits = new Map<number, Wait>();
  /** Keys of all waits, and subscriptions. */
  #size = 0;
  #isClosed = false;

  constructor(host: SessionHost) {
    this.#host = host;
  }

  /** End all waits and subscriptions. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#waits.values()) cancel();
    this.#waits.clear();
  }

  /** @throws ProtocolError the request is not of the protocol */
  handle(request: FieldReader): void {
    const { table } = this.#host;
    const { id, code } = request;
    if (code === Request.SET) {
      const [key, value] = [request.key(), request.value()];
      request.end();
      this.#answer(id, table.set(key, value), false);
    } else if (code === Request.ADD) {
      const [key, amount] = [request.key(), request.f64()];
      request.end();
      this.#answer(id, table.add(key, amount));
    } else if (code === Request.COMPARE_SET) {
      const [key, expected, desired] = [request.key(), request.value(), request.value()];
      request.end();
      this.#answer(id, table.compareSet(key, expected, desired));
    } else this.#handleOther(request);
  }

  #handleOther(request: FieldReader): void {
    const { table, send } = this.#host;
    const { id, code } = request;
    if (code === Request.GET || code === Request.WAIT) {
      const keys = code === Request.GET ? [request.key()] : request.keys();
      request.end();
      this.#wait(id, keys, code === Request.GET);
    } else if (code === Request.CHECK) {
      const keys = request.keys();
      request.end();
      send(frame(id, Reply.OK, u32(keys.every((key) => table.has(key)) ? 1 : 0)));
    } else if (code === Request.DELETE) {
      const key = request.key();
      request.end();
      send(frame(id, Reply.OK, u32(table.delete(key) ? 1 : 0)));
    } else if (code === Request.SUBSCRIBE) {
      const prefix = request.key();
      request.end();
      this.#subscribe(id, prefix);
    } else if (code === Request.CANCEL) {
      request.end();
      this.#remove(id)?.cancel();
    } else if (code === Request.GOODBYE) {
      const how = request.text();
      request.end();
      send(frame(id, Reply.OK));
      this.#host.goodbye(how);
    } else throw new ProtocolError(`a request of kind ${code}`);
  }

  #answer(id: number, answer: Answer, withValue = true): void {
    const { send } = this.#host;
    if ('value' in answer) send(frame(id, Reply.OK, ...(withValue ? valueFields(answer.value) : [])));
    else if ('full' in answer) this.#refuse(id, Reply.LIMIT, answer.full);
    else this.#refuse(id, Reply.INVALID, answer.invalid);
  }

  #refuse(id: number, code: number, reason: string): void {
    this.#host.send(frame(id, code, ...valueFields(Buffer.from(reason))));
  }

  #wait(id: number, keys: readonly string[], withValue: boolean): void {
    const { table, send } = this.#host;
    const wait = this.#reserve(id, keys.length);
    if (wait === undefined) return;
    wait.cancel = table.wait(keys, () => {
      this.#remove(id);
      const value = withValue ? table.get(keys[0] ?? '') : undefined;
      send(frame(id, Reply.OK, ...(value === undefined ? [] : valueFields(value))));
    });
  }

  #subscribe(id: number, prefix: string): void {
    const { table, send } = this.#host;
    const wait = this.#reserve(id, 1);
    if (wait === undefined) return;
    wait.cancel = table.subscribe(prefix, (key, value) => {
      if (value === undefined) send(frame(id, Reply.GONE, keyField(key)));
      else send(frame(id, Reply.NOTE, keyField(key), ...valueFields(value)));
    });
    // The present values may be more than the client can be sent, which ends it.
    if (this.#isClosed) wait.cancel();
    else send(frame(id, Reply.OK));
  }

  /** Room for one more wait; undefined: there is none. A number that waits already is not of the protocol. */
  #reserve(id: number, size: number): Wait | undefined {
    if (this.#waits.has(id)) throw new ProtocolError(`request ${id} twice`);
    const { maxWaits } = this.#host;
    if (this.#size + size > maxWaits) {
      this.#refuse(id, Reply.LIMIT, `this client waits for ${this.#size} keys, and may wait for ${maxWaits}`);
      return undefined;
    }
    const wait: Wait = { size, cancel: () => undefined };
    this.#size += size;
    this.#waits.set(id, wait);
    return wait;
  }

  #remove(id: number): Wait | undefined {
    const wait = this.#waits.get(id);
    this.#waits.delete(id);
    this.#size -= wait?.size ?? 0;
    return wait;
  }
}

/** A request that waits, or a subscription. */
interface Wait {
  readonly size: number;
  cancel: () => void;
}
