import { expect, test } from '@jest/globals';
import { compile } from '../../../../src/cuda/compiler/compiler.ts';
import { flagsOf, SOURCE_OPTIONS, type SourceOptions } from '../../../../src/cuda/compiler/source-options.ts';
import { dynamicSourceModule } from '../../../../src/cuda/module/dynamic-module.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { needs } from '../../../helpers/require.ts';

withFakeDriver();

test.each<[SourceOptions, string[]]>([
  [{}, []],
  [{ std: 'c++20' }, ['--std=c++20']],
  [
    { defines: { N: 16, DEBUG: true, OFF: false, 'MIN(a, b)': '((a) < (b) ? (a) : (b))' } },
    ['--define-macro=N=16', '--define-macro=DEBUG', '--define-macro=MIN(a, b)=((a) < (b) ? (a) : (b))'],
  ],
  [{ undefines: ['A', 'B'] }, ['--undefine-macro=A', '--undefine-macro=B']],
  [{ preIncludes: ['a.h'] }, ['--pre-include=a.h']],
  [{ deviceAsDefaultExecutionSpace: true, minimal: false }, ['--device-as-default-execution-space']],
  [
    { debugInfo: true, lineInfo: true, maxRegisters: 32 },
    ['--device-debug', '--generate-line-info', '--maxrregcount=32'],
  ],
  [
    { useFastMath: true, ftz: true, precSqrt: false, precDiv: true, fmad: false },
    ['--use_fast_math', '--ftz=true', '--prec-sqrt=false', '--prec-div=true', '--fmad=false'],
  ],
  [{ ptxasOptions: ['-v'], splitCompile: 0 }, ['--ptxas-options=-v', '--split-compile=0']],
  [{ diagSuppress: [177, 550], diagError: [] }, ['--diag-suppress=177,550']],
  [{ time: '-', fdeviceTimeTrace: 't.json' }, ['--time=-', '--fdevice-time-trace=t.json']],
  [
    { pch: true, pchDir: 'headers', pchVerbose: false, instantiateTemplatesInPch: false },
    ['--pch', '--pch-dir=headers', '--pch-verbose=false', '--instantiate-templates-in-pch=false'],
  ],
  [{ createPch: 'a.pch' }, ['--create-pch=a.pch']],
  [{ usePch: 'a.pch', pchMessages: true }, ['--use-pch=a.pch', '--pch-messages=true']],
])('%j is %j', (options, flags) => {
  expect(flagsOf(options, false)).toEqual(flags);
});

test.each<[SourceOptions, ErrorConstructor, RegExp]>([
  [{ std: '' }, TypeError, /std must be a string that is not empty/],
  [{ usePch: 'a\0b' }, TypeError, /usePch must be .* no NUL/],
  [{ defines: ['N=3'] as never }, TypeError, /defines must be an object: \{ TILE: 16 \}/],
  [{ defines: { '3D': 1 } }, TypeError, /'3D' is not a macro's name/],
  [{ defines: { N: null as never } }, TypeError, /defines\.N must be a string, a number or a boolean, got null/],
  [{ defines: { N: '1\n2' } }, TypeError, /defines\.N must be one line/],
  [{ undefines: 'N' as never }, TypeError, /undefines must be an array of strings/],
  [{ preIncludes: [3] as never }, TypeError, /preIncludes must hold strings/],
  [{ minimal: 1 as never }, TypeError, /minimal must be true or false, got 1/],
  [{ ftz: 'true' as never }, TypeError, /ftz must be true or false/],
  [{ maxRegisters: 0 }, RangeError, /maxRegisters must be an integer from 1 to 255, got 0/],
  [{ splitCompile: 2 ** 40 }, RangeError, /splitCompile must be an integer from 0 to 1024, got 1099511627776/],
  [{ diagWarn: 177 as never }, TypeError, /diagWarn must be an array of numbers/],
  [{ diagError: [1.5] }, RangeError, /diagError must be an integer/],
])('%j is refused', (options, kind, message) => {
  const attempt = (): unknown => flagsOf(options, false);
  expect(attempt).toThrow(kind);
  expect(attempt).toThrow(message);
});

test.each(['pch', 'minimal', 'deviceInt128', 'deviceAsDefaultExecutionSpace'])('nvcc has no %s', (name) => {
  expect(() => flagsOf({ [name]: true }, true)).toThrow(`${name} is NVRTC's: leave compiler: 'nvcc' out`);
  expect(flagsOf({ [name]: undefined }, true)).toEqual([]);
});

test('each option is known once, and by DynamicModule too', () => {
  expect(new Set(SOURCE_OPTIONS).size).toBe(SOURCE_OPTIONS.length);
  expect(() => dynamicSourceModule('', { useFastMath: 1 as never })).toThrow(/useFastMath must be true or false/);
  expect(() => dynamicSourceModule('', { fileName: 'a.cu' } as never)).toThrow(/no option 'fileName'/);
});

needs.nativeNvrtc().describe('with NVRTC', () => {
  const build = (source: string, options: SourceOptions): string =>
    compile(source, { arch: 'compute_80', cache: false, ...options }, () => 80).ptx;

  test('macros and the language reach the compiler', () => {
    const source = '__global__ void k(int *x) { *x = N + __cplusplus / 100; }';
    expect(build(source, { defines: { N: 1 }, std: 'c++14' })).toContain(' 2015;');
  });

  test('functions are for the device by default where that is asked for', () => {
    const source = 'int twice(int x) { return 2 * x; } __global__ void k(int *x) { *x = twice(*x); }';
    expect(build(source, { deviceAsDefaultExecutionSpace: true })).toContain('.entry');
    expect(() => build(source, {})).toThrow(/twice/);
  });

  test('code that no option asks for is left out', () => {
    const source = '__global__ void k(float *x) { *x = sqrtf(*x) * 3 + 1; }';
    expect(build(source, { fmad: false, precSqrt: true })).toMatch(/sqrt\.rn\.f32[^]*mul/);
    expect(build(source, { useFastMath: true })).toMatch(/sqrt\.approx\.ftz\.f32[^]*fma/);
  });
});
