import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ELEMENTS, filled } from '../../../src/cli/run/element-type.ts';
import { readInputFile } from '../../../src/cli/input-file.ts';
import { writeNpy } from '../../../src/cli/run/npy.ts';
import { checkOutputFile, writeOutputFile } from '../../../src/cli/output-file.ts';
import { command } from '../../helpers/command.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const posix = process.platform === 'win32' ? describe.skip : describe;
const hasFull = needs.file('/dev/full');

const SOURCE = '__global__ void twice(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n';
const ARRAY = writeNpy({ kind: ELEMENTS.i32, array: filled(ELEMENTS.i32, 4, 3), shape: [4] });
const cu = at('k.cu');
const npy = at('a.npy');
writeFileSync(cu, SOURCE);
writeFileSync(npy, ARRAY);
// Files with holes, and links: not everywhere.
if (process.platform !== 'win32') makeOddFiles();

const launch = (...rest: string[]): string[] => [
  'run',
  cu,
  'twice',
  '--block',
  '4',
  '--device',
  'cpu',
  ...rest,
  '-a',
  '4',
];
const withArray = (file: string, ...rest: string[]): string[] => launch('-a', file, ...rest);

posix('a file that will not do', () => {
  test.each<[string[], RegExp]>([
    [['compile', at('large.cu')], /large\.cu: 1 GiB are too many for a source, at most 64 MiB/],
    [
      ['run', at('large.ptx'), 'k', '--block', '1'],
      /large\.ptx: 2 GiB are too many for compiled kernels, at most 1 GiB/,
    ],
    [withArray(at('large.npy')), /large\.npy: 128 GiB are too many for an array, at most 64 GiB/],
    [['compile', at('folder.cu')], /folder\.cu: this is a folder, not a file \(EISDIR\)/],
    [withArray(at('folder.npy')), /folder\.npy: this is a folder, not a file/],
    [withArray(`raw:${folder}:i32`), /: this is a folder, not a file/],
    [['compile', at('latin1.cu')], /latin1\.cu: line 2 is not UTF-8: save the file as UTF-8/],
    [['compile', at('utf16.cu')], /utf16\.cu: line 1 is not UTF-8/],
    [['compile', at('nul.cu')], /nul\.cu: line 3 has a NUL byte: this is not text/],
    [['compile', at('circle.cu')], /circle\.cu: its links form a cycle \(ELOOP\)/],
    [['compile', `${cu}/k.cu`], /k\.cu: a part of the path is not a folder \(ENOTDIR\)/],
    [
      ['compile', cu, '--wasm', '-o', cu],
      /-o .*k\.cu is an input of this command and would be overwritten; use another file/,
    ],
    [['compile', cu, '--wasm', '-o', at('same.wasm')], /k\.cu is an input of this command/],
    [withArray(npy, '--save', `x=${npy}`), /--save x=.*a\.npy is an input of this command/],
    [withArray(npy, '--save', `x=${at('same.npy')}`), /a\.npy is an input of this command/],
    [withArray(`raw:${npy}:i32`, '--save', `x=${npy}`), /a\.npy is an input of this command/],
    [withArray(npy, '--save', `x=${cu}`), /k\.cu is an input of this command/],
    [withArray(npy, '--save', `x=${at('y')}`, '--save', `x=${folder}/./y`), /another --save writes this file/],
    [withArray(npy, '--save', `x=${at('none/y.npy')}`), /there is no folder .*none: create it first/],
  ])('%j names the file, and nothing is lost', async (argv, message) => {
    const { code, stderr } = await command(argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) as unknown as string });
    expect(stderr).not.toMatch(/^\s+at /m);
    expect([readFileSync(cu, 'utf8'), new Uint8Array(readFileSync(npy))]).toEqual([SOURCE, new Uint8Array(ARRAY)]);
  });
});

posix('what is not a file', () => {
  test('a device is not read to its end, which it may not have', () => {
    expect(() => readInputFile('/dev/zero', 8, 'a source')).toThrow('/dev/zero: this is a device, not a file');
  });

  test('a pipe is read, and no more of it than is wanted', () => {
    const sizes = [0, 1, 2 ** 16, 2 ** 16 + 1, 300_000];
    const writers = [...sizes.map((size) => `head -c ${size} /dev/zero`), 'yes'];
    const lines = writers.map((writer, i) => `mkfifo pipe${i} && { ${writer} > pipe${i} & }`);
    expect(spawnSync('sh', ['-c', lines.join('\n')], { cwd: folder, stdio: 'ignore' }).status).toBe(0);
    expect(sizes.map((_, i) => readInputFile(at(`pipe${i}`), 2 ** 20, 'a source').length)).toEqual(sizes);
    expect(() => readInputFile(at(`pipe${sizes.length}`), 100_000, 'a source')).toThrow(
      /pipe5: more than .* at most 97\.7 KiB/,
    );
  });

  test('what the system makes up has no size, and is read', () => {
    if (process.platform !== 'linux') return;
    expect(readInputFile('/proc/self/status', 2 ** 20, 'a source').length).toBeGreaterThan(100);
  });
});

