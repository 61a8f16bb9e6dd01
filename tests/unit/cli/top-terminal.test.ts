import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isBuilt } from '../../helpers/child.ts';
import { command } from '../../helpers/command.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';
import { inTerminal, type Step, type TerminalEnd } from '../../helpers/terminal.ts';
import { some } from '../../helpers/full.ts';

const TIMEOUT = 60_000;
/** The command line; from its sources it starts a second later. */
const MAIN = isBuilt()
  ? [join(root, 'dist', 'cli', 'main.js')]
  : ['--import', 'tsx', join(root, 'src', 'cli', 'main.ts')];

/** An NVML with one GPU, which is a little busier each time. */
const LIBRARY = `
#include <string.h>
static unsigned asked;
int nvmlInitWithFlags(unsigned flags) { return INIT; }
int nvmlShutdown(void) { return 0; }
int nvmlSystemGetNVMLVersion(char *out, unsigned length) { strcpy(out, "13.580.1"); return 0; }
int nvmlSystemGetDriverVersion(char *out, unsigned length) { strcpy(out, "580.1"); return 0; }
int nvmlSystemGetCudaDriverVersion_v2(int *out) { *out = 13000; return 0; }
int nvmlDeviceGetCount_v2(unsigned *out) { *out = 1; return INIT; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out) { *out = &asked; return 0; }
int nvmlDeviceGetIndex(void *device, unsigned *out) { *out = 0; return 0; }
int nvmlDeviceGetName(void *device, char *out, unsigned length) { strcpy(out, "Stub GPU"); return 0; }
int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *out) { *out = 50; return 0; }
int nvmlDeviceGetUtilizationRates(void *device, unsigned *out) { out[0] = ++asked % 100; out[1] = 1; return 0; }`;

/** ESC as a character that can be seen. */
function seen(text = ''): string {
  return text.replaceAll('\x1b', '^');
}

const [gcc, python] = [needs.command('gcc'), needs.command('python3')];
const terminal = gcc.missing === undefined ? python : gcc;
const posix = process.platform === 'win32' ? describe.skip : terminal.describe;

posix('top in a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-top-'));
  const library = join(folder, 'nvml.so');
  const unloaded = join(folder, 'unloaded.so');

  beforeAll(() => {
    for (const [file, init] of [
      [library, 0],
      [unloaded, 18],
    ] as const) {
      const args = ['-shared', '-fPIC', `-DINIT=${init}`, '-x', 'c', '-', '-o', file];
      const { status, stderr } = spawnSync('gcc', args, { input: LIBRARY, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function top(steps: readonly Step[], ...options: string[]): Promise<TerminalEnd> {
    const argv = [process.execPath, ...MAIN, 'top', '--interval', '0.2', ...options];
    return inTerminal(argv, steps, { RAWKERNEL_LIBNVML: library, NO_COLOR: '1' });
  }

  test(
    'it draws, follows the size, and leaves the terminal as it was',
    async () => {
      const { code, output, restored } = await top([
        { after: 'load   3 %', size: [50, 6] },
        { after: '\x1b[2KGPU 0   ', keys: '\x1b[A' },
        { after: '\x1b[2KGPU 0   ', keys: 'q' },
      ]);
      const [first = '', second = ''] = output;
      expect(seen(first)).toMatch(/^\^\[\?1049h\^\[\?25l/);
      expect(seen(first)).toMatch(/\^\[2KGPU 0 {2}Stub GPU/);
      expect(first).toMatch(/driver 580\.1, CUDA 13\.0/);
      // The whole width of the terminal before the change, and of the new one after it.
      expect(seen(first)).toMatch(/\^\[2Krawkernel top.{60}q quits\r+\n/);
      expect(seen(second)).toMatch(/\^\[2K\d\d:\d\d:\d\d {2}q quits/);
      expect(seen(output.at(-1))).toMatch(/\^\[\?25h\^\[\?1049l$/);
      expect({ code, restored }).toEqual({ code: 0, restored: true });
    },
    TIMEOUT,
  );

  test.each(
    some<[string, Omit<Step, 'after'>]>(
      [
        ['Ctrl-C', { keys: '\x03' }],
        ['ESC', { keys: '\x1b' }],
        ['SIGINT', { signal: constants.signals.SIGINT }],
        ['SIGTERM', { signal: constants.signals.SIGTERM }],
        ['SIGHUP', { signal: constants.signals.SIGHUP }],
      ],
      2,
    ),
  )(
    '%s ends it cleanly',
    async (_, step) => {
      const file = join(folder, 'top.csv');
      const { code, output, restored } = await top([{ after: 'load   2 %', ...step }], '--csv', file);
      expect({ code, restored }).toEqual({ code: 0, restored: true });
      expect(seen(output.at(-1))).toMatch(/\^\[\?25h\^\[\?1049l$/);
      expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(3);
    },
    TIMEOUT,
  );

  test(
    'into a pipe: a signal ends it with exit code 0, and so does a reader that has enough',
    async () => {
      const env = { ...process.env, RAWKERNEL_LIBNVML: library };
      const argv = [...MAIN, 'top', '--interval', '0.1', '--csv', '-'];
      const child = spawn(process.execPath, argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.once('data', () => child.kill('SIGTERM'));
      expect(await once(child, 'close')).toEqual([0, null]);
      const shell = `${[process.execPath, ...argv].map((word) => `"${word}"`).join(' ')} | head -2`;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', shell], { cwd: root, env, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^time,.*\n.*,Stub GPU,1,1,.*\n$/);
    },
    TIMEOUT,
  );

  test('doctor finds the library, and says where it does not start', async () => {
    const before = process.env['RAWKERNEL_LIBNVML'];
    const again = (): Promise<string> => Promise.resolve('{ "devices": [] }');
    try {
      process.env['RAWKERNEL_LIBNVML'] = unloaded;
      const { code, stdout } = await command(['doctor', 'cuda'], { again });
      expect(code).toBe(1);
      expect(stdout).toMatch(/^ {2}found {4}NVML, the management library: .*unloaded\.so, 13\.580\.1$/m);
      expect(stdout).toMatch(/^problem {2}nvmlInitWithFlags failed: NVML_ERROR_LIB_RM_VERSION_MISMATCH$/m);
    } finally {
      if (before === undefined) delete process.env['RAWKERNEL_LIBNVML'];
      else process.env['RAWKERNEL_LIBNVML'] = before;
    }
  });
});
