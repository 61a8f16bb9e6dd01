import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';
import { some } from '../../helpers/full.ts';

const SETUP = `
  import * as cuda from '@/src/cuda/index.ts';
  const context = new cuda.Context();
  const stream = new cuda.Stream();
  const memory = cuda.memAlloc(1 << 20);
  const source = \`__global__ void wait(int *x, long long clocks) {
    long long start = clock64();
    while (clock64() - start < clocks) x[0]++;
  }\`;
  const module = new cuda.SourceModule(source);
  const wait = module.getFunction('wait');
  // Left open, not dropped.
  globalThis.kept = [context, stream, memory, module];`;
const LAUNCH = 'wait(memory, 200_000_000, { block: 1, stream });';

const endings = {
  'with a launch in flight': LAUNCH,
  'with a launch in flight on objects that are closed': `${LAUNCH}
    for (const object of [module, memory, stream, context]) object.close();`,
  'with the primary context left open': `await import('@/src/cuda/autoinit.ts'); wait(memory, 200_000_000, { block: 1 });`,
  'by process.exit() with copies in flight': `${LAUNCH}
    cuda.memcpyHtoDAsync(memory, new Uint8Array(1 << 20), stream);
    cuda.memcpyDtoHAsync(cuda.pagelockedEmpty(1 << 20, 'u8'), memory, stream);
    process.exit(0);`,
  'with a build in flight': `cuda.SourceModule.compile(source, { cache: false }); process.exit(0);`,
};

needs.cuda().describe('the process ends well', () => {
  test.each(some(Object.entries(endings), 2))(
    '%s',
    async (_, ending) => {
      const { code, signal, stderr } = await runChild(`${SETUP}\n${ending}`, {}, []);
      expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    },
    60_000,
  );
});
