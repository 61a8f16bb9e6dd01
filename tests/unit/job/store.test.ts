import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ClosedError } from '../../../src/core/errors.ts';
import { type StoreError } from '../../../src/job/errors.ts';
import { Store } from '../../../src/job/store.ts';
import { StoreServer } from '../../../src/job/store-server.ts';
import { runChild } from '../../helpers/child.ts';
import { client, server, TOKEN } from '../../helpers/job-store.ts';
import { until } from '../../helpers/until.ts';

const text = (value: Uint8Array): string => Buffer.from(value).toString();

describe('keys and values', () => {
  test('a value is what another client has set, bytes or text', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    await a.set('bytes', Uint8Array.of(0, 255, 10, 13));
    await a.set('text', 'Größe');
    await a.set('empty', '');
    expect([...(await b.get('bytes'))]).toEqual([0, 255, 10, 13]);
    expect(text(await b.get('text'))).toBe('Größe');
    expect((await b.get('empty')).length).toBe(0);
  });

  test('a value that the caller overwrites after set() is the one of the call', async () => {
    const a = await client(await server());
    const value = Buffer.from('before');
    const set = a.set('k', value);
    value.fill(0);
    await set;
    expect(text(await a.get('k'))).toBe('before');
  });

  test('get() waits until the key is there', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    let came: string | undefined;
    const waits = a.get('late').then((value) => (came = text(value)));
    await b.set('other', 'x');
    await b.get('other');
    expect(came).toBeUndefined();
    await b.set('late', 'now');
    await waits;
    expect(came).toBe('now');
  });

  test('wait() waits for all keys, check() does not wait', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    await a.set('x', '1');
    const waits = b.wait(['x', 'y', 'z', 'y']);
    await a.set('y', '2');
    expect([await b.check(['x', 'y']), await b.check(['x', 'y', 'z'])]).toEqual([true, false]);
    await a.set('z', '3');
    await waits;
    expect(await b.check(['x', 'y', 'z'])).toBe(true);
  });

  test('add() counts, and its sum is text for get()', async () => {
    const host = await server();
    const clients = await Promise.all(Array.from({ length: 8 }, () => client(host)));
    const sums = await Promise.all(clients.flatMap((each) => Array.from({ length: 10 }, () => each.add('n', 2))));
    expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => 2 * i + 2));
    expect(await clients[0]?.add('n', -200)).toBe(-40);
    expect(text((await clients[0]?.get('n')) ?? Buffer.alloc(0))).toBe('-40');
  });

  test('add() to a text, and beyond 2^53, is refused and changes nothing', async () => {
    const a = await client(await server());
    await a.set('k', 'seven');
    await expect(a.add('k', 1)).rejects.toMatchObject({
      code: 'ERR_RAWKERNEL_STORE_INVALID',
      message: expect.stringContaining('not a whole number') as unknown,
    });
    expect(text(await a.get('k'))).toBe('seven');
    await a.add('n', Number.MAX_SAFE_INTEGER);
    await expect(a.add('n', 1)).rejects.toThrow('beyond 2^53');
    expect(text(await a.get('n'))).toBe(String(Number.MAX_SAFE_INTEGER));
  });

  test('compareSet() sets where the value is as expected', async () => {
    const a = await client(await server());
    expect(text(await a.compareSet('k', 'x', 'new'))).toBe('');
    expect(await a.check(['k'])).toBe(false);
    expect(text(await a.compareSet('k', '', 'first'))).toBe('first');
    expect(text(await a.compareSet('k', '', 'second'))).toBe('first');
    expect(text(await a.compareSet('k', 'first', 'third'))).toBe('third');
  });

  test('deleteKey() tells whether the key was there; a later get() waits again', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    await a.set('k', '1');
    expect([await a.deleteKey('k'), await a.deleteKey('k')]).toEqual([true, false]);
    const waits = b.get('k');
    await a.set('k', '2');
    expect(text(await waits)).toBe('2');
  });

  test('the largest value, and thousands of keys at once', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    const large = Buffer.alloc(8 * 2 ** 20, 1);
    large[5_000_000] = 9;
    const reads = [b.get('large'), b.get('large')];
    await a.set('large', large);
    for (const value of await Promise.all(reads)) expect(Buffer.compare(value, large)).toBe(0);
    const names = Array.from({ length: 5000 }, (_, i) => `key/${i}`);
    const values = names.map((name) => b.get(name));
    await Promise.all(names.map((name, i) => a.set(name, String(i))));
    expect((await Promise.all(values)).map(text)).toEqual(names.map((_, i) => String(i)));
  }, 60_000);

  test('wrong arguments throw before anything is sent', async () => {
    const a = await client(await server());
    await expect(a.set('', '1')).rejects.toThrow('a key must have 1 to 1024 bytes, got 0');
    await expect(a.get('ü'.repeat(513))).rejects.toThrow('got 1026');
    await expect(a.set('k', 5 as never)).rejects.toThrow('a value must be a Uint8Array or a string, got 5');
    await expect(a.set('k', Buffer.alloc(8 * 2 ** 20 + 1))).rejects.toThrow('at most 8388608 bytes, got 8388609');
    await expect(a.add('k', 1.5)).rejects.toThrow('amount must be an integer');
    await expect(a.wait([])).rejects.toThrow('number of keys must be an integer from 1 to 4096, got 0');
    await expect(a.get('k', { timeout: 5 } as never)).rejects.toThrow(
      "no option 'timeout'; it knows timeoutMs, signal",
    );
    expect(await a.check(['k'])).toBe(false);
  });
});

