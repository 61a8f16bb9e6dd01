import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  beginBuild,
  changedSources,
  compiledFolder,
  endBuild,
  removeStale,
  staleness,
} from '../helpers/build-record.js';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Write a source; `ahead` is how much later than now it says that it was written. */
function write(file: string, text: string, ahead = 0): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  const time = Date.now() / 1000 + ahead;
  utimesSync(join(folder, file), time, time);
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const file of ['src/cuda/a.ts', 'src/cpu/b.ts', 'kernels/cpu/c.h']) write(file, 'before', -10);
  beginBuild(folder);
  mkdirSync(join(folder, 'dist', 'cpu'), { recursive: true });
});

test('a build of these sources is good, in a copy of the repository too', () => {
  endBuild(folder);
  expect(changedSources(folder)).toEqual({ all: [], workers: [] });
  write('src/cpu/b.ts', 'before', 60);
  expect(changedSources(folder)).toEqual({ all: [], workers: [] });
});

test('a source that was changed, came or went is named, also if that was while the build ran', () => {
  write('src/cuda/a.ts', 'after', 60);
  endBuild(folder);
  expect(changedSources(folder)).toEqual({ all: ['src/cuda/a.ts'], workers: [] });
  write('src/cpu/new.ts', 'new', -5);
  rmSync(join(folder, 'kernels/cpu/c.h'));
  const { all, workers } = changedSources(folder);
  expect(all.sort()).toEqual(['kernels/cpu/c.h', 'src/cpu/new.ts', 'src/cuda/a.ts']);
  expect(workers.sort()).toEqual(['kernels/cpu/c.h', 'src/cpu/new.ts']);
  expect(staleness(workers)).toBe('dist is older than src (kernels/cpu/c.h and 1 more): run npm run build first');
});

test('a build that says nothing of its sources is not trusted; where there is none, there is nothing to say', () => {
  expect(staleness(changedSources(folder).all)).toBe('dist is older than src (all of them): run npm run build first');
  rmSync(join(folder, 'dist'), { recursive: true });
  expect(staleness(changedSources(folder).all)).toBeUndefined();
});

test('a build removes what an earlier one has compiled and left, and nothing else', () => {
  const made = ['chunks/core.js', 'chunks/core.js.map', 'cuda/index.js', 'cuda/index.d.ts', 'modules/cuda/a.js'];
  const others = ['cpu/prebuilt/x.wasm', 'cpu/build-sources', 'cpu/build-state'];
  const stale = ['chunks/gone.js', 'chunks/gone.js.map', 'gone/deep/c.js', 'gone/deep/c.d.ts', 'modules/cuda/old.js'];
  for (const file of [...made, ...others, ...stale]) write(`dist/${file}`, 'built');
  expect(removeStale(made, folder).sort()).toEqual([...stale].sort());
  const isThere = (file: string): boolean => existsSync(join(folder, 'dist', file));
  expect([...made, ...others].every(isThere)).toBe(true);
  expect([...stale, 'gone/deep', 'gone'].some(isThere)).toBe(false);
  mkdirSync(compiledFolder(folder), { recursive: true });
  beginBuild(folder);
  expect(existsSync(compiledFolder(folder))).toBe(false);
});
