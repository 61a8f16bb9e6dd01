import { expect, test } from '@jest/globals';
import {
  f64,
  type FieldReader,
  frame,
  FrameReader,
  keyField,
  keysField,
  ProtocolError,
  Request,
  valueFields,
} from '../../../src/job/protocol.ts';
import { client, RawPeer, server } from '../../helpers/job-store.ts';
import { turns, until } from '../../helpers/until.ts';

/** Numbers below a limit, the same in each run: mulberry32. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

type Random = ReturnType<typeof randomOf>;

/** A valid request, small. */
function request(random: Random, id: number): Buffer {
  const key = keyField(`k${random(5)}`);
  const value = valueFields(Buffer.alloc(random(40), random(256)));
  const bodies: (() => Uint8Array[])[] = [
    () => frame(id, Request.SET, key, ...value),
    () => frame(id, Request.GET, key),
    () => frame(id, Request.ADD, key, f64(random(100))),
    () => frame(id, Request.COMPARE_SET, key, ...value, ...valueFields(Buffer.from('x'))),
    () => frame(id, Request.WAIT, keysField(['k1', `w${random(9)}`])),
    () => frame(id, Request.CHECK, keysField(['k1', 'k2'])),
    () => frame(id, Request.DELETE, key),
    () => frame(id, Request.SUBSCRIBE, keyField('k')),
    () => frame(id, Request.CANCEL),
  ];
  return Buffer.concat(bodies[random(bodies.length)]?.() ?? []);
}

/** Change, insert, remove or repeat some bytes. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length);
  switch (random(5)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(9), random(256)), bytes.subarray(at)]);
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes, bytes.subarray(at)]);
    default: {
      const changed = Buffer.from(bytes);
      changed.writeUInt32LE(random(2 ** 31), random(Math.max(bytes.length - 4, 1)));
      return changed;
    }
  }
}

test('20,000 frames, cut at any place, are the frames that were sent', () => {
  const random = randomOf(1);
  const sent = Array.from({ length: 20_000 }, (_, i) => request(random, i + 1));
  const all = Buffer.concat(sent);
  const reader = new FrameReader();
  const ids: number[] = [];
  for (let at = 0; at < all.length;) {
    const end = at + 1 + random(300);
    reader.push(all.subarray(at, end));
    at = end;
    for (let got = reader.next(); got !== undefined; got = reader.next()) ids.push(got.id);
  }
  expect(ids).toEqual(sent.map((_, i) => i + 1));
});

test('random and mutated bytes end in an error of the protocol or in frames, never otherwise', () => {
  const random = randomOf(2);
  let [errors, frames] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    const bytes =
      i % 2 === 0
        ? Buffer.from(Array.from({ length: random(60) }, () => random(256)))
        : mutate(request(random, i), random);
    const reader = new FrameReader();
    reader.push(bytes);
    try {
      for (let got = reader.next(); got !== undefined; got = reader.next()) read(got, random);
      frames++;
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
      errors++;
    }
  }
  expect(Math.min(errors, frames)).toBeGreaterThan(1000);
});

/** Read fields in any order. */
function read(fields: FieldReader, random: Random): void {
  const reads = [
    () => fields.key(),
    () => fields.keys(),
    () => fields.value(),
    () => fields.u32(),
    () => fields.f64(),
    () => fields.u8(),
  ];
  for (let i = 0; i < 3; i++) reads[random(reads.length)]?.();
  fields.end();
}

test('a server that gets 6,000 mutated requests on 300 connections serves others, and keeps no connection of theirs', async () => {
  const random = randomOf(3);
  const host = await server();
  const store = await client(host);
  let served = 0;
  for (let round = 0; round < 30; round++) {
    const peers = Array.from({ length: 10 }, () => new RawPeer(host.port));
    await Promise.all(peers.map((peer, i) => (i % 3 === 0 ? peer.greeting() : peer.enter())));
    for (let i = 0; i < 200; i++) {
      const bytes = request(random, i + 1);
      peers[random(10)]?.send(random(4) === 0 ? mutate(bytes, random) : bytes);
    }
    await store.set('own', String(round));
    expect(Buffer.from(await store.get('own')).toString()).toBe(String(round));
    await turns(2);
    served += peers.filter(({ received }) => received.length > 0).length;
    for (const peer of peers) peer.socket.destroy();
  }
  await until('the server has forgotten them', () => host.clients === 1);
  expect(served).toBeGreaterThan(150);
}, 120_000);
