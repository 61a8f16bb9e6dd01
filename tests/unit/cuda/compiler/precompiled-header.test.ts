import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { SymbolNotFoundError } from '../../../../src/core/errors.ts';
import { cpuNvrtc } from '../../../../src/cpu/nvrtc-table.ts';
import type { CompileAnswer } from '../../../../src/cpu/compiler/request.ts';
import { Program } from '../../../../src/cuda/module/program.ts';
import type { SourceOptions } from '../../../../src/cuda/compiler/source-options.ts';
import { SourceModule } from '../../../../src/cuda/module/source-module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import type { NvrtcTable } from '../../../../src/cuda/sys/tables.ts';
import { NULL } from '../../../../src/ffi/ctype.ts';
import { provideAsync } from '../../../../src/ffi/bind.ts';
import { readText } from '../../../../src/ffi/memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { withOwnCache } from '../../../helpers/own-cache.ts';
import { needs } from '../../../helpers/require.ts';

const SUCCESS = 0;
const OUT_OF_MEMORY = 1;
const NOT_ATTEMPTED = 13;
const HEAP_EXHAUSTED = 14;
const FAILED = 15;
const OPTIONS: SourceOptions = { arch: 'compute_80', createPch: 'a.pch' };
const SOURCE = '__global__ void k() {}';

const fake = withFakeDriver();
withOwnCache();
const answer: CompileAnswer = {
  program: {
    wasm: Uint8Array.of(0),
    kernels: [],
    variables: [],
    lowered: {},
    sites: [],
    arch: 'compute_80',
    checked: false,
    source: '',
    file: 'kernel.cu',
  },
  log: '',
};
const embedded = cpuNvrtc({ compile: () => answer, compileLater: () => Promise.resolve(answer) });
/** Takes headers, as NVRTC does; the embedded compiler has its own. */
const base: NvrtcTable = {
  ...embedded,
  nvrtcCreateProgram: (out, source, file) => embedded.nvrtcCreateProgram(out, source, file, 0, NULL, NULL),
};

let heap = 0n;
let builds: string[][] = [];
let atOnce = 0;
let most = 0;

beforeEach(() => {
  heap = 4096n;
  builds = [];
  most = 0;
});
afterAll(() => {
  useTables({ nvrtc: undefined });
});

/** An NVRTC whose precompiled headers end with `status`, or want more heap than there is. */
function nvrtcWith(status: number, required = 0n, growing: number = SUCCESS): void {
  const note = (count: number, list: unknown): void => {
    builds.push([...(list as BigUint64Array).subarray(0, count)].map(readText));
  };
  const put = (out: unknown, value: bigint): number => {
    (out as BigUint64Array)[0] = value;
    return SUCCESS;
  };
  const nvrtcCompileProgram: NvrtcTable['nvrtcCompileProgram'] = (program, count, list) => {
    note(count, list);
    return base.nvrtcCompileProgram(program, count, list);
  };
  provideAsync(nvrtcCompileProgram, async (program, count, list) => {
    note(count, list);
    most = Math.max(most, ++atOnce);
    await setImmediate();
    atOnce--;
    return base.nvrtcCompileProgram(program, count, list);
  });
  useTables({
    nvrtc: {
      ...base,
      nvrtcCompileProgram,
      nvrtcGetPCHHeapSize: (out) => put(out, heap),
      nvrtcSetPCHHeapSize: (size) => {
        heap = BigInt(size);
        return growing;
      },
      nvrtcGetPCHCreateStatus: () => (heap < required ? HEAP_EXHAUSTED : status),
      nvrtcGetPCHHeapSizeRequired: (_program, out) => put(out, required),
    },
  });
}

test.each([
  [SUCCESS, 'created'],
  [NOT_ATTEMPTED, 'not-attempted'],
  [FAILED, 'failed'],
])('the status %d is %s, and nothing is compiled twice', (status, pch) => {
  nvrtcWith(status);
  expect(Program.compile(SOURCE, OPTIONS).pch).toBe(pch);
  expect(builds).toHaveLength(1);
  expect(builds[0]).toContain('--create-pch=a.pch');
});

test('a heap that is too small grows, and the source is compiled once more', () => {
  nvrtcWith(SUCCESS, 70_000n);
  using module = new SourceModule(SOURCE, OPTIONS);
  expect(module.pch).toBe('created');
  expect([heap, builds.length]).toEqual([70_000n, 2]);
});

