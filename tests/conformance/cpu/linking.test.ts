import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { CompileError } from '../../../src/cuda/errors.ts';
import { DynamicModule } from '../../../src/cuda/module/dynamic-module.ts';
import { Linker } from '../../../src/cuda/module/linker.ts';
import { Program, type ProgramOptions } from '../../../src/cuda/module/program.ts';
import { useTables } from '../../../src/cuda/select.ts';
import type { DriverTable } from '../../../src/cuda/sys/tables.ts';
import { cpuTables } from '../../helpers/cpu-tables.ts';
import { needs } from '../../helpers/require.ts';

const MAIN = `extern __device__ float twice(float x);
__global__ void apply(float *p) {
  p[threadIdx.x] = twice(p[threadIdx.x]);
}`;
const TWICE = '__device__ float twice(float x) { return 2 * x; }';
const CUBIN = 0;
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-linking-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A relocatable program. */
function part(source: string, fileName: string, options: ProgramOptions = {}): Program {
  return Program.compile(source, { relocatable: true, fileName, ...options });
}

needs.clang().describe('linking on the embedded device', () => {
  let context: Context;
  let driver: DriverTable;
  const open = (options: { readonly check?: 'report' } = {}): void => {
    const tables = cpuTables({});
    driver = tables.driver;
    useTables(tables);
    context = new Context(new Device(0), { own: true, ...options });
  };
  beforeEach(() => {
    open();
  });
  afterEach(() => {
    context.close();
  });

  const refused = (...programs: readonly (readonly [name: string, program: Program])[]): string => {
    const linker = new Linker();
    for (const [name, program] of programs) linker.add(program, name);
    try {
      linker.link();
    } catch (error) {
      expect(error).toBeInstanceOf(CompileError);
      return (error as Error).message;
    }
    return 'it links';
  };

  test('a missing function is named with the place that calls it, in each source that does', () => {
    const message = refused(['main', part(MAIN, 'main.cu')], ['rest', part(MAIN.replace('apply', 'again'), 'rest.cu')]);
    expect(message).toContain("main.cu:3:20: error: undefined reference to '_Z5twicef' (twice) in 'main'");
    expect(message).toContain("rest.cu:3:20: error: undefined reference to '_Z5twicef' (twice) in 'rest'");
  });

  test('missing variables are named, also arrays without a length', () => {
    const one = part('extern __device__ int limit;\n__global__ void k(int *p) {\n  *p = limit;\n}', 'one.cu');
    expect(refused(['one', one])).toContain("one.cu:3:8: error: undefined reference to 'limit' in 'one'");
    const open = part('extern __device__ int table[];\n__global__ void k(int *p) {\n  *p = table[*p];\n}', 'open.cu');
    expect(refused(['open', open])).toContain("open.cu:3:8: error: undefined reference to 'table' in 'open'");
  });

  test('what two sources define is named with both', () => {
    const two = part(`\n${TWICE}\n__device__ int limit = 3;`, 'two.cu');
    const message = refused(['first', part(`${TWICE} __device__ int limit;`, 'one.cu')], ['second', two]);
    expect(message).toContain(
      "two.cu:2:1: error: multiple definition of '_Z5twicef' (twice) in 'second', first defined in 'first'",
    );
    expect(message).toContain("two.cu: error: multiple definition of 'limit' in 'second', first defined in 'first'");
  });

  test('a variable has one size', () => {
    const user = part('extern __device__ int t[3]; __global__ void k(int *p) { *p = t[*p]; }', 'user.cu');
    const message = refused(['user', user], ['owner', part('__device__ int t[5];', 'owner.cu')]);
    expect(message).toContain("error: size does not match for 't' in 'user': it has 12 bytes here, and is 20 bytes in");
  });

  test('whole programs, and code of other compilers, are refused', () => {
    const whole = Program.compile(TWICE, { fileName: 'whole.cu' });
    expect(refused(['main', part(MAIN, 'main.cu')], ['whole', whole])).toContain(
      "'whole' is a whole program, which is linked with no other: compile it with relocatable: true",
    );
    const archive = join(folder, 'twice.a');
    writeFileSync(archive, '!<arch>\n');
    expect(refused(['main', part(MAIN, 'main.cu')], ['twice.a', Program.load(archive)])).toContain(
      "'twice.a' does not link. Only programs that were compiled for the CPU device run on it",
    );
    // Alone, a whole program is what the link would make.
    expect(new Linker().add(whole).link().wasm).toEqual(whole.wasm);
  });

  test('code for a newer device is refused', () => {
    expect(refused(['new', part(TWICE, 'new.cu', { arch: 'compute_100' })])).toContain("in 'new'");
  });

  test('a relocatable program that needs no other loads by itself', () => {
    using module = part(`${TWICE}\n${MAIN}`, 'all.cu').toModule();
    expect(module.hasFunction('apply')).toBe(true);
    expect(part(TWICE, 'twice.cu').wasm).toBeUndefined();
    expect(() => part(MAIN, 'main.cu').toModule()).toThrow(/undefined reference to '_Z5twicef'/);
  });

  test('programs that were saved link, and so do files by the driver itself', () => {
    const path = join(folder, 'twice.program');
    part(TWICE, 'twice.cu').save(path);
    expect(new Linker().addFile(path).add(part(MAIN, 'main.cu')).link().kind).toBe('cubin');
    const file = join(folder, 'main.cubin');
    writeFileSync(file, part(`${TWICE}\n${MAIN}`, 'all.cu').code);
    const slot = new BigUint64Array(1);
    const state = (): ReturnType<() => Parameters<DriverTable['cuLinkComplete']>[0]> => slot[0] as never;
    expect(driver.cuLinkCreate(0, 0n, 0n, slot)).toBe(0);
    const link = state();
    expect(driver.cuLinkAddFile(link, CUBIN, join(folder, 'nothing.cubin'), 0, 0n, 0n)).toBe(301);
    expect(driver.cuLinkAddFile(link, 99, file, 0, 0n, 0n)).toBe(1);
    expect(driver.cuLinkAddFile(link, CUBIN, file, 0, 0n, 0n)).toBe(0);
    const code = new BigUint64Array(1);
    expect(driver.cuLinkComplete(link, code, slot)).toBe(0);
    expect(code[0]).not.toBe(0n);
    // A completed link takes nothing more.
    expect(driver.cuLinkAddFile(link, CUBIN, file, 0, 0n, 0n)).toBe(1);
    expect(driver.cuLinkDestroy(link)).toBe(0);
    expect(driver.cuLinkDestroy(link)).toBe(400);
  });

  test('the checked mode shows the line of the source that is wrong', () => {
    context.close();
    open({ check: 'report' });
    const helper =
      '// The last thread reads behind the end.\n__device__ int next(const int *p, int i) {\n  return p[i + 1];\n}';
    using module = new DynamicModule()
      .addSource(
        '__device__ int next(const int *, int); __global__ void k(int *p, const int *q) { p[threadIdx.x] = next(q, threadIdx.x); }',
        { fileName: 'main.cu' },
      )
      .addSource(helper, { fileName: 'helper.cu' })
      .link();
    using out = toDevice(new Int32Array(8));
    using from = toDevice(new Int32Array(8));
    module.getFunction('k')(out, from, { block: 8 });
    context.synchronize();
    const [report] = context.reports;
    expect(report?.kind).toBe('out-of-bounds');
    expect(report?.place).toMatchObject({ file: 'helper.cu', line: 3 });
    expect(String(report)).toContain('return p[i + 1];');
  });

  test('checked programs are linked with checked ones', () => {
    const plain = part(TWICE, 'twice.cu', { cache: false });
    context.close();
    open({ check: 'report' });
    expect(refused(['main', part(MAIN, 'main.cu', { cache: false })], ['twice', plain])).toContain(
      "'main' with all checks and 'twice' with no checks cannot be linked: compile both in the same mode",
    );
  });
});
