import { afterEach, expect, test } from '@jest/globals';
import type { NvvmOptions } from '../../../../src/cuda/compiler/nvvm.ts';
import { Program } from '../../../../src/cuda/module/program.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import type { NvvmTable } from '../../../../src/cuda/libraries/nvvm/table.ts';
import { functions as nvvmFunctions } from '../../../../src/cuda/libraries/nvvm/functions.ts';
import { readText } from '../../../../src/ffi/memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { SINE } from '../../../helpers/nvvm-ir.ts';
import { needs } from '../../../helpers/require.ts';
import { strictTable } from '../../../helpers/strict-table.ts';

const PTX = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a) { ret; }\n';
const BITCODE = Uint8Array.of(0x42, 0x43, 0xc0, 0xde, 0, 0, 0, 1);
const fake = withFakeDriver();
let calls: unknown[][] = [];

afterEach(() => {
  useTables({ nvvm: undefined });
});

/** A libNVVM that notes what it is given; `fail` names the routine that fails, with the log that it leaves. */
function compiler(fail?: string, log = '', status = 9): void {
  calls = [];
  const answer = (name: string, ...args: unknown[]): number => {
    calls.push([name, ...args]);
    return fail === name ? status : 0;
  };
  const put = (out: unknown, value: bigint): number => {
    (out as BigUint64Array)[0] = value;
    return 0;
  };
  const fill = (out: unknown, text: string): number => {
    (out as Uint8Array).set(Buffer.from(`${text}\0`));
    return 0;
  };
  const flags = (count: number, list: BigUint64Array): string[] => [...list.subarray(0, count)].map(readText);
  const add = (name: string) => (_program: bigint, bytes: Uint8Array, size: number, module: string) =>
    answer(name, Buffer.from(bytes).toString('latin1', 0, size).slice(0, 8), module);
  const table = strictTable(
    nvvmFunctions,
    {
      nvvmCreateProgram: (out: unknown) => {
        if (fail !== 'create') put(out, 0x77n);
        return answer('create');
      },
      nvvmDestroyProgram: () => answer('destroy'),
      nvvmAddModuleToProgram: add('add'),
      nvvmLazyAddModuleToProgram: add('lazy'),
      nvvmVerifyProgram: (_program: bigint, count: number, list: BigUint64Array) =>
        answer('verify', ...flags(count, list)),
      nvvmCompileProgram: () => answer('compile'),
      nvvmGetCompiledResultSize: (_program: bigint, out: unknown) => {
        put(out, BigInt(PTX.length + 1));
        return answer('size');
      },
      nvvmGetCompiledResult: (_program: bigint, out: unknown) => fill(out, PTX),
      nvvmGetProgramLogSize: (_program: bigint, out: unknown) => put(out, BigInt(log === '' ? 0 : log.length + 1)),
      nvvmGetProgramLog: (_program: bigint, out: unknown) => fill(out, log),
    },
    'libNVVM',
  ) as NvvmTable;
  useTables({ nvvm: table, driver: fake.table });
}

test('modules are read, verified and compiled with the options, and the program is destroyed', () => {
  compiler();
  const program = Program.fromNvvm(['define a', BITCODE], {
    arch: 'compute_90',
    name: 'mine.ll',
    lazyModules: [BITCODE.buffer],
    optimize: false,
    debugInfo: true,
    ftz: true,
    precSqrt: false,
    fmad: false,
    options: ['-jump-table-density=50'],
  });
  expect(program).toMatchObject({ kind: 'ptx', arch: 'compute_90', ptx: PTX, log: '' });
  expect(calls).toEqual([
    ['create'],
    ['add', 'define a', 'mine.ll'],
    ['add', 'BC\xc0\xde\0\0\0\x01', 'mine.ll'],
    ['lazy', 'BC\xc0\xde\0\0\0\x01', 'mine.ll'],
    ['verify', '-arch=compute_90', '-opt=0', '-g', '-ftz=1', '-prec-sqrt=0', '-fma=0', '-jump-table-density=50'],
    ['compile'],
    ['size'],
    ['destroy'],
  ]);
  using module = program.toModule();
  expect(module.kernels).toEqual(['k']);
});

