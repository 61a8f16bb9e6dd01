import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { jobOf, jobText } from '../../../src/cli/top/job-of.ts';
import { processRows } from '../../../src/cli/top/processes.ts';
import { needs } from '../../helpers/require.ts';
import { until } from '../../helpers/until.ts';

const proc = mkdtempSync(join(tmpdir(), 'rawkernel-proc-'));
afterAll(() => rmSync(proc, { recursive: true }));

const TORCHRUN = ['RANK=2', 'WORLD_SIZE=4', 'LOCAL_RANK=0', 'MASTER_ADDR=h', 'MASTER_PORT=1', 'ODD', 'TEXT=a=b'];

/** A process as Linux shows it. */
function shown(pid: number, env: readonly string[], argv: readonly string[]): number {
  mkdirSync(join(proc, String(pid)));
  for (const [name, parts] of Object.entries({ environ: env, cmdline: argv })) {
    writeFileSync(join(proc, String(pid), name), parts.map((part) => `${part}\0`).join(''));
  }
  return pid;
}

test.each<[readonly string[], string]>([
  [['node', '/home/me/train.ts', '--epochs', '3'], 'train.ts'],
  [['node', '--expose-gc', '--import', 'file:///tsx.mjs', '--require', '/pre.cjs', 'a/b.mjs'], 'b.mjs'],
  [['/usr/bin/python3', '-u', 'train.py'], 'train.py'],
  [['/opt/train'], 'train'],
])('%j is shown as %s', (argv, program) => {
  const pid = shown(1000 + argv.length, TORCHRUN, argv);
  const job = jobOf(pid, proc);
  expect(job).toEqual({ program, rank: 2, size: 4 });
  expect(job && jobText(job)).toBe(`${program} rank 2/4`);
});

test('a process without a launcher, of another user, or that has ended keeps its name', () => {
  expect(jobOf(shown(1, ['PATH=/bin'], ['node', 'x.js']), proc)).toBeUndefined();
  expect(jobOf(shown(2, ['RANK=5', 'WORLD_SIZE=2'], ['node', 'x.js']), proc)).toBeUndefined();
  expect(jobOf(3, proc)).toBeUndefined();
});

test('top has the rank in the place of the name', () => {
  const process = { pid: 7, name: '/usr/bin/node', kinds: ['compute'], usedBytes: 1024, smPercent: 5 };
  const job = { program: 'train.ts', rank: 1, size: 2 };
  const gpu = (more: object): never => ({ index: 0, processes: [{ ...process, ...more }] }) as never;
  expect(processRows([gpu({ job })])).toEqual([['0', '7', 'compute', '5 %', expect.any(String), 'train.ts rank 1/2']]);
  expect(processRows([gpu({})])[0]?.[5]).toBe('/usr/bin/node');
});

needs.file('/proc/self/environ').test('a process that runs', async () => {
  const env = Object.fromEntries(TORCHRUN.map((entry) => entry.split('=', 2) as [string, string]));
  const child = spawn(process.execPath, ['--no-warnings', '-'], { env: { ...process.env, ...env }, stdio: 'pipe' });
  try {
    // Between fork and exec a process still has what its parent has.
    await until('it is a rank', () => jobOf(child.pid ?? 0) !== undefined);
    expect(jobOf(child.pid ?? 0)).toMatchObject({ rank: 2, size: 4 });
  } finally {
    child.kill('SIGKILL');
  }
});
