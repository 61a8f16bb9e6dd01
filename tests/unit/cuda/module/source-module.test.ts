import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { cacheWrite } from '../../../../src/core/cache.ts';
import { ClosedError, LibraryNotFoundError } from '../../../../src/core/errors.ts';
import type { SourceOptions } from '../../../../src/cuda/compiler/source-options.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { nvrtc, useTables } from '../../../../src/cuda/select.ts';
import { contextOf } from '../../../../src/cuda/module/module.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { runChild } from '../../../helpers/child.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { withOwnCache } from '../../../helpers/own-cache.ts';
import { needs } from '../../../helpers/require.ts';

const root = mkdtempSync(join(tmpdir(), 'rawkernel-source-'));
const PTX: SourceOptions = { arch: 'compute_80' };
const WRONG = '__global__ void k(int *x) {\n  *x = yy;\n}';

const fake = withFakeDriver();
const own = withOwnCache();

afterAll(() => {
  rmSync(root, { recursive: true });
});
afterEach(() => {
  delete process.env['RAWKERNEL_LIBNVRTC'];
});

function compileError(source: string, options: SourceOptions): CompileError {
  try {
    new SourceModule(source, options).close();
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('It compiled');
}

/** How often `run` calls NVRTC's compiler. */
function compilations(run: () => void): number {
  const real = nvrtc();
  let count = 0;
  const nvrtcCompileProgram: typeof real.nvrtcCompileProgram = (...args) => {
    count++;
    return real.nvrtcCompileProgram(...args);
  };
  useTables({ nvrtc: Object.create(real, { nvrtcCompileProgram: { value: nvrtcCompileProgram } }) as typeof real });
  try {
    run();
  } finally {
    useTables({ nvrtc: real });
  }
  return count;
}

needs.nativeNvrtc().describe('SourceModule with NVRTC', () => {
  test('an error shows the line and a caret', () => {
    const error = compileError(WRONG, PTX);
    expect(error.message).toMatch(
      /^NVRTC could not compile kernel\.cu\nkernel\.cu:2:8: identifier "yy" is undefined\n {2}1 \| .*\n> 2 \| {3}\*x = yy;\n {4}\| {8}\^\n {2}3 \| \}\n {2}options .*--gpu-architecture=compute_80/,
    );
    expect(error.diagnostics).toEqual([
      { severity: 'error', message: 'identifier "yy" is undefined', file: 'kernel.cu', line: 2, column: 8 },
    ]);
    expect([error.source, error.log.includes('1 error detected')]).toEqual([WRONG, true]);
  });

  test('an error creates nothing', () => {
    const live = fake.live.module;
    compileError(WRONG, PTX);
    expect(fake.live.module).toBe(live);
  });

  test('fileName names the source in messages', () => {
    expect(compileError(WRONG, { ...PTX, fileName: 'mine.cu' }).message).toMatch(/mine\.cu:2:8: identifier/);
  });

  test('an error in a header names the header', () => {
    writeFileSync(join(root, 'broken.h'), 'int broken(;\n');
    const error = compileError('#include "broken.h"\n', { ...PTX, includeDirs: [root] });
    expect(error.message).toMatch(/broken\.h:1/);
    expect(error.diagnostics[0]?.file).toMatch(/broken\.h$/);
  });

  test('a header that is nowhere is an error with its line', () => {
    expect(compileError('\n#include "nowhere.h"\n', PTX).message).toMatch(
      /kernel\.cu:2.*nowhere\.h[^]*> 2 \| #include/,
    );
  });

  test('a wrong option is an error that names it', () => {
    expect(compileError('', { ...PTX, options: ['--no-such-option'] }).message).toMatch(/no-such-option/);
  });

  test('options reach the compiler', () => {
    using module = new SourceModule('__global__ void NAME() {}', { ...PTX, options: ['-DNAME=given'] });
    expect(module.kernels).toEqual(['given()']);
  });

  test('a language standard among the options replaces ours', () => {
    const error = compileError(WRONG, { ...PTX, options: ['-std=c++14'] });
    expect(error.options.filter((option) => option.includes('std='))).toEqual(['-std=c++14']);
  });

  test('warnings are in the log', () => {
    using module = new SourceModule('__global__ void k() { int unused; }', { ...PTX, cache: false });
    expect(module.log).toMatch(/kernel\.cu\(1\): warning/);
  });

  test("the device's own architecture is taken without arch", () => {
    using module = new SourceModule('__global__ void k() {}');
    expect(module.ptx).toMatch(/\.target sm_80/);
  });

  test('ptx, source and kernels are kept', () => {
    const source = '__global__ void one(int *x) {} extern "C" __global__ void two(float y) {}';
    using module = new SourceModule(source, PTX);
    expect(module.source).toBe(source);
    expect(module.ptx).toMatch(/\.entry _Z3onePi/);
    expect(module.kernels.sort()).toEqual(['one(int *x)', 'two(float y)']);
  });

  test('headers of includeDirs are found, and a change of one is seen', () => {
    const folder = join(root, 'include');
    mkdirSync(folder);
    const entries = ['one', 'two', 'one'].map((name) => {
      writeFileSync(join(folder, 'name.h'), `#define NAME ${name}\n`);
      using module = new SourceModule('#include "name.h"\n__global__ void NAME() {}', {
        ...PTX,
        includeDirs: [folder],
      });
      return module.kernels[0];
    });
    expect(entries).toEqual(['one()', 'two()', 'one()']);
  });

  test("a header beside the source's name is found, and a change of it is seen", () => {
    const folder = join(root, 'beside');
    mkdirSync(folder);
    const entries = ['one', 'two'].map((name) => {
      writeFileSync(join(folder, 'name.h'), `#define NAME ${name}\n`);
      const fileName = join(folder, 'kernel.cu');
      using module = new SourceModule('#include "name.h"\n__global__ void NAME() {}', { ...PTX, fileName });
      return module.kernels[0];
    });
    expect(entries).toEqual(['one()', 'two()']);
  });

  test('a second module of the same source does not call the compiler', () => {
    const source = '__global__ void cached_once(int *x) { *x = 1; }';
    const build = (options: SourceOptions = PTX): void => {
      new SourceModule(source, options).close();
    };
    expect(compilations(build)).toBe(1);
    expect(compilations(build)).toBe(0);
  });

  test.each<[string, SourceOptions]>([
    ['other options', { options: ['-DX'] }],
    ['another target', { arch: 'compute_75' }],
    ['another name', { fileName: 'other.cu' }],
    ['other name expressions', { nameExpressions: ['t<int>'] }],
    ['cache: false', { cache: false }],
  ])('%s are compiled anew', (_, options) => {
    const source = '__global__ void keyed(int *x) {} template <typename T> __global__ void t(T *x) {}';
    new SourceModule(source, PTX).close();
    expect(
      compilations(() => {
        new SourceModule(source, { ...PTX, ...options }).close();
      }),
    ).toBe(1);
  });

  test.each<[string, string[]]>([
    ['no parts', []],
    ['too few parts', ['code', '.version 8.0']],
    ['no JSON', ['code', '', 'x']],
    ['null', ['code', '', 'null']],
    ['no names', ['code', '', '{"log":""}']],
    ['names that are not texts', ['code', '', '{"log":"","lowered":{"a":5}}']],
    ['no log', ['code', '', '{"lowered":{}}']],
  ])('an entry of the cache with %s is compiled anew', (name, parts) => {
    const source = `// ${name}\n__global__ void odd(int *x) {}`;
    new SourceModule(source, PTX).close();
    const [key = ''] = readdirSync(join(own.folder, 'cache', 'rawkernel-2'));
    cacheWrite(
      key,
      parts.map((part) => Buffer.from(part)),
    );
    using module = new SourceModule(source, PTX);
    expect(module.kernels).toEqual(['odd(int *x)']);
  });

  test('a failure is not kept', () => {
    expect(compilations(() => compileError(WRONG, PTX))).toBe(1);
  });

  test('a source that computes an include is not kept', () => {
    writeFileSync(join(root, 'computed.h'), '');
    const source = '#define H "computed.h"\n#include H\n__global__ void computed() {}';
    const build = (): void => {
      new SourceModule(source, { ...PTX, includeDirs: [root] }).close();
    };
    build();
    expect(compilations(build)).toBe(1);
  });

  test('a template of the cache has its names', () => {
    const source = 'template <typename T> __global__ void scale(T *x) {}';
    for (let i = 0; i < 2; i++) {
      using module = new SourceModule(source, { ...PTX, nameExpressions: ['scale<double>'] });
      expect(module.getFunction('scale<double>').signature).toBe('scale<double>(double *x)');
    }
  });

  test('an instance that does not exist is a CompileError', () => {
    using module = new SourceModule('template <int N> __global__ void t(int *x) {}', PTX);
    expect(() => module.getFunction('t<undefined_name>')).toThrow(CompileError);
  });

  test('closing closes the instances too', () => {
    const module = new SourceModule('template <typename T> __global__ void scale(T *x) {}', PTX);
    const scale = module.getFunction('scale<float>');
    expect(fake.live.module).toBe(2);
    module.close();
    expect(fake.live.module).toBe(0);
    expect(() => {
      scale(0n, { block: 1 });
    }).toThrow(ClosedError);
    expect(() => module.getFunction('scale<double>')).toThrow(ClosedError);
  });
});

