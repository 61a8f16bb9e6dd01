import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readAssemblerLog, withoutAssemblerLog } from '../../../src/cli/compile/kernel-row.ts';
import { readNpy } from '../../../src/cli/run/npy.ts';
import { liveObjects } from '../../../src/core/handle.ts';
import { command, type CommandEnd } from '../../helpers/command.ts';
import { needs } from '../../helpers/require.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-kernels-'));
const cu = join(folder, 'saxpy.cu');
const cl = join(folder, 'add.cl');
const bad = join(folder, 'bad.cu');
writeFileSync(
  cu,
  `__global__ void saxpy(float a, const float *x, float *y, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i] + SHIFT;
}
__global__ void lanes(float4 v, float *sum) { sum[0] = v.x + v.y + v.z + v.w; }
__global__ void wide(long long v, long long *out) { out[0] = v; }
template <typename T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
`,
);
writeFileSync(
  cl,
  `__kernel void add(__global const int *a, __global int *b, __local int *scratch)
{
  const int i = get_global_id(0), t = get_local_id(0);
  scratch[t] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] += scratch[get_local_size(0) - 1 - t];
}
`,
);
writeFileSync(bad, '__global__ void broken(int *x) { x[0] = ; }\n');
afterAll(() => rmSync(folder, { recursive: true }));

const cuda = needs.gpu().missing === undefined ? needs.nvrtc() : needs.cuda();
const built = needs.build();
const { describe } = built.missing === undefined ? cuda : built;

const run = (kernel: string, ...rest: string[]): Promise<CommandEnd> =>
  command(['run', cu, kernel, '-DSHIFT=0', ...rest]);
const SAXPY = ['--block', '64', '--grid', '2', '-a', '2', '-a', 'range:0:100:f32', '-a', 'ones:100:f32', '-a', '100'];

