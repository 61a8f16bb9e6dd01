import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { wheelLibraries } from '../../../src/cuda/python-wheels.ts';
import { openLibrary, type LibraryDescription } from '../../../src/ffi/library.ts';

const NVRTC = { linux: 'cuda_nvrtc/lib', win32: 'cuda_nvrtc/bin' };
const linux = process.platform === 'linux' ? test : test.skip;
const VARIABLES = ['VIRTUAL_ENV', 'CONDA_PREFIX', 'PATH', 'HOME'];

const before = new Map(VARIABLES.map((name) => [name, process.env[name]]));
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rawkernel-wheels-'));
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  rmSync(folder, { recursive: true });
});

/** Make a folder below the test's own, with its parents. */
function make(...parts: readonly string[]): string {
  const path = join(folder, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

test('without an environment and without Python there is no folder', () => {
  expect(wheelLibraries(NVRTC)).toEqual([]);
});

linux(
  'a virtual environment comes first: the wheels for CUDA 13, then those for CUDA 12, the newest Python first',
  () => {
    process.env['VIRTUAL_ENV'] = join(folder, 'venv');
    const old = make('venv', 'lib', 'python3.9', 'site-packages', 'nvidia', 'cuda_nvrtc', 'lib');
    const cuda12 = make('venv', 'lib', 'python3.12', 'site-packages', 'nvidia', 'cuda_nvrtc', 'lib');
    const cuda13 = make('venv', 'lib', 'python3.12', 'site-packages', 'nvidia', 'cu13', 'lib');
    make('venv', 'lib', 'python3.12', 'site-packages', 'nvidia', 'nvjitlink', 'lib');
    expect(wheelLibraries(NVRTC)).toEqual([cuda13, cuda12, old]);
  },
);

linux('conda has its own folder too, behind its wheels', () => {
  process.env['CONDA_PREFIX'] = join(folder, 'conda');
  const wheel = make('conda', 'lib', 'python3.11', 'site-packages', 'nvidia', 'cuda_nvrtc', 'lib');
  expect(wheelLibraries(NVRTC)).toEqual([wheel, join(folder, 'conda', 'lib')]);
});

linux('the Python on the PATH, and what the user has installed for it', () => {
  const bin = make('python', 'bin');
  writeFileSync(join(bin, 'python3'), '');
  process.env['PATH'] = [make('empty'), bin].join(delimiter);
  process.env['HOME'] = folder;
  const own = make('.local', 'lib', 'python3.13', 'site-packages', 'nvidia', 'cu13', 'lib');
  const system = make('python', 'lib', 'python3', 'dist-packages', 'nvidia', 'cuda_nvrtc', 'lib');
  expect(wheelLibraries(NVRTC).slice(0, 2)).toEqual([system, own]);
});

linux('a library in a wheel is loaded, and one that cannot be loaded is named', () => {
  const description: LibraryDescription = {
    title: 'a library',
    variable: 'RAWKERNEL_TEST_LIBRARY',
    symbol: 'malloc',
    names: { linux: ['librawkernel-wheel.so'] },
    folders: () => wheelLibraries(NVRTC),
    advice: [],
  };
  process.env['VIRTUAL_ENV'] = folder;
  const file = join(
    make('lib', 'python3.12', 'site-packages', 'nvidia', 'cuda_nvrtc', 'lib'),
    'librawkernel-wheel.so.12',
  );
  writeFileSync(file, 'not a library');
  expect(() => openLibrary(description)).toThrow(`${file}: `);
  const libc = /\S*\/libc\.so\.6$/m.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
  if (libc === undefined) throw new Error('The C library is not among the loaded files');
  copyFileSync(libc, file);
  expect(openLibrary(description).path).toBe(file);
});