describe('time limits', () => {
  test('a wait ends with an error that names the key, and later replies go elsewhere', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    await expect(a.get('never', { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'ERR_RAWKERNEL_STORE_TIMEOUT',
      message: expect.stringMatching(
        /^Store\.get: key 'never': no answer within 20 ms \(127\.0\.0\.1:\d+\)$/,
      ) as unknown,
    });
    await b.set('never', 'now');
    expect(text(await a.get('never'))).toBe('now');
  });

  test('an aborted signal ends a wait with its reason', async () => {
    const a = await client(await server());
    const controller = new AbortController();
    const waits = a.get('never', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waits).rejects.toThrow('enough');
    await expect(a.wait(['never'], { signal: AbortSignal.abort(new Error('at once')) })).rejects.toThrow('at once');
  });

  test('a wait that has ended does not count among those that wait', async () => {
    const host = await server({ maxWaits: 2 });
    const a = await client(host);
    for (let i = 0; i < 5; i++) await expect(a.get('never', { timeoutMs: 1 })).rejects.toThrow('no answer');
    const waits = [a.get('x'), a.get('x')];
    await expect(a.get('x')).rejects.toMatchObject({ code: 'ERR_RAWKERNEL_STORE_LIMIT' });
    await a.set('x', '');
    await Promise.all(waits);
  });
});

describe('barrier', () => {
  test('64 clients wait for each other, again and again', async () => {
    const host = await server();
    const clients = await Promise.all(Array.from({ length: 64 }, (_, rank) => client(host, rank)));
    const rounds = Array.from({ length: 64 }, () => 0);
    const seen: number[] = [];
    await Promise.all(
      clients.map(async (each, rank) => {
        for (let round = 1; round <= 5; round++) {
          rounds[rank] = round;
          await each.barrier('b', 64);
          seen.push(Math.min(...rounds) - round);
        }
      }),
    );
    // No client was let through before the last one had come; some are in the next round already.
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
    expect(seen).toHaveLength(320);
  }, 60_000);

  test('in time or not, it says which ranks did not come', async () => {
    const host = await server();
    const [a, b] = [await client(host, 0), await client(host, 2)];
    const both = await Promise.allSettled([a, b].map((each) => each.barrier('b', 4, { timeoutMs: 50 })));
    for (const each of both) {
      expect(each).toMatchObject({
        reason: { message: "Store.barrier: 'b': 2 of 4 came in time; rank 1, 3 did not" },
      });
    }
  });
});

