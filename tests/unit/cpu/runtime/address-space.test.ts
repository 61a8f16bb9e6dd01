import { spawnSync } from 'node:child_process';
import { describe as suite, expect, test } from '@jest/globals';
import { needs } from '../../../helpers/require.ts';
import { root } from '../../../helpers/root.ts';

const MAKE = `
  import * as cuda from 'rawkernel/cuda';
  import * as cl from 'rawkernel/opencl';
  const tell = (make) => {
    try {
      make();
      console.log('made');
    } catch (error) {
      console.log(error.constructor.name + ': ' + error.message.split('\\n').slice(0, 2).join(' '));
    }
  };
  tell(() => new cuda.Context());
  tell(() => cl.createSomeContext({ interactive: false, answers: ['rawkernel'] }));
`;

const { describe } = process.platform === 'linux' ? needs.build() : { describe: suite.skip };

describe('little address space', () => {
  // In 12 GB there is room for the memory, but not for the threads: the runtime itself would end the process.
  test.each([3_000_000, 6_000_000, 12_000_000])(
    'with an address space of %i KB both halves say what to do',
    (limit) => {
      const { status, signal, stdout, stderr } = spawnSync(
        'sh',
        ['-c', `ulimit -v ${limit}; exec "$0" "$@"`, process.execPath, '--input-type=module', '--eval', MAKE],
        { cwd: root, env: { ...process.env, RAWKERNEL_DEVICE: 'cpu' }, encoding: 'utf8' },
      );
      expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
      const [first, second] = stdout.trim().split('\n');
      const advice = /The address space of this process is limited to [\d.]+ GB.*ulimit -v unlimited/;
      expect([first?.split(':')[0], second?.split(':')[0]]).toEqual(['CudaMemoryError', 'OpenCLMemoryError']);
      expect(first).toMatch(advice);
      expect(second).toMatch(advice);
    },
  );
});
