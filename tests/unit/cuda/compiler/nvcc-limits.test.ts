import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CompileError, Program, type ProgramOptions } from '../../../../src/cuda/index.ts';
import { runChild } from '../../../helpers/child.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { until } from '../../../helpers/until.ts';

// An nvcc that never comes back, as its own tools do of an exponential macro, and one that does not run at all.

withFakeDriver();

const SOURCE = '__global__ void k() {}';
const CODE: ProgramOptions = { compiler: 'nvcc', arch: 'compute_80', cache: false };
const linux = process.platform === 'linux';
let folder: string;
const before = { CUDA_HOME: process.env['CUDA_HOME'], TMPDIR: process.env['TMPDIR'] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rawkernel-slow-nvcc-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'tmp'));
  writeNvcc(`#!/bin/sh
[ "$1" = --version ] && { echo slow; exit 0; }
sleep 1000 &
echo $$ $! > '${join(folder, 'pids')}'
wait
`);
});
beforeEach(() => {
  process.env['CUDA_HOME'] = folder;
  process.env['TMPDIR'] = join(folder, 'tmp');
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function writeNvcc(text: string): void {
  writeFileSync(join(folder, 'bin', 'nvcc'), text);
  chmodSync(join(folder, 'bin', 'nvcc'), 0o755);
}

/** Neither nvcc nor what it has started goes on, and its folder is gone. */
async function leavesNothing(): Promise<void> {
  const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
  expect(pids).toHaveLength(2);
  await until('nvcc and its tools have ended', () => !pids.some(isAlive));
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  rmSync(join(folder, 'pids'));
}

function isAlive(pid: number): boolean {
  // An ended process that was not waited for is still in the list of processes.
  return existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(statusOf(pid));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return 'State: Z';
  }
}

const onLinux = linux ? test : test.skip;

onLinux('a time limit ends nvcc, and what it has started, in a call that blocks', async () => {
  const compile = (): unknown => Program.compile(SOURCE, { ...CODE, timeoutMs: 500 });
  expect(compile).toThrow(CompileError);
  expect(compile).toThrow(/took longer than 500 ms and was ended; the option timeoutMs/);
  await leavesNothing();
});

onLinux('a time limit ends nvcc, and what it has started, in the background', async () => {
  const compiled = Program.compileLater(SOURCE, { ...CODE, timeoutMs: 500 });
  await expect(compiled).rejects.toThrow(/^nvcc could not compile [^]*took longer than 500 ms and was ended/);
  await leavesNothing();
});

onLinux('an AbortSignal ends nvcc, and what it has started, and its reason is the error', async () => {
  const controller = new AbortController();
  const compiled = Program.compileLater(SOURCE, { ...CODE, signal: controller.signal });
  const ended = expect(compiled).rejects.toThrow('enough');
  await until('nvcc runs', () => existsSync(join(folder, 'pids')) && readFileSync(join(folder, 'pids')).length > 3);
  controller.abort(new Error('enough'));
  await ended;
  await leavesNothing();
});

onLinux('an nvcc that does not run is told, also where only its version is asked', async () => {
  const bad = mkdtempSync(join(tmpdir(), 'rawkernel-bad-nvcc-'));
  mkdirSync(join(bad, 'bin'));
  writeFileSync(join(bad, 'bin', 'nvcc'), 'no program');
  try {
    const script = `
      import { Program } from '@/src/cuda/index.ts';
      for (const cache of [true, false]) {
        try {
          Program.compile('', { compiler: 'nvcc', arch: 'compute_80', cache });
        } catch (error) {
          console.log(error.message);
        }
      }`;
    const { stdout } = await runChild(script, { CUDA_HOME: bad, RAWKERNEL_DEVICE: 'gpu' });
    expect(stdout).toMatch(/^(?:nvcc could not be started: spawnSync .*EACCES\n){2}$/);
  } finally {
    rmSync(bad, { recursive: true });
  }
});