posix('what is written', () => {
  test('takes the place of a file when it is whole, with its mode, through a link', () => {
    const target = at('result');
    writeFileSync(target, 'before');
    chmodSync(target, 0o640);
    symlinkSync(target, at('link'));
    writeOutputFile(at('link'), Buffer.from('after'), '-o link');
    expect(readFileSync(target, 'utf8')).toBe('after');
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readlinkSync(at('link'))).toBe(target);
    symlinkSync(at('later'), at('link2'));
    writeOutputFile(at('link2'), Buffer.from('new'), '-o link2');
    expect([readFileSync(at('later'), 'utf8'), readlinkSync(at('link2'))]).toEqual(['new', at('later')]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.rawkernel'))).toEqual([]);
  });

  test('a file that cannot be finished leaves what was there', () => {
    const target = at('kept');
    writeFileSync(target, 'before');
    const broken = new Uint8Array(8);
    structuredClone(broken.buffer, { transfer: [broken.buffer] });
    const content = new Proxy(broken, {}) as Uint8Array;
    expect(() => writeOutputFile(target, content, '-o kept')).toThrow(/^-o kept: /);
    expect(readFileSync(target, 'utf8')).toBe('before');
    expect(readdirSync(folder).filter((name) => name.startsWith('.rawkernel'))).toEqual([]);
  });

  (process.getuid?.() === 0 ? test.skip : test)('a file without permission is refused before the work', () => {
    const target = at('read-only');
    writeFileSync(target, '');
    chmodSync(target, 0o444);
    expect(() => checkOutputFile(target, '-o read-only', [])).toThrow('-o read-only: permission is missing (EACCES)');
  });

  hasFull.test('a full disk is the failure of the work', async () => {
    const { code, stderr } = await command(['compile', cu, '--wasm', '-o', '/dev/full']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: -o /dev/full: no space is left on the disk (ENOSPC)\n',
    });
    const saved = await command(withArray(npy, '--save', 'x=/dev/full'));
    expect(saved).toMatchObject({
      code: 1,
      stderr: 'error: --save x=/dev/full: no space is left on the disk (ENOSPC)\n',
    });
  });

  test('what a device takes is not replaced by a file', async () => {
    expect((await command(withArray(npy, '--save', 'x=/dev/null'))).code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

const main = join(root, 'dist', 'cli', 'main.js');
const shell = (line: string): SpawnSyncReturns<string> =>
  spawnSync('sh', ['-c', line.replaceAll('rawkernel', `"${process.execPath}" "${main}"`)], {
    cwd: folder,
    encoding: 'utf8',
  });

(needs.build().missing === undefined ? posix : describe.skip)('the built command', () => {
  hasFull.test('a full disk behind stdout', () => {
    for (const words of ['help', 'run k.cu twice --block 4 --device cpu -a zeros:4:i32 -a 4 --json']) {
      const { status, stderr } = shell(`rawkernel ${words} > /dev/full`);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: 'error: stdout: no space is left on the disk (ENOSPC)\n',
      });
    }
  });

  test('a source through a pipe', () => {
    const { status, stdout, stderr } = shell('cat k.cu | rawkernel compile /dev/stdin --language cuda --device cpu');
    expect({ status, stderr, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('twice(int *x, int n)') as unknown as string,
    });
  });

  test('SIGINT ends a kernel that does not end, and nothing is written', async () => {
    writeFileSync(at('endless.cu'), '__global__ void k(int *x) { while (((volatile int *)x)[0] == 0); }\n');
    const cache = at('cache');
    const argv = ['run', 'endless.cu', 'k', '--block', '1', '-a', 'zeros:1:i32', '--save', 'x=never.npy'];
    const env = { ...process.env, RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CACHE_DIR: cache };
    const child = spawn(process.execPath, [main, ...argv], { cwd: folder, env, stdio: 'ignore' });
    const ended = once(child, 'close');
    // What is kept is compiled; then comes the launch.
    while (child.exitCode === null && !isThere(cache)) await setTimeout(20);
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(readdirSync(folder).filter((name) => /never|\.rawkernel/.test(name))).toEqual([]);
  });
});

function makeOddFiles(): void {
  writeFileSync(at('large.cu'), '');
  truncateSync(at('large.cu'), 2 ** 30);
  writeFileSync(at('large.ptx'), '');
  truncateSync(at('large.ptx'), 2 ** 31);
  writeFileSync(at('large.npy'), '');
  truncateSync(at('large.npy'), 2 ** 37);
  writeFileSync(at('latin1.cu'), Buffer.from(`// fine\n// Gr\xf6\xdfe\n${SOURCE}`, 'latin1'));
  writeFileSync(at('utf16.cu'), Buffer.from(`\ufeff${SOURCE}`, 'utf16le'));
  writeFileSync(at('nul.cu'), `\n\n\0${SOURCE}`);
  mkdirSync(at('folder.cu'));
  mkdirSync(at('folder.npy'));
  symlinkSync(cu, at('same.wasm'));
  linkSync(npy, at('same.npy'));
  symlinkSync(at('circle.cu'), at('circle.cu'));
}

function isThere(cache: string): boolean {
  return existsSync(cache) && readdirSync(cache, { recursive: true }).length > 1;
}
