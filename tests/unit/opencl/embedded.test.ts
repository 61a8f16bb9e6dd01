import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runBuilt, type Ended } from '../../helpers/child.ts';
import { openclDevices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const LIST = `
  import * as cl from 'rawkernel/opencl';
  try {
    console.log('[' + cl.getPlatforms().map(({ name }) => name).join('|') + ']');
  } catch (error) {
    console.log(error.name, error.message);
  }`;
const TAKE = `
  import * as cl from 'rawkernel/opencl';
  const ctx = cl.createSomeContext();
  cl.createSomeContext().close();
  console.log(ctx.platform.name);
  ctx.close();`;
/** A system on which the loader is not installed. */
const WITHOUT_LOADER = `
  import koffi from 'koffi';
  const load = koffi.load;
  koffi.load = (name, ...rest) => {
    if (!/opencl/i.test(name)) return load(name, ...rest);
    throw new Error('Failed to load shared library: cannot open shared object file: No such file or directory');
  };`;
const NAME = 'rawkernel CPU';
const NOTICE =
  'rawkernel: no other OpenCL device was found: OpenCL runs on the embedded CPU device ' +
  '(RAWKERNEL_DEVICE=cpu: without this line; gpu: never)\n';
const TIMEOUT = 60_000;

const others = openclDevices.map(([, { platform }]) => platform.name).filter((name) => name !== NAME);
const installed = [...new Set(others)];
if (installed.length === 0) process.stderr.write('Tests skipped: no OpenCL implementation is installed\n');
const beside = installed.length === 0 || needs.build().missing !== undefined ? describe.skip : describe;

function run(text: string, device: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runBuilt(text, { RAWKERNEL_CTX: '', RAWKERNEL_DEVICE: device, ...env });
}

beside('Where OpenCL is installed', () => {
  test.each([
    ['', [...installed, NAME]],
    ['auto', [...installed, NAME]],
    ['gpu', installed],
    ['cpu', [NAME]],
  ])(
    'RAWKERNEL_DEVICE=%s lists %j',
    async (device, names) => {
      const { stdout, stderr } = await run(LIST, device);
      expect({ stdout, stderr }).toEqual({ stdout: `[${names.join('|')}]\n`, stderr: '' });
    },
    TIMEOUT,
  );

  test(
    'the embedded platform is taken when it is asked for',
    async () => {
      expect(installed).toContain((await run(TAKE, '')).stdout.trim());
      for (const env of [{ RAWKERNEL_CTX: NAME }, { RAWKERNEL_CTX: String(installed.length) }]) {
        const { stdout, stderr } = await run(TAKE, '', env);
        expect({ stdout, stderr }).toEqual({ stdout: `${NAME}\n`, stderr: '' });
      }
      const { stdout, stderr } = await run(TAKE, 'cpu');
      expect({ stdout, stderr }).toEqual({ stdout: `${NAME}\n`, stderr: '' });
    },
    TIMEOUT,
  );

  test(
    'a program that takes another platform does not load the embedded device',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rawkernel-loaded-'));
      const loaded = async (name: string): Promise<string[]> => {
        const env = { NODE_V8_COVERAGE: join(folder, name), RAWKERNEL_CTX: name };
        expect((await run(TAKE, '', env)).code).toBe(0);
        return readdirSync(env.NODE_V8_COVERAGE).flatMap((file) => {
          const text = readFileSync(join(env.NODE_V8_COVERAGE, file), 'utf8');
          return (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url);
        });
      };
      try {
        const [first = ''] = installed;
        const cpu = /\/dist\/(?:cpu|chunks\/cpu)/;
        expect((await loaded(first)).filter((url) => cpu.test(url))).toEqual([]);
        expect((await loaded(NAME)).filter((url) => cpu.test(url))).not.toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    TIMEOUT,
  );
});

needs.build().describe('Where no loader is installed', () => {
  test.each(['', 'auto', 'cpu'])(
    "RAWKERNEL_DEVICE='%s' lists the embedded platform without a word",
    async (device) => {
      const { stdout, stderr } = await run(`${WITHOUT_LOADER}${LIST}`, device);
      expect({ stdout, stderr }).toEqual({ stdout: `[${NAME}]\n`, stderr: '' });
    },
    TIMEOUT,
  );

  test(
    'createSomeContext() takes the embedded device, and one line says so',
    async () => {
      const { stdout, stderr } = await run(`${WITHOUT_LOADER}${TAKE}`, '');
      expect({ stdout, stderr }).toEqual({ stdout: `${NAME}\n`, stderr: NOTICE });
    },
    TIMEOUT,
  );

  test.each([
    ['RAWKERNEL_DEVICE=gpu', 'gpu', {}],
    ['a library that RAWKERNEL_LIBOPENCL names', '', { RAWKERNEL_LIBOPENCL: '/nowhere/libOpenCL.so' }],
  ])(
    '%s is an error',
    async (_, device, env) => {
      const { stdout, stderr } = await run(`${WITHOUT_LOADER}${LIST}`, device, env);
      expect(stdout).toMatch(/^LibraryNotFoundError [^]*\n {2}- or without any of them: RAWKERNEL_DEVICE=cpu /);
      expect(stderr).toBe('');
    },
    TIMEOUT,
  );
});

needs.build().test(
  'RAWKERNEL_DEVICE has three values',
  async () => {
    const { stdout } = await run(LIST, 'CPU');
    expect(stdout).toBe(
      "TypeError RAWKERNEL_DEVICE must be 'auto', 'cpu' or 'gpu', got 'CPU'; unset RAWKERNEL_DEVICE for the default\n",
    );
  },
  TIMEOUT,
);
