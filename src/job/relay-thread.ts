import { workerData } from 'node:worker_threads';
import { HOST_CLOSED } from './link.ts';
import type { RelayNote, RelayOrder, RelayStart } from './relay.ts';
import { Store } from './store.ts';

/** The thread of {@link Relay}. It is not a rank: its end says nothing of the program's. */
const { place, prefix, port } = workerData as RelayStart;
const store = await Store.connect(place);
store.onLost((error) => say({ lost: error.message, isClosed: error.cause === HOST_CLOSED }));
await store.onLeave((rank, left) => say({ rank, left }));
await store.subscribe(prefix, (key, value) => say({ key, value }));
// Orders have waited in the port until now.
port.on('message', ({ key, value }: RelayOrder) => {
  store.set(key, value).catch(() => undefined);
});

function say(note: RelayNote): void {
  port.postMessage(note);
}
