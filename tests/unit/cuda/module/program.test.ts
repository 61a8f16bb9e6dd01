import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DynamicModule } from '../../../../src/cuda/module/dynamic-module.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { Linker } from '../../../../src/cuda/module/linker.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { Program } from '../../../../src/cuda/module/program.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { needs } from '../../../helpers/require.ts';

const PTX =
  '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }\n';
const folder = mkdtempSync(join(tmpdir(), 'rawkernel-program-'));
const fake = withFakeDriver();

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('fromBytes() tells what code is', () => {
  const elf = new Uint8Array(64);
  elf.set([0x7f, 0x45, 0x4c, 0x46]);
  expect(Program.fromBytes(PTX)).toMatchObject({ kind: 'ptx', ptx: PTX });
  expect(Program.fromBytes(elf)).toMatchObject({ kind: 'cubin', arch: '' });
  expect(Program.fromBytes(new Uint8Array(3), 'object', 'sm_90')).toMatchObject({ kind: 'object', arch: 'sm_90' });
});

test('fromBytes() copies', () => {
  const bytes = new Uint8Array(4).fill(1);
  const program = Program.fromBytes(bytes, 'library');
  bytes.fill(2);
  expect([...program.code]).toEqual([1, 1, 1, 1]);
});

test('a saved program is read back unchanged', () => {
  const path = join(folder, 'a.program');
  Program.fromBytes(PTX, 'ptx', 'compute_70').save(path);
  const back = Program.load(path);
  expect(back).toMatchObject({ kind: 'ptx', arch: 'compute_70', ptx: PTX });
  using module = back.toModule();
  expect(module.kernels).toEqual(['add(float *, int)']);
});

test('a saved program that was damaged is refused', () => {
  const path = join(folder, 'b.program');
  Program.fromBytes(PTX).save(path);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 3));
  expect(() => Program.load(path)).toThrow(RangeError);
  bytes[bytes.length - 3] = 0;
  writeFileSync(path, bytes);
  expect(() => Program.load(path)).toThrow(/damaged/);
  writeFileSync(path, bytes.subarray(0, 12));
  expect(() => Program.load(path)).toThrow(/damaged/);
});

test('load() takes code as other tools write it', () => {
  for (const [name, kind] of [
    ['c.ptx', 'ptx'],
    ['libx.a', 'library'],
    ['x.o', 'object'],
  ]) {
    const path = join(folder, name ?? '');
    writeFileSync(path, PTX);
    expect(Program.load(path).kind).toBe(kind);
  }
});

test('toModule() gives the driver its options', () => {
  const seen: unknown[] = [];
  fake.onCall = (routine, args) => {
    if (routine === 'cuModuleLoadDataEx')
      seen.push([...(args[3] as Int32Array)], Number((args[4] as BigUint64Array)[4]));
  };
  Program.fromBytes(PTX).toModule({ maxRegisters: 24 }).close();
  moduleFromBuffer(PTX, { cacheMode: 'ca' }).close();
  fake.onCall = undefined;
  expect(seen).toEqual([[3, 4, 5, 6, 0], 24, [3, 4, 5, 6, 14], 2]);
});

test.each([
  ['a kind that is not loaded', () => Program.fromBytes(new Uint8Array(4), 'ltoir').toModule(), TypeError],
  ['an unknown kind', () => Program.fromBytes(new Uint8Array(4), 'exe' as never), TypeError],
  ['no bytes', () => Program.fromBytes(new Uint8Array(0)), RangeError],
  ['text for an object', () => Program.fromBytes('x', 'object'), TypeError],
  ['a number for a path', () => Program.load(0 as never), TypeError],
  ['an unknown name expression', () => Program.fromBytes(PTX).getLoweredName('toString'), RangeError],
  ['an unknown option', () => Program.compile('', { relocateable: true } as never), TypeError],
  ['an unknown output', () => Program.compile('', { output: 'exe' as never }), TypeError],
  ['OptiX IR for a linker', () => new Linker().add(Program.fromBytes(new Uint8Array(4), 'optixir')), TypeError],
  ['a relocatable that is not a boolean', () => Program.compile('', { relocatable: 1 as never }), TypeError],
  ['an unknown option of the driver', () => Program.fromBytes(PTX).toModule({ registers: 3 } as never), TypeError],
  ['a library that is not a name', () => new DynamicModule().addStdlib('../x'), TypeError],
])('%s is refused', (_, call, error) => {
  expect(call).toThrow(error);
});

needs.nativeNvrtc().describe('Program.compile', () => {
  const SOURCE = 'template <int N> __global__ void set(int *x) { *x = N; }';
  const options = { arch: 'compute_80', nameExpressions: ['set<3>'], cache: false } as const;

  test('makes code without a device, with the names of its instances', () => {
    const program = Program.compile(SOURCE, options);
    expect(program).toMatchObject({ kind: 'ptx', arch: 'compute_80', names: { 'set<3>': '_Z3setILi3EEvPi' } });
    expect(program.getLoweredName('set<3>')).toBe('_Z3setILi3EEvPi');
    expect(program.ptx).toContain('.entry _Z3setILi3EEvPi');
  });

  test('gives the same without blocking', async () => {
    expect((await Program.compileLater(SOURCE, options)).names).toEqual({ 'set<3>': '_Z3setILi3EEvPi' });
  });

  test('keeps the names of parameters across a file', () => {
    const path = join(folder, 'd.program');
    Program.compile('__global__ void add(float *sum, int n) {}', { arch: 'compute_80' }).save(path);
    using module = Program.load(path).toModule();
    expect(module.kernels).toEqual(['add(float *sum, int n)']);
  });

  test('says where a source is wrong', () => {
    expect(() => Program.compile('__global__ void k() { x; }', options)).toThrow(CompileError);
  });
});
