import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readLimits, withCompileScope } from '../../../../src/core/compile-scope.ts';
import { compileCudaLater, compileOpenCL } from '../../../../src/cpu/compiler/client.ts';
import type { OpenCLRequest } from '../../../../src/cpu/compiler/opencl/request.ts';
import { Program } from '../../../../src/cuda/module/program.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { cpuNvrtc } from '../../../../src/cpu/nvrtc-table.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { NULL } from '../../../../src/ffi/ctype.ts';
import { compileText } from '../../../helpers/cpu-program.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const TIMEOUT = 60_000;
const FINE = '__global__ void fine(int *p) { *p = 1; }';
/** Twice as long with each line. */
const DOUBLING = `#define A0 1\n${Array.from({ length: 40 }, (_, i) => `#define A${i + 1} A${i} + A${i}\n`).join('')}`;
const TOO_MUCH = /^error: the compiler stopped \(.*\): the source is too deep or too large for it; nest brackets/m;
const TOO_LONG = /error: the compilation took longer than (\d+) ms and was ended; the option timeoutMs or RAWKERNEL_/;
const request = (source: string) =>
  ({ source, file: 'kernel.cu', options: [], expressions: [], includes: [], checked: false }) as const;
const openCL = (source: string): OpenCLRequest => ({
  ...{ language: 'opencl', source, file: '<kernel>', options: '', headers: {}, objects: [], result: 'program' },
  checked: false,
});

withFakeDriver();

test(
  'sources over which the compiler falls are errors of the source, and the next one compiles',
  () => {
    const deep = [
      `*p = ${'('.repeat(20_000)}1${')'.repeat(20_000)};`,
      `${'{'.repeat(20_000)}${'}'.repeat(20_000)}`,
      `*p = ${'1 + '.repeat(50_000)}*p;`,
    ];
    for (const body of deep) {
      expect(compileText(`__global__ void k(int *p) { ${body} }`).log).toMatch(TOO_MUCH);
      expect(compileOpenCL(openCL(`__kernel void k(__global int *p) { ${body} }`)).log).toMatch(TOO_MUCH);
    }
    const endless = 'template <int n> struct T { static const int v = T<n + 1>::v; };';
    expect(compileText(`${endless} __global__ void k(int *p) { *p = T<0>::v; }`).log).toMatch(TOO_MUCH);
    expect(compileText(FINE).program).toBeDefined();
  },
  TIMEOUT,
);

test(
  'a compilation that blocks ends at its limit, for both languages, and the next one compiles',
  () => {
    const scope = { timeoutMs: 300, cache: false };
    const cuda = withCompileScope(scope, () => compileText(`${DOUBLING}__global__ void k(int *p) { *p = A40; }`));
    expect(TOO_LONG.exec(cuda.log)?.[1]).toBe('300');
    const cl = withCompileScope(scope, () =>
      compileOpenCL(openCL(`${DOUBLING}__kernel void k(__global int *p) { *p = A40; }`)),
    );
    expect(TOO_LONG.exec(cl.log)?.[1]).toBe('300');
    expect(compileText(FINE).program).toBeDefined();
  },
  TIMEOUT,
);

test(
  'an aborted compilation ends with the reason, and those behind it compile',
  async () => {
    const controller = new AbortController();
    const scope = { timeoutMs: 0, signal: controller.signal, cache: false };
    const [first, second] = withCompileScope(scope, () => [
      compileCudaLater(request(`${DOUBLING}__global__ void k(int *p) { *p = A40; }`)),
      compileCudaLater(request(FINE)),
    ]);
    const third = compileCudaLater(request(FINE));
    const reason = new Error('changed my mind');
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(second).rejects.toBe(reason);
    await expect(third).resolves.toMatchObject({ program: expect.anything() as unknown });
  },
  TIMEOUT,
);

const signal = new AbortController().signal;

test.each<[string, object, boolean, RegExp]>([
  ['a time that is not a number', { timeoutMs: '5' }, false, /TypeError: x: timeoutMs must be a number/],
  ['a negative time', { timeoutMs: -1 }, false, /RangeError: x: timeoutMs must be an integer from 0 to 2147483647/],
  ['a time beyond timers', { timeoutMs: 2 ** 31 }, true, /RangeError: x: timeoutMs must be/],
  ['what is not a signal', { signal: {} }, false, /TypeError: x: signal must be an AbortSignal, got an Object/],
  ['a signal where the call blocks', { signal }, true, /TypeError: x: signal is for compilations that do not block/],
])('readLimits() refuses %s', (_, limits, blocking, message) => {
  let error: unknown;
  try {
    readLimits(limits, 'x', blocking);
  } catch (caught) {
    error = caught;
  }
  expect(String(error)).toMatch(message);
});

test('RAWKERNEL_COMPILE_TIMEOUT_MS is the limit where none is given, else five minutes', () => {
  expect(readLimits({}, 'x', true).timeoutMs).toBe(300_000);
  process.env['RAWKERNEL_COMPILE_TIMEOUT_MS'] = '1234';
  try {
    expect(readLimits({}, 'x', true).timeoutMs).toBe(1234);
    expect(readLimits({ timeoutMs: 0 }, 'x', true).timeoutMs).toBe(0);
  } finally {
    delete process.env['RAWKERNEL_COMPILE_TIMEOUT_MS'];
  }
});

/** An NVRTC whose compilations end when they are let, and how many of its programs are there. */
function heldNvrtc(): { readonly letGo: () => void; readonly programs: () => number } {
  let letGo = (): void => undefined;
  let programs = 0;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const answer = { log: 'error: nothing' };
  const base = cpuNvrtc({ compile: () => answer, compileLater: () => held.then(() => answer) });
  useTables({
    nvrtc: {
      ...base,
      nvrtcCreateProgram: (out, source, file) => {
        programs++;
        return base.nvrtcCreateProgram(out, source, file, 0, NULL, NULL);
      },
      nvrtcDestroyProgram: (slot) => {
        programs--;
        return base.nvrtcDestroyProgram(slot);
      },
    },
  });
  return { letGo, programs: () => programs };
}

describe('a compiler that cannot be ended', () => {
  const options = { arch: 'compute_80', cache: false };
  afterEach(() => useTables({ nvrtc: undefined }));

  test('rejects with the reason of the abort, and its program is destroyed when it has finished', async () => {
    const { letGo, programs } = heldNvrtc();
    const controller = new AbortController();
    const work = Program.compileLater(FINE, { ...options, signal: controller.signal });
    controller.abort('enough');
    await expect(work).rejects.toBe('enough');
    expect(programs()).toBe(1);
    letGo();
    await setImmediate();
    expect(programs()).toBe(0);
    await expect(Program.compileLater(FINE, { ...options, signal: controller.signal })).rejects.toBe('enough');
  });

  test('is given up at the limit with a CompileError', async () => {
    const { letGo, programs } = heldNvrtc();
    const work = Program.compileLater(FINE, { ...options, timeoutMs: 1 });
    await expect(work).rejects.toThrow(CompileError);
    await expect(work).rejects.toThrow(TOO_LONG);
    letGo();
    await setImmediate();
    expect(programs()).toBe(0);
  });
});