describe('run, CUDA', () => {
  test('prints what came out', async () => {
    const before = liveObjects();
    const { code, stdout } = await run('saxpy', ...SAXPY, '--out', 'y', '--limit', '10');
    expect(code).toBe(0);
    expect(stdout.replace(/ on .*/, '')).toMatchInlineSnapshot(`
"saxpy(float a, const float *x, float *y, int n)
y  f32[100]
   1  3  5  7  9 11 13 15
  17 19
  ... 90 more (--limit 0: all)
"
`);
    expect(liveObjects()).toEqual(before);
  });

  test('saves as .npy and as it is; a macro goes to the compiler', async () => {
    const [npy, raw] = [join(folder, 'y.npy'), join(folder, 'y.bin')];
    const saves = ['--save', `2=${npy}`, '--save', `y=${raw}`];
    const { code, stdout } = await command(['run', cu, 'saxpy', '-D', 'SHIFT=1', ...SAXPY, ...saves]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`2 is in ${npy}\n`) as unknown as string,
    });
    const { array, shape } = readNpy(readFileSync(npy));
    expect(shape).toEqual([100]);
    expect(array).toEqual(Float32Array.from({ length: 100 }, (_, i) => 2 * i + 2));
    expect(new Uint8Array(readFileSync(raw))).toEqual(new Uint8Array(array.buffer));
    const again = await run('twice<float>', '--block', '100', '-a', npy, '--out', '0', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      outputs: [{ argument: expect.anything() as unknown, type: 'f32' }],
    });
  });

  test('vectors and 64-bit integers arrive whole', async () => {
    const lanes = await run('lanes', '--block', '1', '-a', '1,2,3,4', '-a', 'zeros:1:f32', '--out', 'sum', '--json');
    expect(JSON.parse(lanes.stdout)).toMatchObject({ outputs: [{ argument: 'sum', data: [10] }] });
    const wide = await run(
      'wide',
      '--block',
      '1',
      '-a',
      '-9223372036854775807',
      '-a',
      'zeros:1:i64',
      '--out',
      '1',
      '--json',
    );
    expect(JSON.parse(wide.stdout)).toMatchObject({ outputs: [{ data: ['-9223372036854775807'] }] });
  });

  test('--time measures, and what is printed is of the first launch', async () => {
    const { stdout } = await run('saxpy', ...SAXPY, '--time', '--repeat', '3', '--out', 'y', '--json');
    const { outputs, times } = JSON.parse(stdout) as {
      outputs: [{ data: number[] }];
      times: { launches: number; minMs: number; medianMs: number; maxMs: number };
    };
    expect(outputs[0].data.slice(0, 3)).toEqual([1, 3, 5]);
    expect(times.launches).toBe(3);
    expect(times.minMs).toBeGreaterThanOrEqual(0);
    expect(times.maxMs).toBeGreaterThanOrEqual(times.medianMs);
    expect((await run('saxpy', ...SAXPY, '--time')).stdout).toMatch(/^time {2}median [\d.]+ ms, min .* of 10$/m);
  });

  test.each<[string, string[], RegExp]>([
    [
      'no such kernel',
      ['sax', '--block', '1'],
      /There is no kernel 'sax': .*saxpy\.cu has\n(?: {2}.*\n)* {2}saxpy\(float a, const float \*x(?:.*\n {2}.*)*\n$/,
    ],
    ['a template', ['twice', '--block', '1'], /It is a template: name an instance, such as 'twice<float>'/],
    ['too few arguments', ['saxpy', '--block', '1', '-a', '2'], /takes 4 arguments, got 1/],
    [
      'a wrong type',
      ['saxpy', ...SAXPY.map((text) => text.replace('ones:100:f32', 'ones:100:f64'))],
      /points to f32; ones:100:f64 has f64/,
    ],
    [
      'a number out of range',
      ['saxpy', ...SAXPY.slice(0, -1), '3000000000'],
      /3000000000 is not in -2147483648 to 2147483647/,
    ],
    ['a fraction for an integer', ['saxpy', ...SAXPY.slice(0, -1), '1.5'], /1\.5 is not an integer/],
    ['a block that is too large', ['saxpy', ...SAXPY.map((text) => (text === '64' ? '2048' : text))], /1024/],
    [
      'no such output',
      ['saxpy', ...SAXPY, '--out', 'z'],
      /--out z: no such array among the arguments; arrays are x, y/,
    ],
    ['a number as an output', ['saxpy', ...SAXPY, '--out', '0'], /--out 0: no such array/],
    ['no such device', ['saxpy', ...SAXPY, '--device', '99'], /--device 99: There is no CUDA device 99/],
    [
      'a folder that is not there',
      ['saxpy', ...SAXPY, '--save', 'y=/nowhere/y.npy'],
      /--save y=\/nowhere\/y\.npy: there is no folder (?:[A-Z]:\\|\/)nowhere/,
    ],
    ['local memory', ['twice<int>', '--block', '1', '-a', 'local:4'], /local:4 is for OpenCL; CUDA has --shared/],
  ])('%s is wrong usage', async (_, argv, message) => {
    const [kernel = '', ...rest] = argv;
    const { code, stderr } = await run(kernel, ...rest);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test('what does not compile fails, with its line and without a stack', async () => {
    const { code, stdout, stderr } = await command(['run', bad, 'broken', '--block', '1', '-a', 'zeros:1:i32']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/bad\.cu:1:/);
    expect(stderr).not.toMatch(/^\s+at .*\.ts/m);
    const json = await command(['compile', bad, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { name: 'CompileError' } });
  });
});

describe('run, OpenCL', () => {
  const ADD = ['--global', '8', '--local', '4', '-a', 'range:0:8:i32', '-a', 'ones:8:i32', '-a', 'local:16'];

  test('prints what came out, and measures', async () => {
    const { code, stdout } = await command(['run', cl, 'add', ...ADD, '--out', 'b', '--time', '--repeat', '2']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^b {2}i32\[8\]\n {2}4 3 2 1 8 7 6 5\ntime {2}median .* of 2$/m);
  });

  test.each<[string, string[], RegExp]>([
    ['no such kernel', ['sub', '--global', '1'], /There is no kernel 'sub': .*add\.cl has\n {2}add\n/],
    ['too many arguments', ['add', ...ADD, '-a', '1'], /takes 3 arguments, got 4/],
    [
      'a wrong type',
      ['add', ...ADD.map((text) => text.replace('ones:8:i32', 'ones:8:f32'))],
      /points to i32; ones:8:f32 has f32/,
    ],
    [
      'a number for local memory',
      ['add', ...ADD.map((text) => (text === 'local:16' ? '16' : text))],
      /argument 2 \(__local int \*s(?:cratch)?\) is local memory: write local:BYTES, not 16/,
    ],
    [
      'local memory for an array',
      ['add', ...ADD.map((text) => (text === 'ones:8:i32' ? 'local:16' : text))],
      /argument 1 \(__global int \*b\) is a pointer: write an array/,
    ],
    ['no such device', ['add', ...ADD, '--device', 'abacus'], /--device abacus: /],
  ])('%s is wrong usage', async (_, argv, message) => {
    const { code, stderr } = await command(['run', cl, ...argv]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('compile', () => {
  test('lists the kernels, whatever compiles', async () => {
    const { code, stdout } = await command(['compile', cu, '--define', 'SHIFT=0']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^3 kernels for .*\n.*shared.*kernel\n/);
    expect(stdout).toMatch(/ saxpy\(float a, const float \*x, float \*y, int n\)$/m);
  });

  test('OpenCL, to a binary', async () => {
    const file = join(folder, 'add.bin');
    const { code, stdout } = await command(['compile', cl, '--binary', '-o', file, '--json']);
    const { kernels, byteLength } = JSON.parse(stdout) as { kernels: { maxThreads: number }[]; byteLength: number };
    expect({ code, byteLength }).toEqual({ code: 0, byteLength: readFileSync(file).byteLength });
    expect(kernels).toMatchObject([{ signature: expect.stringMatching(/^add\(/) as unknown as string }]);
    expect(kernels[0]?.maxThreads).toBeGreaterThan(0);
  });
});

test("the assembler's words on kernels are read", () => {
  const log = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1fPf' for 'sm_80'
ptxas info    : Function properties for _Z1fPf
ptxas         .     1600 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 38 registers, used 1 barriers, 256 bytes smem, 360 bytes cmem[0]
ptxas info    : Compiling entry function 'g' for 'sm_80'
ptxas info    : Used 4 registers, 352 bytes cmem[0]`;
  expect(Object.fromEntries(readAssemblerLog(log))).toEqual({
    _Z1fPf: { registers: 38, sharedBytes: 256, localBytes: 1600, spillBytes: 8 },
    g: { registers: 4, sharedBytes: 0, localBytes: 0, spillBytes: 0 },
  });
});

test('and left out of the log, as NVRTC and as nvcc lay them out', () => {
  const log = `a.cu(1): warning: unused
ptxas info    : Compiling entry function 'g' for 'sm_90'
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, used 0 barriers
ptxas warning : Value of threads is out of range`;
  expect(withoutAssemblerLog(log)).toBe('a.cu(1): warning: unused\nptxas warning : Value of threads is out of range');
});
