import { describe, expect } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { launched, programOf } from '../../helpers/launched.ts';
import { needs } from '../../helpers/require.ts';

const { test } = needs.build();

const CHECKED = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_CHECK: '1' };
const MS = 120_000;
const REPORT = 'out-of-bounds write of x[100] by thread (36, 0, 0) of block (1, 0, 0) of fill';

/** `fault()` launches a kernel that writes beyond `x`; `told()` prints what a promise rejects with. */
const setup = (module: (name: string) => string): string => `
  import { Context, memAlloc, SourceModule, Stream } from '${module('cuda/index')}';
  import { Communicator } from '${module('nccl/index')}';
  const communicator = await Communicator.fromEnvironment({ alone: true, timeoutMs: 60_000 });
  const [x, y, stream, other] = [memAlloc(400), memAlloc(400), new Stream(), new Stream({ nonBlocking: true })];
  const code = new SourceModule('__global__ void fill(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }');
  const fault = (on = stream) => code.getFunction('fill')(x, { block: 64, grid: 2, stream: on });
  globalThis.kept = [communicator, x, y, stream, other, code];
  const reduce = () => communicator.allReduce(y, { dtype: 'f32', stream });
  const told = async (promise) => {
    const error = await promise.then(() => undefined, (reason) => reason);
    if (error) console.log('rejected', error.name, error.code, error.message.split('\\n')[0]);
    return error !== undefined;
  };
`;

const one = (rest: string): ReturnType<typeof runChild> =>
  runChild(setup((name) => `@/src/${name}.ts`) + rest, CHECKED, []);

const REJECTED = `rejected CudaLaunchError CUDA_ERROR_ILLEGAL_ADDRESS ${REPORT}\n`;

describe('a kernel that fails before a collective', () => {
  test(
    'on its stream: the collectives reject with its report, whenever it is known',
    async () => {
      const { stdout, stderr, code } = await one('fault(); while (!(await told(reduce())));');
      expect({ stdout, stderr, code }).toEqual({ stdout: REJECTED, stderr: '', code: 0 });
    },
    MS,
  );

  test(
    'on another stream: the same; done() says so, too',
    async () => {
      const { stdout } = await one('fault(other); while (!(await told(reduce()))); await told(communicator.done());');
      expect(stdout).toBe(REJECTED + REJECTED);
    },
    MS,
  );

  test(
    'with calls that are taken before it fails: done() rejects with its report',
    async () => {
      const { stdout } = await one(
        'fault(); const calls = [reduce(), reduce()]; await Promise.allSettled(calls); await told(communicator.done());',
      );
      expect(stdout).toBe(REJECTED);
    },
    MS,
  );

  test.each(['', 'communicator.close();', 'await communicator.abort();', 'process.exit(0);'])(
    'and no call that would say so: the process prints the report at its end: %s',
    async (rest) => {
      const { stderr, stdout, code } = await one(`void reduce(); fault(); ${rest}`);
      expect(stderr).toContain(REPORT);
      expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    },
    MS,
  );

  test(
    'on one rank of three: that rank has the report, and the others name the rank',
    async () => {
      const program = programOf(
        `${setup((name) => `@src/${name}`)}
        if (communicator.rank === 1) fault();
        for (;;) { await reduce(); await communicator.done(); }`,
      );
      const { stderr, code } = await launched(['-n', '3', program], CHECKED);
      expect(code).toBe(1);
      expect(stderr).toContain(`[1] CudaLaunchError: ${REPORT}`);
      for (const rank of [0, 2]) expect(stderr).toContain(`[${rank}] rank 1 exited with code 1 before allReduce #1`);
    },
    MS,
  );
});