test("the target is the current device's by default, and LTO IR is not PTX", () => {
  compiler();
  const program = Program.fromNvvm('define', { output: 'ltoir' });
  expect(program).toMatchObject({ kind: 'ltoir', arch: 'compute_80', ptx: '' });
  expect(calls[2]).toEqual(['verify', '-arch=compute_80', '-gen-lto']);
});

test.each([
  ['create', 'begin with'],
  ['add', 'read'],
  ['lazy', 'read what is linked to'],
  ['verify', 'verify'],
  ['compile', 'compile'],
  ['size', 'give'],
])('a %s that fails is a CompileError with the log, and nothing stays', (routine, what) => {
  const build = (): unknown => Program.fromNvvm('define @k', { name: 'mine.ll', lazyModules: [BITCODE] });
  compiler(routine, 'mine.ll (1, 9): expected type');
  expect(build).toThrow(CompileError);
  expect(build).toThrow(`libNVVM could not ${what} mine.ll\n`);
  if (routine === 'create') return;
  expect(build).toThrow(/expected type\n {2}options -arch=compute_80/);
  expect(calls.at(-1)).toEqual(['destroy']);
});

test('without a log the status is named', () => {
  compiler('compile', '', 3);
  expect(() => Program.fromNvvm('define')).toThrow(/NVVM_ERROR_IR_VERSION_MISMATCH/);
  compiler('compile', '', 99);
  expect(() => Program.fromNvvm('define')).toThrow(/libNVVM answered 99/);
});

test.each<[string, unknown, NvvmOptions | undefined, ErrorConstructor]>([
  ['a number', 3, {}, TypeError],
  ['no module', [], {}, RangeError],
  ['an empty text', ' ', {}, RangeError],
  ['empty bytes', new Uint8Array(0), {}, RangeError],
  ['machine code', 'x', { arch: 'sm_90' }, TypeError],
  ['an unknown output', 'x', { output: 'cubin' as never }, TypeError],
  ['an unknown option', 'x', { fma: true } as never, TypeError],
  ['a switch that is a number', 'x', { ftz: 1 as never }, TypeError],
  ['a NUL in an option', 'x', { options: ['-g\0'] }, TypeError],
  ['a NUL in the name', 'x', { name: 'a\0' }, TypeError],
  ['lazy modules that are not a list', 'x', { lazyModules: BITCODE as never }, TypeError],
  ['a lazy module that is text', 'x', { lazyModules: ['x' as never] }, TypeError],
])('%s is refused', (_, ir, options, kind) => {
  compiler();
  expect(() => Program.fromNvvm(ir as string, options)).toThrow(kind);
  expect(calls).toEqual([]);
});

needs.nvvm().describe('libNVVM', () => {
  const options = { arch: 'compute_80' } as const;

  test('compiles a kernel to PTX, with what it uses of libdevice', () => {
    const { ptx } = Program.fromNvvm(SINE, { ...options, libdevice: true });
    expect(ptx).toMatch(/\.visible \.entry sine\(/);
    expect(ptx).not.toMatch(/\.func .*__nv_/);
    expect(Program.fromNvvm(SINE, options).ptx).toContain('__nv_sinf');
  });

  test('makes LTO IR', () => {
    const program = Program.fromNvvm(SINE, { ...options, libdevice: true, output: 'ltoir' });
    expect([program.kind, program.code.length > 1000]).toEqual(['ltoir', true]);
  });

  test('says where a module is wrong', () => {
    expect(() => Program.fromNvvm('define void @k() { ret }', { ...options, name: 'mine.ll' })).toThrow(
      /could not verify mine\.ll\n.*mine\.ll \(1, /,
    );
  });

  test('says what it thinks of an option', () => {
    expect(() => Program.fromNvvm(SINE, { ...options, options: ['-nope'] })).toThrow(/-nope is an unsupported option/);
  });
});
