import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Watcher } from '../../../src/cli/output.ts';
import { useNvml } from '../../../src/nvml/select.ts';
import { command, type CommandEnd, type Surroundings } from '../../helpers/command.ts';
import { withFakeNvml } from '../../helpers/nvml.ts';

const fake = withFakeNvml();
const [first, second] = fake.gpus as [(typeof fake.gpus)[0], (typeof fake.gpus)[0]];
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-top-'));
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const table = fake.table;

first.processes.compute.push({ pid: 100, bytes: 3n << 30n }, { pid: 7, bytes: 4n << 30n });
first.samples = [{ pid: 100, timeUs: 4e15, sm: 55 }];

afterEach(() => {
  fake.fail.clear();
  useNvml(table);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The second GPU no longer answers a query. */
function loseSecond(): void {
  useNvml({
    ...table,
    nvmlDeviceGetPowerUsage: (...args) => (args[0] === second.handle ? 15 : table.nvmlDeviceGetPowerUsage(...args)),
  });
}

/** Run a command whose pauses pass at once: clocks show how long they were. */
async function inFakeTime(
  argv: readonly string[],
  around?: Surroundings,
): Promise<CommandEnd & { readonly ended: number }> {
  jest.useFakeTimers();
  try {
    let ended: number | undefined;
    const end = command(argv, around).finally(() => (ended = performance.now()));
    while (ended === undefined) await jest.advanceTimersToNextTimerAsync();
    return { ...(await end), ended };
  } finally {
    jest.useRealTimers();
  }
}

/** ESC as a character that can be seen. */
function seen(text = ''): string {
  return text.replaceAll('\x1b', '^');
}

describe('top --once', () => {
  test('is a reading', async () => {
    const { code, stdout, stderr } = await command(['top', '--once']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchSnapshot();
  });

  test('--json has the whole of it', async () => {
    const { code, stdout } = await command(['top', '--once', '--json', '--device', '0']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      driverVersion: '580.65.06',
      timeMs: expect.any(Number) as unknown as number,
      devices: [
        {
          index: 0,
          uuid: first.uuid,
          powerWatts: 71.25,
          clocksMHz: { sm: 345 },
          processes: [{ pid: 7 }, { pid: 100, name: '/usr/bin/train', smPercent: 55, memoryPercent: 3 }],
        },
      ],
    });
  });

  test('a GPU that is lost has its error, and exit code 1 says so', async () => {
    loseSecond();
    const { code, stdout } = await command(['top', '--once']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +0 {2}NVIDIA H100.*37 %/m);
    expect(stdout).toMatch(/^GPU 1 {2}unknown: nvmlDeviceGetPowerUsage failed: NVML_ERROR_GPU_IS_LOST$/m);
    const { devices } = JSON.parse((await command(['top', '--once', '--json'])).stdout) as { devices: object[] };
    expect(devices[1]).toEqual({
      index: 1,
      name: 'unknown',
      error: expect.objectContaining({ code: 'NVML_ERROR_GPU_IS_LOST' }) as unknown,
    });
  });

  test('a GPU without processes or samples of them', async () => {
    fake.fail.set('nvmlDeviceGetProcessUtilization', 3);
    expect((await command(['top', '--once'])).stdout).toMatch(/^ +0 +100 {2}compute +- /m);
    for (const kind of ['Compute', 'Graphics', 'MPSCompute']) fake.fail.set(`nvmlDeviceGet${kind}RunningProcesses`, 3);
    const { stdout } = await command(['top', '--once', '--json']);
    expect(JSON.parse(stdout)).not.toHaveProperty('devices.0.processes');
  });
});

describe('without a terminal', () => {
  test('there is a line for each GPU and reading', async () => {
    const { code, stdout } = await command(['top', '--count', '2', '--interval', '0.1']);
    expect(code).toBe(0);
    expect(stdout.replace(TIME, 'TIME')).toMatchSnapshot();
  });

  test('--json is a document in each line', async () => {
    const { stdout } = await inFakeTime(['top', '--count', '3', '--interval', '0.1', '--json']);
    const times = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { timeMs: number }).timeMs);
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 100, 200]);
  });

  test('a GPU that is lost on the way is said to be, keeps its name, and comes back', async () => {
    let readings = 0;
    const written = (): void => {
      readings++;
      if (readings === 1) loseSecond();
      else useNvml(table);
    };
    const { code, stdout } = await command(['top', '--count', '3', '--interval', '0.1'], { written });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => /GPU \d/.exec(line)?.[0])).toEqual([
      'GPU 0',
      'GPU 1',
      'GPU 0',
      'GPU 1',
      'GPU 0',
      'GPU 1',
    ]);
    expect(lines[3]).toMatch(/GPU 1 {2}NVML_ERROR_GPU_IS_LOST {2}NVIDIA H100/);
    expect(lines[5]).toMatch(/GPU 1 {2}37 %/);
  });

  test('a signal ends it, with exit code 0', async () => {
    let watcher: Watcher | undefined;
    const { code, stdout } = await command(['top', '--interval', '60'], {
      watch: (given) => (watcher = given),
      written: () => setImmediate(() => watcher?.stop()),
    });
    expect(watcher?.resized).toBeUndefined();
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 2 });
  });
});

