import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import koffi from 'koffi';
import { LibraryNotFoundError } from '../../../src/core/errors.ts';
import { isAbsent, namedFile, openLibrary, type LibraryDescription } from '../../../src/ffi/library.ts';
import { runChild } from '../../helpers/child.ts';

const VARIABLE = 'RAWKERNEL_TEST_LIBRARY';
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-library-'));
const description: LibraryDescription = {
  title: 'the test library',
  variable: VARIABLE,
  symbol: 'malloc',
  names: { linux: ['libc.so.6'], darwin: ['libSystem.B.dylib'], win32: ['msvcrt.dll'] },
  advice: ['install it', 'or build it'],
};
const nowhere: LibraryDescription = { ...description, names: { linux: ['librawkernel-a.so.1', 'librawkernel-b.so'] } };

afterEach(() => {
  Reflect.deleteProperty(process.env, VARIABLE);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function failure(open: () => unknown): LibraryNotFoundError {
  try {
    open();
  } catch (error) {
    if (error instanceof LibraryNotFoundError) return error;
    throw error;
  }
  throw new Error('It was found');
}

/** Where this process has its C library, on Linux. */
function loadedLibc(): string | undefined {
  if (!existsSync('/proc/self/maps')) return undefined;
  return /\S*\/libc\.so\.6$/m.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
}

test('openLibrary() takes the first name that the loader knows', () => {
  expect(['libc.so.6', 'libSystem.B.dylib', 'msvcrt.dll']).toContain(openLibrary(description).path);
});

test('openLibrary() lists every place tried, each with the reason', () => {
  const { tried } = failure(() => openLibrary(nowhere, 'linux'));
  expect(tried).toHaveLength(2);
  expect(tried[0]).toMatch(/^librawkernel-a\.so\.1: .*(cannot open|not (be )?found|no such file)/i);
  expect(tried[1]).toMatch(/^librawkernel-b\.so: /);
});

test('openLibrary() says what to do: the advice, and the override', () => {
  const { message, code } = failure(() => openLibrary(nowhere, 'linux'));
  expect(code).toBe('ERR_RAWKERNEL_LIBRARY_NOT_FOUND');
  expect(message).toMatch(/^Could not load the test library\nTried:\n {2}- librawkernel-a/);
  expect(message).toMatch(
    /What to do:\n {2}- install it\n {2}- or build it\n {2}- or set RAWKERNEL_TEST_LIBRARY to the file$/,
  );
});

test('openLibrary() tries the override alone', () => {
  process.env[VARIABLE] = '/nowhere/lib.so';
  const { tried } = failure(() => openLibrary(description));
  expect(tried).toHaveLength(1);
  expect(tried[0]).toMatch(/^\/nowhere\/lib\.so: /);
});

test('openLibrary() opens the override', () => {
  const { path } = openLibrary(description);
  process.env[VARIABLE] = path;
  expect(openLibrary(nowhere).path).toBe(path);
});

test('openLibrary() ignores an empty override', () => {
  process.env[VARIABLE] = '';
  expect(openLibrary(description).path).not.toBe('');
});

test("openLibrary() finds nothing where the override is 'none', as if nothing were installed", () => {
  process.env[VARIABLE] = 'none';
  const error = failure(() => openLibrary(description));
  expect(error.tried).toEqual(['RAWKERNEL_TEST_LIBRARY is none']);
  expect(isAbsent(error)).toBe(true);
  expect(namedFile(description)).toBeUndefined();
});

test('openLibrary() tells a file that is not a library from a missing file', () => {
  const file = join(folder, 'text.so');
  writeFileSync(file, 'not a library');
  process.env[VARIABLE] = file;
  const broken = failure(() => openLibrary(description));
  const why = process.platform === 'win32' ? '' : '.*(invalid ELF|file too short|not a|slice is not valid)';
  expect(broken.tried[0]).toMatch(new RegExp(`text\\.so: ${why}`, 'i'));
  process.env[VARIABLE] = join(folder, 'nowhere.so');
  const absent = failure(() => openLibrary(description));
  expect([isAbsent(broken), isAbsent(absent)]).toEqual([false, true]);
});

test('openLibrary() says so when a platform has no names', () => {
  const { tried } = failure(() => openLibrary(nowhere, 'aix'));
  expect(tried).toEqual(['no file name is known for aix']);
});

test('openLibrary() looks in the folders after the loader, at names with a version too', () => {
  const there = join(folder, 'lib');
  mkdirSync(there);
  for (const name of ['librawkernel-b.so.12', 'librawkernel-bad.so', 'other.so']) writeFileSync(join(there, name), 'x');
  const folders = (): string[] => [join(folder, 'absent'), there];
  const { tried } = failure(() => openLibrary({ ...nowhere, folders }, 'linux'));
  expect(tried.map((line) => line.split(': ')[0])).toEqual([
    'librawkernel-a.so.1',
    'librawkernel-b.so',
    join(there, 'librawkernel-b.so.12'),
  ]);
});

const libc = loadedLibc();
(libc === undefined ? test.skip : test)('openLibrary() opens what it finds in a folder', () => {
  const there = join(folder, 'found');
  mkdirSync(there);
  copyFileSync(libc ?? '', join(there, 'librawkernel-b.so.2'));
  expect(openLibrary({ ...nowhere, folders: () => [there] }, 'linux').path).toBe(join(there, 'librawkernel-b.so.2'));
});

test('openLibrary() takes no library that lacks the function which every version has', () => {
  const { tried } = failure(() => openLibrary({ ...description, symbol: 'rawkernel_nowhere' }));
  expect(tried.at(0)).toMatch(/: this is another library, without rawkernel_nowhere$/);
});

test('a missing function that the version is asked by is one error', () => {
  const library = openLibrary(description);
  const find = (): unknown => library.find('rawkernel_nowhere', koffi.types.int, []);
  library.describeVersion(() => String(find()));
  expect(find).toThrow(/^rawkernel_nowhere is not in the test library \(/);
});

test('a library path that is not a driver is an error that names the file', async () => {
  const another = openLibrary(description).path;
  const { stdout, stderr } = await runChild(
    `
    import * as cuda from '@/src/cuda/index.ts';
    import * as nvml from '@/src/nvml/index.ts';
    import * as opencl from '@/src/opencl/index.ts';
    const uses = {
      LIBCUDA: () => cuda.Device.count(),
      LIBNVRTC: () => cuda.Program.compile('__global__ void nothing() {}', { arch: 'sm_50', cache: false }),
      LIBNVJITLINK: () => new cuda.Linker({ backend: 'nvjitlink', options: ['-arch=sm_90'] }).addData('.version 8.0').link(),
      LIBNVVM: () => cuda.Program.fromNvvm('; nothing', { arch: 'compute_90' }),
      LIBNVTX: () => cuda.nvtx.mark('x'),
      LIBOPENCL: () => opencl.getPlatforms(),
      LIBNVML: () => new nvml.Device(0),
    };
    const said = {};
    for (const [name, use] of Object.entries(uses)) {
      try {
        said[name] = String(use());
      } catch (error) {
        said[name] = [error.code ?? error.name, ...(error.tried ?? [error.message])].join(' ');
      }
    }
    console.log(JSON.stringify({ said, found: cuda.findLibraries().map(({ path }) => path ?? null) }));`,
    Object.fromEntries([
      ['RAWKERNEL_DEVICE', 'gpu'],
      ...['CUDA', 'NVRTC', 'NVJITLINK', 'NVVM', 'NVTX', 'OPENCL', 'NVML'].map((name) => [
        `RAWKERNEL_LIB${name}`,
        another,
      ]),
    ]) as Record<string, string>,
  );
  expect(stderr).toBe('');
  const { said, found } = JSON.parse(stdout) as { said: Record<string, string>; found: unknown[] };
  const answer = expect.stringMatching(/^ERR_RAWKERNEL_LIBRARY_NOT_FOUND .*: this is another library, without \w+$/);
  const names = ['LIBCUDA', 'LIBNVRTC', 'LIBNVJITLINK', 'LIBNVVM', 'LIBNVTX', 'LIBOPENCL', 'LIBNVML'];
  expect(said).toEqual(Object.fromEntries(names.map((name) => [name, answer])));
  expect(found).toEqual([null, null, null, null, null]);
}, 30_000);