test('the same without blocking, one build at a time', async () => {
  nvrtcWith(SUCCESS, 70_000n);
  const programs = await Promise.all([1, 2, 3].map(() => Program.compileLater(SOURCE, OPTIONS)));
  expect(programs.map(({ pch }) => pch)).toEqual(['created', 'created', 'created']);
  expect([most, builds.length]).toEqual([1, 4]);
  await Promise.all([1, 2].map(() => Program.compileLater(SOURCE, { arch: 'compute_80', cache: false })));
  expect(most).toBe(2);
});

test('the heap is not taken from a build on a worker thread', async () => {
  nvrtcWith(SUCCESS);
  const later = Program.compileLater(SOURCE, OPTIONS);
  await Promise.resolve();
  nvrtcWith(SUCCESS, 70_000n);
  expect(Program.compile(SOURCE, OPTIONS).pch).toBe('failed');
  expect(heap).toBe(4096n);
  await later;
  expect(Program.compile(SOURCE, OPTIONS).pch).toBe('created');
});

test('a build that fails gives the next one its turn', async () => {
  nvrtcWith(SUCCESS);
  const wrong = Program.compileLater(SOURCE, { ...OPTIONS, nameExpressions: ['nowhere'] });
  const right = Program.compileLater(SOURCE, OPTIONS);
  await expect(wrong).rejects.toThrow(/nvrtcGetLoweredName/);
  expect((await right).pch).toBe('created');
});

test('a heap that does not grow is an error', () => {
  nvrtcWith(SUCCESS, 70_000n, OUT_OF_MEMORY);
  expect(() => Program.compile(SOURCE, OPTIONS)).toThrow(
    expect.objectContaining({ code: 'NVRTC_ERROR_OUT_OF_MEMORY', routine: 'nvrtcSetPCHHeapSize' }),
  );
});

test('a heap that was large enough is left as it is', () => {
  nvrtcWith(SUCCESS, 70_000n);
  heap = 1n << 20n;
  expect(Program.compile(SOURCE, OPTIONS).pch).toBe('created');
  expect([heap, builds.length]).toEqual([1n << 20n, 1]);
});

test('without a precompiled header NVRTC is not asked for one', () => {
  nvrtcWith(FAILED);
  const options = { arch: 'compute_80', cache: false };
  expect(Program.compile(SOURCE, options).pch).toBeUndefined();
  expect(Program.fromBytes('.version 7.0\n').pch).toBeUndefined();
  expect(Program.compile(SOURCE, { ...options, options: ['-pch'] }).pch).toBe('failed');
});

test.each<[SourceOptions, number]>([
  [{ pch: true }, 1],
  [{ createPch: 'a.pch' }, 2],
  [{ usePch: 'a.pch' }, 2],
  [{ options: ['--create-pch', 'a.pch'] }, 2],
  [{ time: '-' }, 2],
])('with %j two builds take %d compilations: builds with unknown files are not cached', (options, count) => {
  nvrtcWith(NOT_ATTEMPTED);
  const source = `${SOURCE} // ${count} ${JSON.stringify(options)}`;
  for (let i = 0; i < 2; i++) Program.compile(source, { arch: 'compute_80', ...options });
  expect(builds).toHaveLength(count);
});

test('an NVRTC that is too old is named, with the version that has it', () => {
  const old = new SymbolNotFoundError('nvrtcGetPCHHeapSize', 'NVRTC', 'x.so', '12.4', undefined, 'NVRTC 12.8 has it');
  nvrtcWith(SUCCESS);
  useTables({
    nvrtc: {
      ...base,
      nvrtcGetPCHHeapSize: () => {
        throw old;
      },
    },
  });
  expect(() => Program.compile(SOURCE, OPTIONS)).toThrow(old);
});

test('the embedded compiler makes none, and needs none', () => {
  useTables({ nvrtc: base, driver: fake.table });
  expect(Program.compile(SOURCE, OPTIONS).pch).toBe('not-attempted');
});

needs.noPch().test('an NVRTC that is too old names the versions with precompiled headers', () => {
  useTables({ nvrtc: undefined });
  expect(() => Program.compile(SOURCE, { arch: 'compute_80', pch: true, cache: false })).toThrow(
    /nvrtcGetPCHHeapSize is not in NVRTC.* \d+\.\d+ \(.*\); NVRTC 12\.8 and newer have it/,
  );
});