needs.nativeNvrtc().describe('SourceModule.compile()', () => {
  test('does not block', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const module = await SourceModule.compile('__global__ void later(int *x) {}', { ...PTX, cache: false });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    expect(module.kernels).toEqual(['later(int *x)']);
    module.close();
  });

  test('compiles several at once', async () => {
    const modules = await Promise.all(
      [1, 2, 3].map((i) => SourceModule.compile(`__global__ void k${i}() {}`, { ...PTX, cache: false })),
    );
    expect(modules.map((module) => module.kernels[0])).toEqual(['k1()', 'k2()', 'k3()']);
    for (const module of modules) module.close();
  });

  test('rejects with the CompileError', async () => {
    await expect(SourceModule.compile(WRONG, PTX)).rejects.toThrow(CompileError);
  });

  test.each([
    [5, {}],
    ['', { arch: 'ampere' }],
    ['', { compiler: 'gcc' }],
  ])('rejects (%p, %p)', async (source, options) => {
    await expect(SourceModule.compile(source as never, options as never)).rejects.toThrow(TypeError);
  });

  test('loads into the context that was current when it was called', async () => {
    const before = Context.current;
    const own = new Context(new Device(0), { own: true });
    const promise = SourceModule.compile('__global__ void k() {}', { ...PTX, cache: false });
    before?.makeCurrent();
    const module = await promise;
    expect(contextOf(module, 'test').value).toBe(own.handle);
    module.close();
    own.close();
    expect([Context.current, fake.live.context]).toEqual([before, 0]);
  });
});

