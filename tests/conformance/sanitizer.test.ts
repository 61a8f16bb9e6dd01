import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';
import { broken } from './cpu/broken/all.ts';
import { both } from './sanitizer/both.ts';
import { readOutput, toolOf } from './sanitizer/tools.ts';

describe('what compute-sanitizer prints', () => {
  test('of memcheck', () => {
    const said = readOutput(
      'memcheck',
      `========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at fill(int *, int)+0x70 in kernel.cu:5
=========     by thread (4,0,0) in block (3,0,0)
=========     Access at 0x7f5c4a600190 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f5c4a600000 of size 400 bytes
=========
CudaLaunchError: cuCtxSynchronize failed: CUDA_ERROR_LAUNCH_FAILED
========= ERROR SUMMARY: 1 error
`,
    );
    expect(said).toEqual({ report: 'Invalid __global__ write of size 4 bytes', lines: [5], rest: undefined });
  });

  test('of racecheck', () => {
    const said = readOutput(
      'racecheck',
      `========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at rotate_left(int *)+0x90 in kernel.cu:5
=========     and Read access at rotate_left(int *)+0xb0 in kernel.cu:7 [64 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
`,
    );
    expect(said).toEqual({ report: 'Error: Race reported between Write access', lines: [5, 7], rest: undefined });
  });

  test('of initcheck and of synccheck', () => {
    const read = readOutput(
      'initcheck',
      '========= Uninitialized __global__ memory read of size 4 bytes\n=========     at f()+0x50 in kernel.cu:3\n',
    );
    expect(read).toMatchObject({ report: 'Uninitialized __global__ memory read of size 4 bytes', lines: [3] });
    const barrier = readOutput(
      'synccheck',
      '========= Barrier error detected. Divergent thread(s) in block\n=========     at f()+0x50 in kernel.cu:7\n',
    );
    expect(barrier).toMatchObject({ report: 'Barrier error detected. Divergent thread(s) in block', lines: [7] });
  });

  test('where it found nothing, or only that a launch failed', () => {
    const summary = '========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n';
    expect(readOutput('memcheck', summary)).toEqual({ report: undefined, lines: [], rest: undefined });
    const failed = '========= Error: process did not terminate successfully\n========= ERROR SUMMARY: 0 errors\n';
    expect(readOutput('memcheck', failed).rest).toBe('Error: process did not terminate successfully');
  });
});

test('the kernels that both find are there, with some for each tool', () => {
  const kinds = both.map((name) => broken.find((one) => one.name === name)?.finding);
  expect(kinds).not.toContain(undefined);
  expect(new Set(kinds.map((kind) => kind && toolOf[kind])).size).toBe(4);
});

const posix = process.platform === 'win32' ? describe.skip : describe;
posix('npm run test:sanitizer', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rawkernel-sanitizer-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Run it with a compute-sanitizer that is this shell script. */
  function runWith(
    script: string | undefined,
    ...args: string[]
  ): { readonly code: number | null; readonly stdout: string } {
    const program = join(folder, 'compute-sanitizer');
    if (script === undefined) rmSync(program, { force: true });
    else {
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
    }
    const path = [folder, ...(process.env['PATH'] ?? '').split(delimiter)].join(delimiter);
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(root, 'tests/conformance/sanitizer/run.ts'), ...args],
      { cwd: root, encoding: 'utf8', env: { ...process.env, PATH: path, CUDA_HOME: '', CUDA_PATH: '' } },
    );
    return { code: status, stdout };
  }

  test('prints what each tool said beside what is said here', () => {
    const { code, stdout } = runWith(
      `echo "$@" >> '${folder}/calls'
echo "========= Invalid __global__ write of size 4 bytes"
echo "=========     at fill(int *, int)+0x70 in kernel.cu:5"
exit 9`,
      'write-one-past-the-end',
    );
    expect(stdout).toMatch(
      /`write-one-past-the-end` +\| out-of-bounds +\| 5 +\| memcheck +\| Invalid __global__ write of size 4 bytes +\| 5 /,
    );
    expect(stdout).toMatch(/out-of-bounds +\| memcheck +\| 1 +\| 1 +\| 1 /);
    expect(code).toBe(0);
  });

  test('fails where a tool misses what it is known to find', () => {
    const { code, stdout } = runWith('echo "========= ERROR SUMMARY: 0 errors"', 'race-write-then-read');
    expect(stdout).toContain('not reported by compute-sanitizer: race-write-then-read');
    expect(code).toBe(1);
  });

  test('says why a kernel was not run', () => {
    const { code, stdout } = runWith('echo "no GPU" >&2; exit 3', 'no-guard-at-all');
    expect(stdout).toContain('no-guard-at-all: not run, exit code 3: no GPU');
    expect(code).toBe(1);
  });
});
