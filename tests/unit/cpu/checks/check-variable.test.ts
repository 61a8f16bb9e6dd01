import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run, runBuilt, type Ended } from '../../../helpers/child.ts';
import { needs } from '../../../helpers/require.ts';
import { root } from '../../../helpers/root.ts';
import { some } from '../../../helpers/full.ts';

const TIMEOUT = 120_000;
const LINE =
  /^rawkernel: RAWKERNEL_CPU_CHECK is set: (CUDA|OpenCL) runs on the embedded CPU device \(RAWKERNEL_DEVICE=cpu: without this line\)\n$/;

const caught = (text: string): string => `try { ${text} } catch (error) { console.log(error.name, error.message); }`;

const PROGRAMS: readonly (readonly [string, string, string])[] = [
  [
    'CUDA',
    `import * as cuda from 'rawkernel/cuda'; ${caught('console.log(cuda.Device.count(), new cuda.Device(0).isEmbedded);')}`,
    '1 true\n',
  ],
  [
    'OpenCL',
    `import * as cl from 'rawkernel/opencl';
    ${caught("console.log(cl.getPlatforms().map(({ name }) => name).join('|')); cl.createSomeContext().close();")}`,
    'rawkernel CPU\n',
  ],
  [
    'node-opencl',
    `import cl from 'rawkernel/node-opencl';
    ${caught("console.log(cl.getPlatformIDs().map((platform) => cl.getPlatformInfo(platform, cl.PLATFORM_NAME)).join('|'));")}`,
    'rawkernel CPU\n',
  ],
  ['WebCL', `import { webcl } from 'rawkernel/webcl'; ${caught('console.log(webcl.getPlatforms().length);')}`, '1\n'],
];

const built = needs.build();

built.describe.each(some(PROGRAMS, 3))('RAWKERNEL_CPU_CHECK with %s', (half, text, list) => {
  const program = (env: Record<string, string>): Promise<Ended> =>
    runBuilt(text, { RAWKERNEL_DEVICE: 'auto', RAWKERNEL_CPU_CHECK: '1', ...env });

  test(
    'takes the embedded device, whatever is installed, and says so',
    async () => {
      const { stdout, stderr } = await program({});
      expect(stdout).toBe(list);
      expect(stderr).toMatch(LINE);
      expect(await program({ RAWKERNEL_DEVICE: 'cpu' })).toMatchObject({ stdout: list, stderr: '' });
    },
    TIMEOUT,
  );

  test(
    'beside a wish for another device is an error that names both',
    async () => {
      const library = half === 'CUDA' ? 'RAWKERNEL_LIBCUDA' : 'RAWKERNEL_LIBOPENCL';
      const both = /^\w*Error RAWKERNEL_CPU_CHECK asks for checks .* and (\S+) for another one: unset one of them/;
      expect(both.exec((await program({ RAWKERNEL_DEVICE: 'gpu' })).stdout)?.[1]).toBe('RAWKERNEL_DEVICE=gpu');
      expect(both.exec((await program({ [library]: '/lib/x.so' })).stdout)?.[1]).toBe(`${library}=/lib/x.so`);
    },
    TIMEOUT,
  );

  test(
    'has a few values, on every machine',
    async () => {
      const { stdout } = await program({ RAWKERNEL_CPU_CHECK: 'ja' });
      expect(stdout).toMatch(
        /TypeError RAWKERNEL_CPU_CHECK must be 1, 'report', 'bounds', 'no-global-races', 'no-races-in-blocks' or 0, got 'ja'\n/,
      );
    },
    TIMEOUT,
  );
});

built.test(
  'createSomeContext({ check }) takes the only device that has checks',
  async () => {
    const text = `import * as cl from 'rawkernel/opencl';
      ${caught('const ctx = cl.createSomeContext({ check: true }); console.log(ctx.platform.name); ctx.close();')}`;
    expect((await runBuilt(text, { RAWKERNEL_DEVICE: 'auto' })).stdout).toBe('rawkernel CPU\n');
    const { stdout } = await runBuilt(text, { RAWKERNEL_DEVICE: 'gpu' });
    expect(stdout).toMatch(/^(?:Error Only the embedded CPU device has a checked mode|LibraryNotFoundError )/);
  },
  TIMEOUT,
);

