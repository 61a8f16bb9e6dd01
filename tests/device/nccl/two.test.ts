import { expect, test as always } from '@jest/globals';
import * as xp from '../../../src/cuda/array/index.ts';
import { Communicator, group, NcclTimeoutError } from '../../../src/nccl/index.ts';
import { needs } from '../../helpers/require.ts';

const { describe } = needs.nccl(2);

function each<T>(communicators: readonly Communicator[], make: (rank: number) => T): T[] {
  return communicators.map((communicator) => {
    communicator.context.makeCurrent();
    return make(communicator.rank);
  });
}

describe('two devices of one thread', () => {
  always(
    'each operation arrives',
    async () => {
      const comms = await Communicator.initAll([0, 1], { timeoutMs: 60_000 });
      const x = each(comms, (rank) => xp.full(4, rank + 1, { dtype: 'f32' }));
      const wide = each(comms, () => xp.zeros(8, { dtype: 'f32' }));
      await group(() => comms.map((comm, i) => comm.allGather(x[i] as xp.NDArray, { out: wide[i] })));
      await group(() => comms.map((comm, i) => comm.allReduce(x[i] as xp.NDArray)));
      for (const comm of comms) await comm.done();
      for (const array of wide) expect([...(await array.read())]).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
      for (const array of x) expect([...(await array.read())]).toEqual([3, 3, 3, 3]);
      await group(() => [
        (comms[0] as Communicator).send(wide[0] as xp.NDArray, 1),
        (comms[1] as Communicator).recv(wide[1] as xp.NDArray, 0),
      ]);
      for (const comm of comms) await comm.done();
      for (const comm of comms) comm.close();
    },
    120_000,
  );

  always(
    'a call that the other rank does not make ends in time, and both can be aborted',
    async () => {
      const comms = await Communicator.initAll([0, 1], { timeoutMs: 3000 });
      const [first, second] = comms as [Communicator, Communicator];
      const [x] = each([first], () => xp.ones(4));
      const hung = first.allReduce(x as xp.NDArray).then(() => first.done());
      await expect(hung).rejects.toBeInstanceOf(NcclTimeoutError);
      await second.abort();
      first.close();
    },
    120_000,
  );
});
