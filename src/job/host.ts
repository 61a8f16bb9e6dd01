import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { startThread } from '../core/package-thread.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';
import { StoreServer, type ListenOptions } from './store-server.ts';

/** What hosts a store. */
export interface StoreHost {
  /** As {@link StoreServer.close}. */
  close(lingerMs?: number): Promise<void>;
}

/** What the thread has from its start. */
export interface HostStart {
  readonly options: ListenOptions;
  readonly port: MessagePort;
}

/** What the thread says: it listens, it cannot, it has closed. */
export type HostNote =
  'listening' | 'closed' | { readonly code: StoreErrorCode; readonly message: string; readonly cause: unknown };

/**
 * Host a store on a thread of its own: the other ranks go on telling each other what they are at while this thread's event loop
 * stands still. Where no thread can be started the store is hosted on this one.
 *
 * @throws {@link StoreError} as {@link StoreServer.listen}
 */
export async function hostStore(options: ListenOptions): Promise<StoreHost> {
  const { port1: port, port2 } = new MessageChannel();
  const data: HostStart = { options, port: port2 };
  const worker = startThread(import.meta.url, 'job/host-thread', { name: 'store', data, transferList: [port2] });
  if (worker === undefined) return StoreServer.listen(options);
  const ended = new Promise<'ended'>((resolve) => {
    worker.on('error', () => resolve('ended'));
    worker.on('exit', () => resolve('ended'));
  });
  const said = await Promise.race([nextOf(port), ended]);
  if (said === 'ended') return StoreServer.listen(options);
  if (typeof said === 'object') throw new StoreError(said.code, said.message, { cause: said.cause });
  port.unref();
  worker.unref();
  return {
    close: async (lingerMs = 0) => {
      const closed = nextOf(port);
      port.ref();
      port.postMessage(lingerMs);
      await Promise.race([closed, ended]);
      await worker.terminate();
    },
  };
}

function nextOf(port: MessagePort): Promise<HostNote> {
  return new Promise((resolve) => void port.once('message', resolve));
}
