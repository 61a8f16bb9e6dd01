import { workerData } from 'node:worker_threads';
import { StoreError } from './errors.ts';
import type { HostNote, HostStart } from './host.ts';
import { StoreServer } from './store-server.ts';

/** The thread of {@link hostStore}. */
const { options, port } = workerData as HostStart;
try {
  const server = await StoreServer.listen(options);
  port.once('message', (lingerMs: number) => {
    void server.close(lingerMs).then(() => say('closed'));
  });
  say('listening');
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  say({ code: error.code, message: error.message, cause: error.cause });
}

function say(note: HostNote): void {
  port.postMessage(note);
}