built.describe('a failed kernel without a later wait', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rawkernel-check-'));
    writeFileSync(join(folder, 'fill.cu'), '__global__ void fill(int *a) { a[threadIdx.x] = 1; }\n');
    writeFileSync(join(folder, 'fill.cl'), '__kernel void fill(__global int *a) { a[get_global_id(0)] = 1; }\n');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const SOURCE = "'__kernel void fill(__global int *a) { a[get_global_id(0)] = 1; }'";
  test.each(
    some(
      [
        [
          'node-opencl',
          `import cl from 'rawkernel/node-opencl';
      const [platform] = cl.getPlatformIDs();
      const [device] = cl.getDeviceIDs(platform);
      const context = cl.createContext([cl.CONTEXT_PLATFORM, platform], [device]);
      const queue = cl.createCommandQueueWithProperties(context, device, []);
      const program = cl.createProgramWithSource(context, ${SOURCE});
      cl.buildProgram(program);
      const kernel = cl.createKernel(program, 'fill');
      const a = cl.createBuffer(context, cl.MEM_READ_WRITE, 32);
      cl.setKernelArg(kernel, 0, 'cl_mem', a);
      cl.enqueueNDRangeKernel(queue, kernel, 1, null, [9], [9]);`,
          'cl.finish(queue)',
        ],
        [
          'WebCL',
          `import { webcl } from 'rawkernel/webcl';
      const context = webcl.createContext();
      const queue = context.createCommandQueue();
      const program = context.createProgram(${SOURCE});
      program.build();
      const kernel = program.createKernel('fill');
      const a = context.createBuffer(webcl.MEM_READ_WRITE, 32);
      kernel.setArg(0, a);
      queue.enqueueNDRangeKernel(kernel, 1, null, [9], [9]);`,
          'queue.finish()',
        ],
      ],
      2,
    ),
  )(
    'is on stderr and in the exit code of %s',
    async (_, text, wait) => {
      const env = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_CHECK: '1' };
      const { code, stderr } = await runBuilt(text, env);
      expect(stderr).toMatch(/^rawkernel: out-of-bounds write of a\[8\] [^]*no call has thrown; exit code 1\n$/);
      expect(code).toBe(1);
      const heard = await runBuilt(`${text} try { ${wait}; } catch { console.log('caught'); }`, env);
      expect(heard).toMatchObject({ code: 0, stdout: 'caught\n', stderr: '' });
    },
    TIMEOUT,
  );

  test.each(
    some(
      [
        ['fill.cu', ['--block', '9']],
        ['fill.cl', ['--global', '9', '--local', '9']],
      ] as const,
      2,
    ),
  )(
    'is in the exit code of rawkernel run %s, with --check and with the variable',
    async (file, sizes) => {
      const args = [
        join(root, 'dist/cli/main.js'),
        'run',
        join(folder, file),
        'fill',
        ...sizes,
        '--arg',
        'zeros:8:i32',
      ];
      const checked = await run([...args, '--check'], { RAWKERNEL_DEVICE: 'cpu' }, folder);
      expect(checked.stderr).toMatch(/out-of-bounds write of a\[8\]/);
      expect(checked.code).toBe(1);
      for (const json of [[], ['--json']]) {
        const variable = await run(
          [...args, ...json],
          { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_CHECK: 'report' },
          folder,
        );
        expect(variable.stderr).toMatch(
          /^rawkernel: out-of-bounds [^]*\nrawkernel: 1 report of kernels; exit code 1\n$/m,
        );
        expect(variable.code).toBe(1);
      }
    },
    TIMEOUT,
  );
});
