import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { laneOf, type NDArray } from '../../../src/array/ndarray.ts';
import { liveObjects, reclaim } from '../../../src/core/handle.ts';
import { sweepFlights } from '../../../src/core/in-flight.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { describeCudaArrays } from '../../helpers/array-halves.ts';

const ONES = [1, 1, 1, 1];

const settle = (stream: Stream): void => {
  stream.synchronize();
  sweepFlights();
};

describeCudaArrays('uses of memory by streams', (engine) => {
  test('arrays outlive the stream that they were made on, and go on on the default stream', () => {
    const before = liveObjects();
    const stream = new Stream({ nonBlocking: true });
    using other = new Stream({ nonBlocking: true });
    {
      using x = array(engine(), ONES, { stream });
      using y = x.add(1);
      using read = y.mul(2, { stream: other });
      expect([laneOf(y), laneOf(read)]).toEqual([stream, other]);
      stream.close();
      using z = y.add(x);
      expect(laneOf(z)).toBeNull();
      y.set(9, { stream: other });
      using late = y.add(1);
      expect([z, late, y, read].map((one) => one.get()[0])).toEqual([3, 10, 9, 4]);
      expect(() => array(engine(), ONES, { stream })).toThrow(/Stream.*closed/i);
    }
    settle(other);
    const after = liveObjects();
    expect([after['Stream'], after['NDArray']]).toEqual([(before['Stream'] ?? 0) + 1, before['NDArray']]);
  });

  test('readers and writers that are closed, in every order', () => {
    const before = liveObjects();
    for (let round = 0; round < 3; round++) {
      const streams = Array.from({ length: 3 }, () => new Stream({ nonBlocking: true }));
      const x = array(engine(), ONES, { stream: streams[0] });
      const results = streams.map((stream) => x.add(1, { stream }));
      streams[round]?.close();
      x.set(5, { stream: streams[(round + 1) % 3] });
      for (const result of results) expect(result.get()[0]).toBe(2);
      expect(x.get()[0]).toBe(5);
      x.close();
      for (const stream of streams) stream.close();
      for (const result of results) result.close();
    }
    sweepFlights();
    expect(liveObjects()).toEqual(before);
  });

  test('arrays that nobody closes are collected without a warning, with their streams', async () => {
    using stream = new Stream({ nonBlocking: true });
    const before = liveObjects()['NDArray'] ?? 0;
    const drop = (): void => {
      for (let i = 0; i < 50; i++) {
        const x = array(engine(), ONES, { stream });
        x.add(1).mul(2, { stream });
      }
    };
    drop();
    expect(liveObjects()['NDArray']).toBe(before + 150);
    await new Promise((resolve) => setTimeout(resolve, 10));
    reclaim();
    expect(liveObjects()['NDArray'] ?? 0).toBeLessThan(before + 10);
    using again = array(engine(), ONES, { stream });
    expect([...again.get()]).toEqual(ONES);
  });

  test('a captured operation runs with every launch of its graph', () => {
    using stream = new Stream({ nonBlocking: true });
    using x = array(engine(), ONES);
    using y = array(engine(), ONES);
    using out = array(engine(), ONES);
    x.add(y, { out: out });
    stream.beginCapture();
    x.add(y, { out: out, stream });
    out.mul(2, { out: x, stream });
    using graph = stream.endCapture();
    expect(x.get()[0]).toBe(1);
    using exec = graph.instantiate();
    for (const expected of [4, 10, 22]) {
      exec.launch(stream);
      stream.synchronize();
      expect(x.get()[0]).toBe(expected);
    }
    y.set(0, { stream });
    exec.launch(stream);
    stream.synchronize();
    expect(x.get()[0]).toBe(44);
  });

  test("results that a capture allocates are good for all launches, and their memory is no one else's", () => {
    using stream = new Stream({ nonBlocking: true });
    using x = array(engine(), ONES);
    using warm = x.add(1).mul(3);
    expect(warm.get()[0]).toBe(6);
    stream.beginCapture();
    const sum = x.add(1, { stream });
    const product = sum.mul(3, { stream });
    sum.close();
    const graph = stream.endCapture();
    const others: NDArray<'f32'>[] = [];
    for (let i = 0; i < 4; i++) others.push(array(engine(), [7, 7, 7, 7], { stream }));
    const exec = graph.instantiate();
    exec.launch(stream);
    expect(product.get()[0]).toBe(6);
    x.set(4, { stream });
    exec.launch(stream);
    stream.synchronize();
    expect(product.get()[0]).toBe(15);
    for (const other of others) expect([...other.get()]).toEqual([7, 7, 7, 7]);
    // The graph keeps what it uses.
    product.close();
    exec.launch(stream);
    stream.synchronize();
    for (const other of others) expect([...other.get()]).toEqual([7, 7, 7, 7]);
    for (const owned of [exec, graph, ...others]) owned.close();
  });

  test('work beside a capture goes on', () => {
    using stream = new Stream({ nonBlocking: true });
    using beside = new Stream({ nonBlocking: true });
    using x = array(engine(), ONES, { stream: beside });
    using out = array(engine(), ONES, { stream: beside });
    x.add(1, { out: out, stream: beside });
    stream.beginCapture();
    x.add(1, { out: out, stream });
    using y = x.add(5, { stream: beside });
    const dropped = x.add(6, { stream: beside });
    dropped.close();
    using graph = stream.endCapture();
    expect(y.get()[0]).toBe(6);
    using exec = graph.instantiate();
    exec.launch(stream);
    stream.synchronize();
    expect(out.get()[0]).toBe(2);
  });
});
