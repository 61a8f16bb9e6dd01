import { MessageChannel, receiveMessageOnPort, type MessagePort, type Worker } from 'node:worker_threads';
import { startThread } from '../core/package-thread.ts';

/** Where a store is, and what its clients know. */
export interface StorePlace {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** What a relay hears: a change of a key (undefined: deleted), a rank that leaves, or the end of the store. */
export type RelayNote =
  | { readonly key: string; readonly value: Uint8Array | undefined }
  | { readonly rank: number; readonly left: string }
  | { readonly lost: string; readonly isClosed: boolean };

/** What its thread is told. */
export interface RelayOrder {
  readonly key: string;
  readonly value: string;
}

/** What its thread has from its start. */
export interface RelayStart {
  readonly place: StorePlace;
  readonly prefix: string;
  readonly port: MessagePort;
}

/**
 * A second client of a job's store, on a thread of its own: it works while this thread's event loop stands still, as behind a copy
 * that waits for the device. It keeps no process alive.
 */
export class Relay {
  readonly #worker: Worker;
  readonly #port: MessagePort;

  /** @internal */
  constructor(worker: Worker, port: MessagePort) {
    this.#worker = worker;
    this.#port = port;
    // A store that it does not reach is one that says nothing.
    worker.on('error', () => undefined);
    worker.unref();
    port.unref();
  }

  /**
   * Start one. Undefined where no thread may be started, or its file is not there, as in a bundle.
   *
   * @param prefix - of the keys that it hears of
   */
  static start(place: StorePlace, prefix: string): Relay | undefined {
    const { port1, port2 } = new MessageChannel();
    const data: RelayStart = { place, prefix, port: port2 };
    const worker = startThread(import.meta.url, 'job/relay-thread', { name: 'relay', data, transferList: [port2] });
    return worker && new Relay(worker, port1);
  }

  /** What it has heard next; undefined: nothing more by now. Does not block. */
  take(): RelayNote | undefined {
    return (receiveMessageOnPort(this.#port) as { readonly message: RelayNote } | undefined)?.message;
  }

  /** Set a value, later. */
  set(key: string, value: string): void {
    const order: RelayOrder = { key, value };
    this.#port.postMessage(order);
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}