describe('--csv', () => {
  test('to stdout, and nothing else', async () => {
    const { code, stdout } = await command(['top', '--csv', '-', '--count', '2', '--interval', '0.1'], {
      terminal: true,
    });
    expect(code).toBe(0);
    expect(stdout.replace(TIME, 'TIME')).toMatchSnapshot();
    expect((await command(['top', '--csv', '-', '--once'])).stdout.trimEnd().split('\n')).toHaveLength(3);
  });

  test('to a file, beside what is shown; a GPU that is lost is a line of its own', async () => {
    const file = join(folder, 'gpus.csv');
    loseSecond();
    const { stdout } = await command(['top', '--csv', file, '--count', '1']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    const [head = '', , lost = ''] = readFileSync(file, 'utf8').split('\n');
    expect(lost).toMatch(/^[\d-]+T[\d:.]+Z,1,,unknown,,+NVML_ERROR_GPU_IS_LOST$/);
    expect(lost.split(',')).toHaveLength(head.split(',').length);
  });
});

describe('in a terminal', () => {
  test('the screen is another one until the end, and follows its size', async () => {
    const size = { columns: 80, rows: 24 };
    let watcher: Watcher | undefined;
    const frames: string[] = [];
    const { code, stdout } = await command(['top', '--interval', '60'], {
      terminal: true,
      env: { NO_COLOR: '1' },
      size,
      watch: (given) => (watcher = given),
      written: (text) => {
        if (!text.includes('\x1b[H')) return;
        frames.push(text);
        setImmediate(() => {
          if (frames.length > 1) return watcher?.stop();
          Object.assign(size, { columns: 40, rows: 12 });
          watcher?.resized?.();
        });
      },
    });
    expect(code).toBe(0);
    expect(stdout.startsWith('\x1b[?1049h\x1b[?25l')).toBe(true);
    expect(stdout.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true);
    expect(frames).toHaveLength(2);
    expect(frames[0]).toContain('rawkernel top');
    expect(seen(frames[1])).toMatch(/\^\[2KGPU 0 /);
  });

  test('the last of some readings stays for its time', async () => {
    let drawn = 0;
    const written = (text: string): unknown => text.includes('\x1b[H') && (drawn = performance.now());
    const around = { terminal: true, written };
    const { code, stdout, ended } = await inFakeTime(['top', '--count', '1', '--interval', '0.2'], around);
    expect(Math.round(ended - drawn)).toBe(200);
    expect({ code, left: stdout.endsWith('\x1b[?1049l') }).toEqual({ code: 0, left: true });
  });

  test('a terminal that is not one to draw on gets lines', async () => {
    const around = { terminal: true, env: { TERM: 'dumb' } };
    expect((await command(['top', '--count', '1'], around)).stdout).toMatch(/^\d{4}-/);
  });
});

describe('which GPUs', () => {
  test.each([
    ['1', ['1']],
    ['1,0', ['1', '0']],
    [first.uuid, ['0']],
    [second.busId, ['1']],
  ])('--device %s', async (device, indices) => {
    const { stdout } = await command(['top', '--once', '--csv', '-', '--device', device]);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[1]),
    ).toEqual(indices);
  });

  test('one that this user may not ask is left out; one that is lost from the beginning is not', async () => {
    const answer = (status: number): void => {
      useNvml({
        ...table,
        nvmlDeviceGetHandleByIndex: (...args) => (args[0] === 1 ? status : table.nvmlDeviceGetHandleByIndex(...args)),
      });
    };
    answer(4);
    expect((await command(['top', '--once', '--csv', '-'])).stdout.trimEnd().split('\n')).toHaveLength(2);
    answer(15);
    expect((await command(['top', '--once', '--csv', '-'])).stdout).toMatch(/Z,1,.*NVML_ERROR_GPU_IS_LOST\n$/);
  });

  test('none at all is a failure', async () => {
    fake.fail.set('nvmlDeviceGetHandleByIndex', 4);
    expect((await command(['top'])).code).toBe(1);
    fake.fail.set('nvmlDeviceGetCount', 999);
    const { code, stderr } = await command(['top']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/nvmlDeviceGetCount failed/) as unknown as string,
    });
  });
});

