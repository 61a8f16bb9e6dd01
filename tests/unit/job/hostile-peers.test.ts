import { expect, test } from '@jest/globals';
import { frame, keyField, keysField, MAGIC, Reply, Request, u32, valueFields } from '../../../src/job/protocol.ts';
import { Store } from '../../../src/job/store.ts';
import { StoreServer } from '../../../src/job/store-server.ts';
import { client, hello, RawPeer, server, TOKEN } from '../../helpers/job-store.ts';
import { turns, until } from '../../helpers/until.ts';

/** Another client is served as ever. */
async function expectService(host: StoreServer): Promise<void> {
  const other = await client(host);
  await other.set('alive', 'yes');
  expect(Buffer.from(await other.get('alive')).toString()).toBe('yes');
  await other.close();
}

test.each<[string, Buffer]>([
  ['a request of HTTP', Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${'x'.repeat(100)}`)],
  ['zeros', Buffer.alloc(200)],
  ['a start of TLS', Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0]), Buffer.alloc(100, 1)])],
  ['a hello of another version with a wrong proof', Buffer.concat([MAGIC, Buffer.alloc(69, 3)])],
])('%s instead of a hello ends that connection', async (_, bytes) => {
  const host = await server();
  const peer = new RawPeer(host.port);
  await peer.greeting();
  peer.send(bytes);
  await peer.ended();
  expect(host.clients).toBe(0);
  await expectService(host);
});

test('half a hello is cut off at the deadline, one that is whole in time is not', async () => {
  const host = await server({ handshakeMs: 100 });
  const [half, silent] = [new RawPeer(host.port), new RawPeer(host.port)];
  half.send(hello(await half.greeting()).subarray(0, 40));
  const store = await client(host);
  await Promise.all([half.ended(), silent.ended()]);
  await store.set('k', '1');
});

test('a hello that comes byte by byte is a hello', async () => {
  const host = await server();
  const peer = new RawPeer(host.port);
  for (const byte of hello(await peer.greeting())) {
    peer.send(Uint8Array.of(byte));
    await turns();
  }
  await until('the client is there', () => host.clients === 1);
});

test('connections without a proof do not keep out a client: the oldest ends', async () => {
  const host = await server({ maxHandshakes: 4 });
  const silent = Array.from({ length: 20 }, () => new RawPeer(host.port));
  await until('the first ones are ended', () => silent.filter(({ isEnded }) => isEnded).length >= 16);
  await expectService(host);
});

test('a wrong token is refused with a reason, to a client and to a server', async () => {
  const host = await server();
  const wrong = Store.connect({ port: host.port, token: 'another token of a test' });
  await expect(wrong).rejects.toMatchObject({
    code: 'ERR_RAWKERNEL_STORE_REFUSED',
    message: expect.stringContaining('RAWKERNEL_JOB_TOKEN must be the same in all processes') as unknown,
  });
  await expect(Store.connect({ port: host.port, token: '' })).rejects.toThrow('the tokens differ');
  await expectService(host);
});

test('a proof is of one connection: sent again it is refused', async () => {
  const host = await server();
  const [first, second] = [new RawPeer(host.port), new RawPeer(host.port)];
  const proof = hello(await first.greeting());
  await second.greeting();
  second.send(proof);
  await second.ended();
  expect(second.received.includes('the tokens differ')).toBe(true);
  expect(host.clients).toBe(0);
});

test('a client of another version is told so', async () => {
  const host = await server();
  const peer = new RawPeer(host.port);
  peer.send(hello(await peer.greeting(), -1, TOKEN, 9));
  await peer.ended();
  expect(peer.received.toString('latin1')).toMatch(/speaks version 1 of its protocol, and the client 9/);
});

test.each<[string, () => Uint8Array[]]>([
  ['a length of 1 GiB', () => [u32(2 ** 30), Buffer.alloc(100)]],
  ['a length of 0', () => [u32(0), Buffer.alloc(100)]],
  ['an unknown request', () => frame(1, 99)],
  ['a key longer than its frame', () => frame(1, Request.GET, Buffer.from([255, 3, 65]))],
  ['a key of 2000 bytes', () => frame(1, Request.GET, keyField('k'.repeat(2000)))],
  ['a value longer than its frame', () => frame(1, Request.SET, keyField('k'), u32(1000))],
  ['a value of 4 GiB', () => frame(1, Request.SET, keyField('k'), u32(0xffff_ffff))],
  ['bytes behind the last field', () => frame(1, Request.DELETE, keyField('k'), u32(0))],
  ['4 billion keys', () => frame(1, Request.WAIT, u32(0xffff_ffff))],
  ['5000 keys', () => frame(1, Request.WAIT, keysField(Array.from({ length: 5000 }, () => 'k')))],
  [
    'one number for two waits',
    () => [...frame(1, Request.GET, keyField('a')), ...frame(1, Request.GET, keyField('b'))],
  ],
])('%s ends the connection of a client that has proved the token', async (_, bytes) => {
  const host = await server();
  const peer = new RawPeer(host.port);
  await peer.enter();
  peer.send(...bytes());
  await peer.ended();
  await until('the server has forgotten it', () => host.clients === 0);
  await expectService(host);
});

test('a length that is claimed takes no memory until the bytes come', async () => {
  const host = await server();
  const peers = Array.from({ length: 50 }, () => new RawPeer(host.port));
  await Promise.all(peers.map((peer) => peer.enter()));
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  for (const peer of peers) peer.send(u32(16 * 2 ** 20), Buffer.alloc(100));
  await expectService(host);
  // 50 times 16 MiB would be 800 MiB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24);
  expect(host.clients).toBe(50);
});

test('a value that is broken off changes nothing', async () => {
  const host = await server();
  const peer = new RawPeer(host.port);
  await peer.enter();
  peer.send(
    ...frame(1, Request.SET, keyField('k'), ...valueFields(Buffer.alloc(1000))).slice(0, -1),
    Buffer.alloc(500),
  );
  await turns(5);
  peer.socket.destroy();
  await until('the server has forgotten it', () => host.clients === 0);
  expect(await (await client(host)).check(['k'])).toBe(false);
});

test('a client that never reads is cut off at the limit, and others go on', async () => {
  const host = await server({ chokeBytes: 2 ** 16, stallMs: 300 });
  const store = await client(host);
  await store.set('large', Buffer.alloc(4 * 2 ** 20));
  const peer = new RawPeer(host.port);
  await peer.enter();
  peer.socket.pause();
  let id = 1;
  const more = setInterval(() => {
    for (let i = 0; i < 50; i++) peer.send(...frame(id++, Request.GET, keyField('large')));
  }, 1);
  try {
    await until('the server has ended it', () => host.clients === 1);
  } finally {
    clearInterval(more);
  }
  await store.set('small', '1');
});

test('a subscriber that never reads is cut off when too much waits for it', async () => {
  const host = await server({ maxUnsentBytes: 2 ** 24, stallMs: 60_000 });
  const store = await client(host);
  const peer = new RawPeer(host.port);
  await peer.enter();
  peer.send(...frame(1, Request.SUBSCRIBE, keyField('large')));
  peer.socket.pause();
  const value = Buffer.alloc(4 * 2 ** 20);
  for (let i = 0; i < 16; i++) await store.set('large', value);
  expect(host.clients).toBe(1);
});

test('a slow reader gets all of what it has asked for', async () => {
  const host = await server({ chokeBytes: 2 ** 14 });
  const store = await client(host);
  await store.set('k', Buffer.alloc(2 ** 20, 5));
  const peer = new RawPeer(host.port);
  await peer.enter();
  for (let i = 0; i < 40; i++) peer.send(...frame(i + 1, Request.GET, keyField('k')));
  peer.socket.pause();
  await turns(20);
  peer.socket.resume();
  await until('all has come', () => peer.received.length === 40 * (9 + 4 + 2 ** 20));
});

test('too many keys, bytes, waits and clients are refused with the limit', async () => {
  const host = await server({ maxKeys: 3, maxBytes: 1000, maxWaits: 4, maxClients: 2 });
  const a = await client(host);
  const limit = { code: 'ERR_RAWKERNEL_STORE_LIMIT' };
  for (const key of ['1', '2', '3']) await a.set(key, '');
  await expect(a.set('4', '')).rejects.toMatchObject(limit);
  await a.set('3', Buffer.alloc(900));
  await expect(a.set('2', Buffer.alloc(900))).rejects.toThrow(/would have 1803 bytes, and the limit is 1000/);
  await a.deleteKey('3');
  await a.set('2', Buffer.alloc(900));
  const waits = expect(a.wait(['x', 'y', 'z'])).rejects.toThrow('closed');
  await expect(a.wait(['u', 'v'])).rejects.toThrow('waits for 3 keys, and may wait for 4');
  await client(host);
  await expect(Store.connect({ port: host.port, token: TOKEN })).rejects.toThrow('it has 2 clients, the limit');
  await a.close();
  await waits;
});

test('a server that is not a store is named so', async () => {
  const { createServer } = await import('node:net');
  const answers = [Buffer.from('HTTP/1.1 400 Bad Request and so on, and so on\r\n'), Buffer.alloc(64)];
  const other = createServer((socket) => void socket.on('error', () => undefined).end(answers.pop() ?? ''));
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const connect = (): Promise<Store> => Store.connect({ port, token: TOKEN });
  await expect(connect()).rejects.toThrow('this is not a store of rawkernel');
  await expect(connect()).rejects.toMatchObject({ code: 'ERR_RAWKERNEL_STORE_REFUSED' });
  other.close();
});

test('a server that does not know the token gets no request', async () => {
  const { createServer } = await import('node:net');
  let heard = 0;
  const other = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        heard += chunk.length;
        socket.write(Buffer.concat(frame(0, Reply.OK, Buffer.alloc(32))));
      });
    socket.write(Buffer.concat([MAGIC, Uint8Array.of(1), Buffer.alloc(32)]));
  });
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  await expect(Store.connect({ port, token: TOKEN })).rejects.toThrow('it does not know the token of this job');
  expect(heard).toBe(73);
  other.close();
});

test('a server that ends within a frame, or claims 1 GiB, is a lost store', async () => {
  const host = await server();
  const { Link } = await import('../../../src/job/link.ts');
  const { FrameReader } = await import('../../../src/job/protocol.ts');
  const peer = new RawPeer(host.port);
  await peer.greeting();
  peer.socket.removeAllListeners('data');
  const link = new Link({ socket: peer.socket, frames: new FrameReader() }, 'h', 1);
  const asked = link.ask(Request.GET, [keyField('k')], { what: 'get', timeoutMs: 60_000 });
  peer.socket.emit('data', Buffer.from([0, 0, 0, 64, 1]));
  await expect(asked).rejects.toThrow(/^The store at h:1 is lost: a frame of 1073741824 bytes/);
});

test('beyond the loopback there must be a token, and a short one is refused', async () => {
  await expect(StoreServer.listen({ host: '0.0.0.0', token: '' })).rejects.toMatchObject({
    code: 'ERR_RAWKERNEL_STORE_ADDRESS',
    message: expect.stringMatching(/0\.0\.0\.0, beyond the loopback.*set RAWKERNEL_JOB_TOKEN/) as unknown,
  });
  await expect(StoreServer.listen({ host: 'localhost', token: 'short' })).rejects.toThrow(/at least 16.*got 5/);
  const wide = await StoreServer.listen({ host: '0.0.0.0', token: TOKEN });
  await expectService(wide);
  await wide.close();
});

test('an address that is taken is named, with the way out', async () => {
  const host = await server();
  await expect(StoreServer.listen({ port: host.port })).rejects.toMatchObject({
    code: 'ERR_RAWKERNEL_STORE_ADDRESS',
    message: expect.stringMatching(/another program listens there: choose another port with MASTER_PORT/) as unknown,
  });
  await expect(StoreServer.listen({ host: '192.0.2.1', token: TOKEN })).rejects.toThrow('not one of this machine');
});