describe('subscriptions', () => {
  test('values that are there come first, then changes in their order', async () => {
    const host = await server();
    const [a, b] = [await client(host), await client(host)];
    await a.set('p/1', 'one');
    const heard: string[] = [];
    const subscription = await b.subscribe('p/', (key, value) => heard.push(`${key} ${value ? text(value) : 'gone'}`));
    expect(heard).toEqual(['p/1 one']);
    await a.set('q/1', 'other');
    await a.set('p/ü', '2');
    await a.deleteKey('p/1');
    await a.add('p/n', 5);
    await b.check(['q/1']);
    expect(heard).toEqual(['p/1 one', 'p/ü 2', 'p/1 gone', 'p/n 5']);
    subscription.close();
    await a.set('p/3', '3');
    await b.check(['p/3']);
    expect(heard).toHaveLength(4);
  });

  test('onLeave() tells of a client that closes, and of one that is cut off', async () => {
    const host = await server();
    const [a, b, c] = [await client(host, 0), await client(host, 1), await client(host, 2)];
    const left: unknown[] = [];
    await a.onLeave((rank, reason) => left.push([rank, reason]));
    await b.close();
    await a.check(['x']);
    expect(left).toEqual([[1, 'closed']]);
    // What the launcher tells.
    await c.set('exit/2', 'SIGKILL');
    await c.set('exit/3', '7');
    await a.check(['x']);
    expect(left.slice(1)).toEqual([
      [2, 'signal SIGKILL'],
      [3, 'exit code 7'],
    ]);
  });

  test('an error of a listener is the error of the program, and the store goes on', async () => {
    const host = await server();
    const ended = await runChild(`
      import { Store } from '@/src/job/store.ts';
      process.on('uncaughtException', (error) => console.log('caught', error.message));
      const store = await Store.connect({ port: ${host.port}, token: '${TOKEN}' });
      await store.subscribe('k', () => { throw new Error('on purpose'); });
      await store.set('k', '1');
      console.log(Buffer.from(await store.get('k')).toString());
      await store.close();
    `);
    expect(ended).toMatchObject({ code: 0, stdout: 'caught on purpose\n1\n' });
  });

  test('a rank with two connections leaves with the last one, and comes back', async () => {
    const host = await server();
    const a = await client(host, 0);
    const [b, c] = [await client(host, 1), await client(host, 1)];
    const left: unknown[] = [];
    await a.onLeave((rank) => left.push(rank));
    await b.close();
    await a.check(['x']);
    expect(left).toEqual([]);
    await c.close();
    await a.check(['x']);
    expect(left).toEqual([1]);
    await client(host, 1);
    expect(await a.check(['leave/1'])).toBe(false);
  });
});

describe('the end', () => {
  test('a client fails what waits when it is closed, and refuses more', async () => {
    const a = await client(await server());
    const waits = a.get('never');
    const closed = a.close();
    await expect(waits).rejects.toBeInstanceOf(ClosedError);
    await closed;
    await expect(a.set('k', '1')).rejects.toThrow('Store.set: this Store is closed');
    await a.close();
  });

  test('a store that closes tells all that wait, and onLost() of those that do not', async () => {
    const host = await server();
    const a = await client(host, 0);
    const lost: StoreError[] = [];
    const left: number[] = [];
    await a.onLeave((rank) => left.push(rank));
    a.onLost((error) => lost.push(error));
    const waits = a.get('never');
    await host.close();
    await expect(waits).rejects.toMatchObject({
      code: 'ERR_RAWKERNEL_STORE_LOST',
      message: expect.stringContaining('is lost: its host has closed it') as unknown,
    });
    await expect(a.set('k', '1')).rejects.toBe(lost[0]);
    a.onLost((error) => lost.push(error));
    await setImmediate();
    expect([lost.length, lost[0] === lost[1], left.length]).toEqual([2, true, 0]);
  });

  test('the port is free afterwards, and the next store knows nothing of this one', async () => {
    const first = await server();
    const { port } = first;
    await (await client(first)).set('k', '1');
    await first.close();
    expect(first.port).toBe(0);
    const second = await StoreServer.listen({ port, token: TOKEN });
    expect(await (await client(second)).check(['k'])).toBe(false);
    await second.close();
  });

  test('close(lingerMs) waits for clients, and no longer than that', async () => {
    const first = await server();
    const a = await client(first);
    let isClosed = false;
    const closing = first.close(60_000).then(() => (isClosed = true));
    await a.set('k', '1');
    expect(isClosed).toBe(false);
    await a.close();
    await closing;
    const second = await server();
    await client(second);
    await second.close(10);
  });

  test('await using closes both', async () => {
    const made = await StoreServer.listen({ token: TOKEN });
    const a = await Store.connect({ port: made.port, token: TOKEN });
    await a[Symbol.asyncDispose]();
    await until('the client has gone', () => made.clients === 0);
    await made[Symbol.asyncDispose]();
    expect(made.port).toBe(0);
  });
});