test.each([
  [['--interval', '0'], /--interval 0: write seconds, 0\.1 to 3600/],
  [['--interval', '3601'], /--interval 3601/],
  [['--interval', 'often'], /--interval often/],
  [['--count', '0'], /--count 0: write a whole number of at least 1/],
  [['--count', '1.5'], /--count 1\.5/],
  [['--once', '--count', '2'], /one of them is enough/],
  [['--csv', '-', '--json'], /both want stdout/],
  [['--csv', '/nowhere/gpus.csv', '--once'], /--csv \/nowhere\/gpus\.csv: there is no such file \(ENOENT\)/],
  [['--device', '2'], /--device 2: There is no GPU 2/],
  [['--device', 'GPU-none'], /--device GPU-none: .*NVML_ERROR_NOT_FOUND/s],
  [['--device', 'first'], /--device first: A device's name must be a UUID \(GPU- or MIG-\)/],
  [['--device', ''], /--device : /],
  [['here'], /too many arguments/],
])('top %j is wrong usage', async (argv, message) => {
  const { code, stdout, stderr } = await command(['top', ...argv]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) as unknown as string });
  if (!argv.includes('--json')) expect(stdout).toBe('');
});

describe('info and doctor', () => {
  test('info has what NVML knows', async () => {
    const { stdout } = await command(['info', 'cuda']);
    expect(stdout.slice(stdout.indexOf('What the GPUs do'))).toMatchSnapshot();
    const { nvml } = JSON.parse((await command(['info', 'cuda', '--json'])).stdout) as { nvml: object };
    expect(nvml).toMatchObject({
      driverVersion: '580.65.06',
      devices: [{ id: 'nvml:0', ecc: true, mig: false, pcie: { generation: 4, width: 8 } }, { id: 'nvml:1' }],
    });
  });

  test('info says of a GPU that is lost what it can', async () => {
    loseSecond();
    const half = (await command(['info', 'cuda'])).stdout;
    expect(half).toMatch(
      /^nvml:1 {2}NVIDIA H100.*\n {2}does not answer +nvmlDeviceGetPowerUsage failed: NVML_ERROR_GPU_IS_LOST$/m,
    );
    expect(half).toMatch(/^ {2}temperature +42 °C$/m);
    useNvml(table);
    for (const routine of Object.keys(table)) {
      if (/^nvmlDeviceGet(?!Count)/.test(routine)) fake.fail.set(routine, 15);
    }
    const { code, stdout } = await command(['info', 'cuda']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nvml:1 {2}nvmlDeviceGetHandleByIndex failed: NVML_ERROR_GPU_IS_LOST$/m);
  });
});
