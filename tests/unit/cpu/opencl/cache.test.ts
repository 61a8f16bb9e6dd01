import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withCompileScope } from '../../../../src/core/compile-scope.ts';
import type { OpenCLRequest } from '../../../../src/cpu/compiler/opencl/request.ts';
import { withCache } from '../../../../src/cpu/opencl/cached-compiler.ts';
import type { OpenCLCompiler } from '../../../../src/cpu/opencl/compiler.ts';
import { runBuilt } from '../../../helpers/child.ts';
import { fakeOpenCLCompiler } from '../../../helpers/opencl-kernels.ts';
import { withOwnCache } from '../../../helpers/own-cache.ts';
import { needs } from '../../../helpers/require.ts';

const own = withOwnCache();
let inner: ReturnType<typeof fakeOpenCLCompiler>;
let compiler: OpenCLCompiler;

beforeEach(() => {
  inner = fakeOpenCLCompiler();
  compiler = withCache({
    ...inner,
    options: (text) => ({ ...inner.options(text), includes: [join(own.folder, 'include')] }),
  });
});
afterEach(() => {
  delete process.env['RAWKERNEL_NO_CACHE'];
});

const request = (source: string, more: Partial<OpenCLRequest> = {}): OpenCLRequest => ({
  ...{ language: 'opencl', source, file: '<kernel>', options: '', headers: {}, objects: [], result: 'program' },
  checked: false,
  ...more,
});

test('a compiled program or object is taken from the cache, with its log', () => {
  for (const one of [request('a warning'), request('b', { result: 'object' })]) {
    const first = compiler.compile(one);
    expect(compiler.compile(one)).toEqual(first);
  }
  expect(inner.requests).toHaveLength(2);
});

test('builds of one source at once compile once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => compiler.compileLater(request('a'))));
  expect(inner.requests).toHaveLength(1);
  expect(answers[1]).toEqual(answers[0]);
  await compiler.compileLater(request('a'));
  expect(inner.requests).toHaveLength(1);
});

test('a failure is told each time', async () => {
  for (let i = 0; i < 2; i++) expect(compiler.compile(request('error')).program).toBeUndefined();
  await compiler.compileLater(request('error'));
  expect(inner.requests).toHaveLength(3);
});

test.each<[string, Partial<OpenCLRequest>]>([
  ['other options', { options: '-DX' }],
  ['other headers', { headers: { 'a.h': '' } }],
  ['other objects', { objects: [Uint8Array.of(1)] }],
  ['another result', { result: 'object' }],
  ['other checks', { checked: 'all' }],
])('%s are compiled anew', (_, more) => {
  compiler.compile(request('a'));
  compiler.compile(request('a', more));
  expect(inner.requests).toHaveLength(2);
});

test('a changed header misses the cache, and an unknown header prevents caching', () => {
  mkdirSync(join(own.folder, 'include'));
  for (const text of ['1', '2', '2']) {
    writeFileSync(join(own.folder, 'include', 'a.h'), text);
    compiler.compile(request('#include "a.h"\n'));
  }
  expect(inner.requests).toHaveLength(2);
  for (let i = 0; i < 2; i++) compiler.compile(request('#include WHICH\n'));
  expect(inner.requests).toHaveLength(4);
});

test('RAWKERNEL_NO_CACHE=1, and callers that cache themselves, compile', () => {
  for (let i = 0; i < 2; i++) withCompileScope({ timeoutMs: 0, cache: false }, () => compiler.compile(request('a')));
  process.env['RAWKERNEL_NO_CACHE'] = '1';
  for (let i = 0; i < 2; i++) compiler.compile(request('a'));
  expect(inner.requests).toHaveLength(4);
  expect(readdirSync(own.folder)).toEqual([]);
});

needs.build().test(
  'a program of node-opencl, and of WebCL, compiles in its first run alone',
  async () => {
    const text = `
    import cl from 'rawkernel/node-opencl';
    import { webcl } from 'rawkernel/webcl';
    const source = '__kernel void k(__global int *p) { *p = 7; }';
    const platform = cl.getPlatformIDs().at(-1);
    const [device] = cl.getDeviceIDs(platform, cl.DEVICE_TYPE_ALL);
    const context = cl.createContext([cl.CONTEXT_PLATFORM, platform], [device]);
    const program = cl.createProgramWithSource(context, source);
    cl.buildProgram(program, [device], '');
    const other = webcl.createContext().createProgram(source);
    other.build();
    console.log(cl.getProgramInfo(program, cl.PROGRAM_KERNEL_NAMES), other.createKernelsInProgram().length);
    process.exit();`;
    const env = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CACHE_DIR: join(own.folder, 'cache') };
    const first = await runBuilt(text, env);
    expect(first).toMatchObject({ code: 0, stdout: 'k 1\n' });
    // Nothing compiles within a millisecond.
    expect(await runBuilt(text, { ...env, RAWKERNEL_COMPILE_TIMEOUT_MS: '1' })).toMatchObject({
      code: 0,
      stdout: 'k 1\n',
    });
  },
  60_000,
);
