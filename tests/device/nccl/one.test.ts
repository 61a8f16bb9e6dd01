import { expect, test as always } from '@jest/globals';
import * as xp from '../../../src/cuda/array/index.ts';
import { liveObjects, Stream } from '../../../src/cuda/index.ts';
import { Communicator, group, memAlloc, ncclVersion, NcclTimeoutError, UniqueId } from '../../../src/nccl/index.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const { describe } = needs.nccl();

always('nothing is opened before it is asked for', () => {
  expect(typeof Communicator).toBe('function');
});

describe('one rank', () => {
  withDevice();

  function alone(options: Partial<Parameters<typeof Communicator.init>[0]> = {}): Promise<Communicator> {
    return Communicator.init({ rank: 0, size: 1, id: UniqueId.create(), timeoutMs: 60_000, ...options });
  }

  always('NCCL tells its version', () => {
    expect(ncclVersion()).toMatch(/^2\.\d+\.\d+$/);
  });

  always(
    'each operation gives what one rank has',
    async () => {
      using comm = await alone({ name: 'alone', config: { maxCTAs: 4 } });
      const x = xp.arange(8, { dtype: 'f32' });
      const out = xp.zeros(8, { dtype: 'f32' });
      const expected = [0, 1, 2, 3, 4, 5, 6, 7];
      await comm.allReduce(x);
      await comm.allReduce(x, { op: 'avg', out });
      expect([...(await out.read())]).toEqual(expected);
      for (const name of [
        'allGather',
        'reduceScatter',
        'allToAll',
        'gather',
        'scatter',
        'reduce',
        'broadcast',
      ] as const) {
        out.set(0);
        await comm[name](x, { out });
        expect([...(await out.read())]).toEqual(expected);
      }
      await group(() => [comm.send(x, 0), comm.recv(out, 0)]);
      await comm.done();
      expect([...(await out.read())]).toEqual(expected);
    },
    60_000,
  );

  always(
    'a sum of products, registered memory and a window work',
    async () => {
      using comm = await alone();
      using op = await comm.createPreMulSum(0.5, 'f32');
      const x = xp.full(8, 4, { dtype: 'f32' });
      await comm.allReduce(x, { op });
      expect(x.item(0)).toBe(2);
      using memory = memAlloc<'f32'>(1 << 20);
      using registered = await comm.registerBuffer(memory);
      expect(registered.byteLength).toBe(1 << 20);
      await comm.allReduce(memory, { dtype: 'f32' });
      await comm.done();
    },
    60_000,
  );

  always(
    'calls that are not awaited keep their order, and the event loop turns meanwhile',
    async () => {
      using comm = await alone();
      using stream = new Stream({ nonBlocking: true });
      const x = xp.ones(1024, { dtype: 'f32', stream });
      const calls = Array.from({ length: 200 }, () => comm.allReduce(x, { stream }));
      await Promise.all(calls);
      await comm.done();
      expect(x.item(1023)).toBe(1);
    },
    60_000,
  );

  always(
    'a call is captured into a graph',
    async () => {
      using comm = await alone();
      using stream = new Stream({ nonBlocking: true });
      const x = xp.ones(1024, { dtype: 'f32', stream });
      await stream.done();
      stream.beginCapture();
      await comm.allReduce(x, { stream });
      using graph = stream.endCapture();
      using exec = graph.instantiate();
      exec.launch(stream);
      await stream.done();
      expect(x.item(0)).toBe(1);
    },
    60_000,
  );

  always(
    'split() and finalize() work, and nothing is left',
    async () => {
      {
        await using comm = await alone();
        using child = await comm.split({ color: 0, name: 'child' });
        const x = xp.ones(4);
        await child.allReduce(x);
        await child.done();
      }
      expect(liveObjects()['Communicator']).toBeUndefined();
    },
    60_000,
  );

  always(
    'a rank that does not come ends init in time',
    async () => {
      const error = Communicator.init({ rank: 0, size: 2, id: UniqueId.create(), timeoutMs: 3000 });
      await expect(error).rejects.toBeInstanceOf(NcclTimeoutError);
    },
    60_000,
  );
});
