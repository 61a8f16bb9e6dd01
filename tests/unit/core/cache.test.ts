import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { cacheEnabled, cacheKey, cacheRead, cacheWrite } from '../../../src/core/cache.ts';
import { cacheFolder } from '../../../src/core/cache-folder.ts';
import { HEADER } from '../../../src/core/cache-entry.ts';
import { runChild } from '../../helpers/child.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const ENV = ['RAWKERNEL_CACHE_DIR', 'RAWKERNEL_NO_CACHE', 'RAWKERNEL_CACHE_MAX_BYTES'];
const before = ENV.map((name) => process.env[name]);
const root = mkdtempSync(join(tmpdir(), 'rawkernel-cache-'));
/** The folder that the variable names, and the cache's own inside it. */
let outer: string;
let folder: string;
let count = 0;

beforeEach(() => {
  outer = join(root, `run-${count++}`, 'kernels');
  folder = join(outer, 'rawkernel-2');
  process.env['RAWKERNEL_CACHE_DIR'] = outer;
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});
afterEach(() => {
  ENV.forEach((name, i) => {
    if (before[i] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[i];
  });
});

const key = (name: string): string => cacheKey({ name });
const bytes = (size: number, value = 1): Uint8Array => new Uint8Array(size).fill(value);
const age = (name: string, seconds: number): void => {
  const then = Date.now() / 1000 - seconds;
  utimesSync(join(folder, key(name)), then, then);
};

test('cacheRead() gives the parts of cacheWrite() back', () => {
  cacheWrite(key('a'), [Buffer.from('code'), new Uint8Array(0), Uint8Array.of(0, 10, 255)]);
  expect(cacheRead(key('a'))?.map((part) => [...part])).toEqual([[...Buffer.from('code')], [], [0, 10, 255]]);
});

test('cacheRead() of an unknown key is undefined', () => {
  expect(cacheRead(key('unknown'))).toBeUndefined();
});

test('cacheWrite() replaces an entry', () => {
  cacheWrite(key('a'), [bytes(1, 1)]);
  cacheWrite(key('a'), [bytes(1, 2)]);
  expect(cacheRead(key('a'))?.[0]?.[0]).toBe(2);
  expect(readdirSync(folder)).toHaveLength(1);
});

test.each([
  ['cut off', (whole: Buffer) => whole.subarray(0, whole.length - 1)],
  ['longer', (whole: Buffer) => Buffer.concat([whole, Buffer.from('x')])],
  ['empty', () => Buffer.alloc(0)],
  ['cut off in its header', (whole: Buffer) => whole.subarray(0, 5)],
  ['changed in one bit', (whole: Buffer) => Buffer.from(whole.map((byte, i) => (i === 60 ? byte ^ 1 : byte)))],
])('cacheRead() removes an entry that is %s', (_, damage) => {
  cacheWrite(key('a'), [bytes(100)]);
  const path = join(folder, key('a'));
  writeFileSync(path, damage(readFileSync(path)));
  expect(cacheRead(key('a'))).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test('cacheKey() depends on each part and its name', () => {
  const keys = [
    cacheKey({ a: 'x', b: 'y' }),
    cacheKey({ a: 'xy', b: '' }),
    cacheKey({ a: 'x', c: 'y' }),
    cacheKey({ a: 'x', b: ['y'] }),
    cacheKey({ a: 'x', b: ['y', ''] }),
    cacheKey({ a: 'x' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(cacheKey({ b: 'y', a: 'x' })).toBe(keys[0]);
});

test("cacheFolder() is the user's without RAWKERNEL_CACHE_DIR", () => {
  delete process.env['RAWKERNEL_CACHE_DIR'];
  expect(cacheFolder()).toMatch(/rawkernel.*kernels$/);
});

test.each([
  ['1', false],
  ['true', false],
  ['YES', false],
  ['0', true],
  ['', true],
])('RAWKERNEL_NO_CACHE=%s means cacheEnabled() = %p', (value, enabled) => {
  process.env['RAWKERNEL_NO_CACHE'] = value;
  expect(cacheEnabled()).toBe(enabled);
});

test('RAWKERNEL_NO_CACHE=1 neither reads nor writes', () => {
  cacheWrite(key('a'), [bytes(1)]);
  process.env['RAWKERNEL_NO_CACHE'] = '1';
  cacheWrite(key('b'), [bytes(1)]);
  expect(cacheRead(key('a'))).toBeUndefined();
  delete process.env['RAWKERNEL_NO_CACHE'];
  expect(cacheRead(key('a'))).toBeDefined();
  expect(cacheRead(key('b'))).toBeUndefined();
});

test('cacheWrite() keeps the folder and the files to the user', () => {
  if (process.platform === 'win32') return;
  cacheWrite(key('a'), [bytes(1)]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, key('a'))).mode & 0o777).toBe(0o600);
});

test('cacheWrite() evicts what was used longest ago when the folder is full', () => {
  process.env['RAWKERNEL_CACHE_MAX_BYTES'] = '3500';
  ['a', 'b', 'c'].forEach((name, i) => {
    cacheWrite(key(name), [bytes(1000)]);
    age(name, 100 - i);
  });
  // Reading makes `a` the most recently used.
  cacheRead(key('a'));
  cacheWrite(key('d'), [bytes(1000)]);
  const kept = ['a', 'b', 'c', 'd'].filter((name) => cacheRead(key(name)) !== undefined);
  expect(kept).toEqual(['a', 'c', 'd']);
});

test('cacheWrite() removes temporary files of dead processes, not those of living ones', () => {
  process.env['RAWKERNEL_CACHE_MAX_BYTES'] = '1500';
  mkdirSync(folder, { recursive: true });
  const [old, young, begun] = ['11111111', '22222222', '33333333'].map((end) => `${key('b')}.1.${end}.tmp`);
  for (const name of [old, young]) writeFileSync(join(folder, name ?? ''), HEADER);
  writeFileSync(join(folder, begun ?? ''), '');
  for (const name of [old, begun]) utimesSync(join(folder, name ?? ''), 1, 1);
  cacheWrite(key('a'), [bytes(1000)]);
  expect(readdirSync(folder).sort()).toEqual([key('a'), young].sort());
});

test('cacheWrite() warns once where it cannot write, and goes on', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  process.env['RAWKERNEL_CACHE_DIR'] = join(file, 'kernels');
  const warnings = expectWarnings('RAWKERNEL_CACHE');
  cacheWrite(key('a'), [bytes(1)]);
  cacheWrite(key('b'), [bytes(1)]);
  expect(cacheRead(key('a'))).toBeUndefined();
  await new Promise(setImmediate);
  expect(warnings.map(String)).toEqual([
    expect.stringMatching(/Compiled kernels are not kept: Error: E\w+:.*; RAWKERNEL_NO_CACHE=1 silences this/),
  ]);
});

test('cacheWrite() of four processes at once leaves a whole entry each time', async () => {
  const script = `
    import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
    import { cacheKey, cacheRead, cacheWrite } from '@/src/core/cache.ts';
    import { cacheFolder } from '@/src/core/cache-folder.ts';
    const key = cacheKey({ name: 'shared' });
    const { ME } = process.env;
    const part = new Uint8Array(50_000).fill(Number(ME));
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    writeFileSync(cacheFolder() + '/../' + ME, '');
    while (!['1', '2', '3', '4'].every((one) => existsSync(cacheFolder() + '/../' + one))) { /* begin together */ }
    let misses = 0;
    for (let i = 0; i < 50; i++) {
      cacheWrite(key, [part]);
      const [read] = cacheRead(key) ?? [];
      if (!read || read.length !== part.length || read.some((byte) => byte !== read[0])) misses++;
    }
    console.log(misses);`;
  const ended = await Promise.all(
    ['1', '2', '3', '4'].map((ME) => runChild(script, { ME, RAWKERNEL_CACHE_DIR: outer })),
  );
  expect(ended).toEqual(Array(4).fill({ code: 0, signal: null, stdout: '0\n', stderr: '' }));
  expect(readdirSync(folder)).toHaveLength(1);
}, 30_000);
