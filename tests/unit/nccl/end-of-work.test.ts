import { describe, expect } from '@jest/globals';
import { launched, programOf } from '../../helpers/launched.ts';
import { needs } from '../../helpers/require.ts';

const { test } = needs.build();

const MS = 120_000;

/** Two ranks; the first one ends while its second call is in flight, before the other one makes it, if it does. */
function job(end: string, other: string, options = '', before = ''): ReturnType<typeof launched> {
  const program = programOf(`
    import { setTimeout as sleep } from 'node:timers/promises';
    import { memAlloc } from '@src/cuda/index';
    import { Communicator } from '@src/nccl/index';
    ${before}
    const communicator = await Communicator.fromEnvironment({ timeoutMs: 4000, ${options} });
    const x = memAlloc(64);
    const sum = () => communicator.allReduce(x, { dtype: 'f32' });
    await sum();
    await communicator.done();
    globalThis.kept = [communicator, x];
    if (communicator.rank === 0) {
      await sum();
      ${end}
    } else {
      await sleep(1000);
      ${other}
    }
  `);
  return launched(['-n', '2', '--time-out', '100', program], { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_DEVICES: '2' });
}

// CUDA waits for the device at the end of a process: there the job stood still.
describe('a rank that ends while its call is in flight', () => {
  test.each([
    ['at the end of its program', ''],
    ['by process.exit(0)', 'process.exit(0);'],
  ])(
    '%s waits for the others',
    async (_, end) => {
      const { code, stderr } = await job(end, 'await sum(); await communicator.done();');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
    MS,
  );

  test.each([
    ['at the end of its program', '', ''],
    ['by process.exit(0)', 'process.exit(0);', ''],
    ['at the end of its program, and its time-out does not end it,', '', "onTimeout: 'abort'"],
    ['at the end of its program, after a communicator without a store,', '', '', 'await Communicator.initAll([0]);'],
  ])(
    '%s says so where the others never come',
    async (_, end, options, before = '') => {
      const { code, stderr } = await job(end, 'await sleep(60_000);', options, before);
      expect(code).toBe(1);
      expect(stderr).toContain('[0] NcclTimeoutError: allReduce #2 f32 x 16 sum');
      expect(stderr).toContain('[0] rank 1 has not called #2');
    },
    MS,
  );

  test.each([
    ['process.exit(3)', 'process.exit(3);', 3],
    ['an error', "throw new Error('on purpose');", 1],
  ])(
    'by %s ends the job at once',
    async (_, end, expected) => {
      const { code, stderr } = await job(end, 'await sleep(60_000);');
      expect(code).toBe(expected);
      expect(stderr).toContain('rank 0 of 2 failed first');
      expect(stderr).not.toContain('NcclTimeoutError');
    },
    MS,
  );
});
