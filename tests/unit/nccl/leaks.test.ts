import { expect, test } from '@jest/globals';
import { liveObjects, memAlloc } from '../../../src/cuda/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';
import { turns, untilCollected } from '../../helpers/until.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();

test('what is closed leaves nothing: objects, events, memory', async () => {
  const before = { ...driver.live };
  for (let i = 0; i < 50; i++) {
    using comm = await communicator();
    using x = memAlloc(64);
    using registered = await comm.registerBuffer(x);
    using op = await comm.createPreMulSum(2, 'f32');
    await comm.allReduce(x, { dtype: 'f32', op });
    expect(registered.byteLength).toBe(64);
    await comm.done();
  }
  expect(driver.live).toEqual(before);
  expect(liveObjects()['Communicator']).toBeUndefined();
});

test('events are used again: many calls make few', async () => {
  using comm = await communicator();
  using x = memAlloc(64);
  let created = 0;
  driver.onCall = (routine) => {
    if (routine === 'cuEventCreate') created++;
  };
  for (let i = 0; i < 200; i++) {
    await comm.allReduce(x, { dtype: 'f32' });
    await comm.done();
  }
  driver.onCall = undefined;
  expect(created).toBe(1);
});

test('one that was dropped is destroyed, and said', async () => {
  const warnings = expectWarnings('RAWKERNEL_LEAK');
  await (async () => {
    const comm = await communicator();
    expect(comm.closed).toBe(false);
  })();
  await untilCollected('it is gone', () => liveObjects()['Communicator'] === undefined);
  await turns();
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('A Communicator was collected without close()'),
  ]);
  expect(fake.calls).toContain('ncclCommDestroy');
});
