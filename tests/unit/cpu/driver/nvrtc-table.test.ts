import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeProgram, type CpuProgram } from '../../../../src/cpu/abi/program.ts';
import type { CompileAnswer, CompileRequest } from '../../../../src/cpu/compiler/request.ts';
import { cpuNvrtc } from '../../../../src/cpu/nvrtc-table.ts';
import { compile, compileLater } from '../../../../src/cuda/compiler/compiler.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { parsePtx } from '../../../../src/cuda/compiler/ptx.ts';
import { useTables } from '../../../../src/cuda/select.ts';

const PROGRAM: CpuProgram = {
  wasm: Uint8Array.of(0, 97, 115, 109),
  kernels: [
    {
      symbol: '_Z3addPfi',
      parameters: [
        { offset: 0, size: 8, ptx: 'u64' },
        { offset: 8, size: 4, ptx: 'u32' },
      ],
      argumentBytes: 12,
      contextBytes: 0,
      contextFixed: 0,
      sharedBytes: 0,
      maxThreads: 1024,
      barriers: 0,
    },
  ],
  variables: [],
  lowered: { 'scale<float>': '_Z5scaleIfEvPT_' },
  sites: [],
  arch: 'sm_90',
  checked: false,
  source: 'a source',
  file: 'kernel.cu',
};

const requests: CompileRequest[] = [];
let answer: CompileAnswer = { program: PROGRAM, log: '' };
const compiler = {
  compile: (request: CompileRequest): CompileAnswer => {
    requests.push(request);
    return answer;
  },
  compileLater: (request: CompileRequest): Promise<CompileAnswer> => Promise.resolve(compiler.compile(request)),
};
const OPTIONS = { cache: false, arch: 'sm_90' };

const device = process.env['RAWKERNEL_DEVICE'];
beforeAll(() => {
  process.env['RAWKERNEL_DEVICE'] = 'cpu';
  useTables({ nvrtc: cpuNvrtc(compiler) });
});
afterAll(() => {
  useTables({ nvrtc: undefined });
  if (device === undefined) delete process.env['RAWKERNEL_DEVICE'];
  else process.env['RAWKERNEL_DEVICE'] = device;
});

test('a source becomes an image of the embedded device, with PTX that names its kernels', () => {
  const { code, ptx, lowered } = compile('a source', { ...OPTIONS, nameExpressions: ['scale<float>'] }, () => 90);
  expect(decodeProgram(code)?.kernels[0]?.symbol).toBe('_Z3addPfi');
  expect(parsePtx(ptx).entries.map(({ symbol }) => symbol)).toEqual(['_Z3addPfi']);
  expect(lowered).toEqual({ 'scale<float>': '_Z5scaleIfEvPT_' });
});

test('PTX, asked for by its architecture, is an image too', () => {
  const { code } = compile('a source', { ...OPTIONS, arch: 'compute_80' }, () => 90);
  expect(decodeProgram(code)?.kernels).toHaveLength(1);
});

test('an architecture of no device has PTX and no machine code', () => {
  const table = cpuNvrtc(compiler);
  const slot = new BigUint64Array(1);
  const size = (arch: string): bigint => {
    answer = { program: { ...PROGRAM, arch }, log: '' };
    table.nvrtcCreateProgram(slot, 'a source', 'kernel.cu', 0, 0n, 0n);
    const program = slot[0] as Parameters<typeof table.nvrtcCompileProgram>[0];
    table.nvrtcCompileProgram(program, 0, 0n);
    table.nvrtcGetCUBINSize(program, slot);
    return slot[0] ?? -1n;
  };
  expect(size('compute_80')).toBe(0n);
  expect(size('sm_90')).toBeGreaterThan(0n);
});

test('options and include folders reach the compiler apart', () => {
  compile('a source', { ...OPTIONS, includeDirs: ['/a'], options: ['-I', '/b', '-I/c', '-DN=3'] }, () => 90);
  const { includes, options, file } = requests.at(-1) as CompileRequest;
  expect(includes.filter((folder) => folder.length === 2)).toEqual(['/a', '/b', '/c']);
  expect(options).toContain('-DN=3');
  expect(file).toBe('kernel.cu');
});

test('what does not compile is a CompileError with the line', () => {
  answer = { log: "kernel.cu:2:3: error: use of undeclared identifier 'x'" };
  const build = (): unknown => compile('void f() {\n  x;\n}', OPTIONS, () => 90);
  expect(build).toThrow(CompileError);
  expect(build).toThrow(/kernel\.cu:2:3: use of undeclared identifier 'x'/);
});

test('compiling without blocking goes to the same compiler', async () => {
  answer = { program: PROGRAM, log: '' };
  const { code } = await compileLater('a source', OPTIONS, () => 90);
  expect(decodeProgram(code)).toBeDefined();
});