describe('SourceModule refuses', () => {
  test.each<[string, unknown, unknown, RegExp]>([
    ['a source that is not a string', 5, {}, /A kernel's source must be a string, got 5/],
    ['a source with NUL', 'a\0b', {}, /must not contain a NUL character/],
    ['an unknown option', '', { include: [] }, /SourceModule has no option 'include'; it knows compiler, options/],
    ['options that are null', '', null, /options object, got null/],
    ['an unknown compiler', '', { compiler: 'gcc' }, /compiler must be 'nvrtc' or 'nvcc'/],
    ['an unknown target', '', { arch: 'sm90' }, /arch must be 'sm_NN' or 'compute_NN'/],
    ['options as one string', '', { options: '-O3' }, /options must be an array of strings/],
    ['an option that is not a string', '', { options: [3] }, /options must hold strings, got 3/],
    ['an option with NUL', '', { options: ['-DX=1\0-DY'] }, /options must not contain a NUL/],
    ['folders as one string', '', { includeDirs: '/x' }, /includeDirs must be an array of strings/],
    ['names that are not strings', '', { nameExpressions: [null] }, /nameExpressions must hold strings, got null/],
    ['a file name that is none', '', { fileName: 5 }, /fileName must/],
    ['a file name with NUL', '', { fileName: 'a\0.cu' }, /fileName must/],
  ])('%s', (_, source, options, message) => {
    const build = (): unknown => new SourceModule(source as never, options as never);
    expect(build).toThrow(TypeError);
    expect(build).toThrow(message);
  });
});

test('a compiler that is not installed is a LibraryNotFoundError', () => {
  process.env['RAWKERNEL_LIBNVRTC'] = '/nowhere/libnvrtc.so';
  useTables({ nvrtc: undefined });
  const build = (): unknown => new SourceModule('', PTX);
  expect(build).toThrow(LibraryNotFoundError);
  expect(build).toThrow(/Could not load NVRTC[^]*\/nowhere\/libnvrtc\.so: [^]*compiler: 'nvcc'[^]*RAWKERNEL_LIBNVRTC/);
});

needs.nativeNvrtc().test(
  'two processes that compile the same kernel at once both succeed',
  async () => {
    const script = `
    import { compile } from '@/src/cuda/compiler/compiler.ts';
    const { code } = compile('__global__ void shared_kernel(int *x) { *x = 1; }', { arch: 'compute_80' }, () => 80);
    console.log(code.length);`;
    const ended = await Promise.all([1, 2].map(() => runChild(script, { RAWKERNEL_DEVICE: 'gpu' })));
    for (const { code, stdout, stderr } of ended)
      expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' });
    expect(ended[0]?.stdout).toBe(ended[1]?.stdout);
    expect(readdirSync(join(own.folder, 'cache'))).toHaveLength(1);
  },
  30_000,
);
