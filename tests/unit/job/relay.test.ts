import { afterEach, expect, test } from '@jest/globals';
import { pause } from '../../../src/core/pause.ts';
import { hostStore, type StoreHost } from '../../../src/job/host.ts';
import { Relay, type RelayNote } from '../../../src/job/relay.ts';
import { Store } from '../../../src/job/store.ts';
import { StoreServer } from '../../../src/job/store-server.ts';
import { TOKEN } from '../../helpers/job-store.ts';

const PATIENCE_MS = 60_000;
const TEST_MS = 2 * PATIENCE_MS;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A store on a thread of its own. */
async function hosted(): Promise<{ readonly host: StoreHost; readonly port: number }> {
  const free = await StoreServer.listen();
  const { port } = free;
  await free.close();
  const host = await hostStore({ port, token: TOKEN });
  closing.push(() => host.close());
  return { host, port };
}

function relay(port: number, prefix: string): Relay {
  const made = Relay.start({ host: '127.0.0.1', port, token: TOKEN }, prefix);
  if (made === undefined) throw new Error('No relay could be started');
  closing.push(() => made.close());
  return made;
}

/** What a relay hears up to some note, without a turn of the event loop. */
function heard(of: Relay, isLast: (note: RelayNote) => boolean): RelayNote[] {
  const notes: RelayNote[] = [];
  const sinceMs = performance.now();
  while (performance.now() - sinceMs < PATIENCE_MS) {
    const note = of.take();
    if (note !== undefined) notes.push(note);
    if (note !== undefined && isLast(note)) return notes;
    pause(performance.now() - sinceMs);
  }
  throw new Error(`Only this came: ${JSON.stringify(notes)}`);
}

const isOf =
  (key: string) =>
  (note: RelayNote): boolean =>
    'key' in note && note.key === key;
const text = (note: RelayNote | undefined): string =>
  note !== undefined && 'key' in note && note.value !== undefined ? Buffer.from(note.value).toString() : '';

test(
  'relays set and hear keys while the event loop stands still',
  async () => {
    const { port } = await hosted();
    const store = await Store.connect({ port, token: TOKEN, rank: 0 });
    closing.push(() => store.close());
    await store.set('ours/before', 'early');
    const [one, other] = [relay(port, 'ours/'), relay(port, 'ours/')];
    one.set('theirs/x', 'not heard');
    one.set('ours/late', 'from one');
    const notes = heard(other, isOf('ours/late'));
    expect(notes.map(text)).toEqual(['early', 'from one']);
    // The first one hears itself, too.
    heard(one, isOf('ours/late'));
    expect(Buffer.from(await store.get('theirs/x')).toString()).toBe('not heard');
  },
  TEST_MS,
);

test(
  'a relay hears of ranks that leave, and counts as none itself',
  async () => {
    const { port } = await hosted();
    const store = await Store.connect({ port, token: TOKEN, rank: 3 });
    const watcher = await Store.connect({ port, token: TOKEN, rank: 1 });
    closing.push(() => watcher.close());
    const left: number[] = [];
    await watcher.onLeave((rank) => left.push(rank));
    const [one, other] = [relay(port, 'x/'), relay(port, 'x/')];
    one.set('x/there', '');
    heard(other, isOf('x/there'));
    one.close();
    await store.close();
    expect(heard(other, (note) => 'left' in note)).toEqual([{ rank: 3, left: 'closed' }]);
    await watcher.set('x/end', '');
    heard(other, isOf('x/end'));
    expect(left).toEqual([3]);
  },
  TEST_MS,
);

test(
  'a relay hears that the store has ended',
  async () => {
    const { host, port } = await hosted();
    const one = relay(port, 'x/');
    one.set('x/there', '');
    heard(one, isOf('x/there'));
    await host.close();
    expect(heard(one, (note) => 'lost' in note).at(-1)).toMatchObject({ isClosed: true });
  },
  TEST_MS,
);

test('a relay that does not reach the store says nothing', async () => {
  const free = await StoreServer.listen();
  const { port } = free;
  await free.close();
  const one = relay(port, 'x/');
  one.set('x/there', '');
  expect(one.take()).toBeUndefined();
});

test('a store on a thread refuses what one on this thread refuses', async () => {
  await using taken = await StoreServer.listen();
  const { port } = taken;
  await expect(hostStore({ port })).rejects.toMatchObject({ code: 'ERR_RAWKERNEL_STORE_ADDRESS' });
  await expect(hostStore({ token: 'short' })).rejects.toThrow(RangeError);
});
