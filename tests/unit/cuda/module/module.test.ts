import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { ClosedError, SymbolNotFoundError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { CompileError, CudaLogicError, CudaRuntimeError } from '../../../../src/cuda/errors.ts';
import { fromDevice, memcpyHtoD } from '../../../../src/cuda/copy/memcpy.ts';
import { moduleFromBuffer, moduleFromFile } from '../../../../src/cuda/module/module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import type { DriverTable } from '../../../../src/cuda/sys/tables.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = `.version 7.0
.target sm_80
.address_size 64
.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }
.visible .entry plain(.param .f32 x) { ret; }
`;

const fake = withFakeDriver();

afterEach(() => {
  fake.fail.clear();
  fake.globals.clear();
});

test('moduleFromBuffer() of PTX knows its kernels', () => {
  using module = moduleFromBuffer(PTX);
  expect(module.kernels).toEqual(['add(float *, int)', 'plain']);
  expect(module.device.ordinal).toBe(0);
});

test('moduleFromFile() reads a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-module-'));
  const path = join(folder, 'k.ptx');
  writeFileSync(path, PTX);
  using module = moduleFromFile(path);
  rmSync(folder, { recursive: true });
  expect(module.hasFunction('add')).toBe(true);
});

test("moduleFromFile() of no file is the system's error", () => {
  expect(() => moduleFromFile('/nowhere/k.ptx')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test.each([0, 3, undefined, null, {}])('moduleFromFile(%p) is a TypeError', (path) => {
  expect(() => moduleFromFile(path as never)).toThrow(/^A path must be a string, got .*$/);
});

test('a path has no NUL', () => {
  expect(() => moduleFromFile('a\0b')).toThrow(/^A path must not contain a NUL character, got .*$/);
});

test('getFunction() gives the same kernel by name, by signature and by symbol', () => {
  using module = moduleFromBuffer(PTX);
  const add = module.getFunction('add');
  expect(module.getFunction('add(float *, int)')).toBe(add);
  expect(module.getFunction('_Z3addPfi')).toBe(add);
});

test('getFunction() of an unknown name lists what there is', () => {
  using module = moduleFromBuffer(PTX);
  expect(() => module.getFunction('sub')).toThrow(CudaLogicError);
  expect(() => module.getFunction('sub')).toThrow(
    /CUDA_ERROR_NOT_FOUND\nThe module has no kernel 'sub'; there is: add\(float \*, int\), plain/,
  );
});

test.each([undefined, null, 5, {}])('getFunction(%p) and hasFunction(%p) are TypeErrors', (name) => {
  using module = moduleFromBuffer(PTX);
  expect(() => module.getFunction(name as never)).toThrow(/^A kernel's name must be a string, got .*$/);
  expect(() => module.hasFunction(name as never)).toThrow(TypeError);
});

test('hasFunction() says whether there is one', () => {
  using module = moduleFromBuffer(PTX);
  expect([module.hasFunction('add'), module.hasFunction('sub')]).toEqual([true, false]);
});

test('a kernel of which only the layout is known takes typed scalars alone', () => {
  using module = moduleFromBuffer(PTX);
  expect(() => {
    module.getFunction('plain')(1, { block: 1 });
  }).toThrow(/argument 0 has 4 bytes: pass a struct\(…\) value or a typed scalar/);
});

test('no kernel parameter past the last one is asked for', () => {
  using module = moduleFromBuffer(PTX);
  const asked: unknown[] = [];
  fake.onCall = (routine, [, index]) => {
    if (routine === 'cuFuncGetParamInfo') asked.push(index);
  };
  module.getFunction('add')(null, 1, { block: 1 });
  expect(asked).toEqual([0, 1]);
});

test("getGlobal() is device memory of the variable's size", () => {
  fake.globals.set('table', new Uint8Array(16));
  using module = moduleFromBuffer(PTX);
  const table = module.getGlobal('table');
  expect(table.byteLength).toBe(16);
  memcpyHtoD(table, Int32Array.of(1, 2, 3, 4));
  expect([...fromDevice(table.slice(4, 8), 'i32')]).toEqual([2, 3]);
});

test('getGlobal() of an unknown name is CUDA_ERROR_NOT_FOUND', () => {
  using module = moduleFromBuffer(PTX);
  expect(() => module.getGlobal('nothing')).toThrow(
    /CUDA_ERROR_NOT_FOUND\nThe module has no variable 'nothing'; one that no kernel uses may have been left out/,
  );
});

test('getGlobal() reports another failure', () => {
  using module = moduleFromBuffer(PTX);
  fake.fail.set('cuModuleGetGlobal', 1);
  expect(() => module.getGlobal('x')).toThrow(expect.objectContaining({ code: 'CUDA_ERROR_INVALID_VALUE' }));
});

test.each([undefined, 5, null, 'a\0b'])('getGlobal(%p) is a TypeError', (name) => {
  using module = moduleFromBuffer(PTX);
  expect(() => module.getGlobal(name as never)).toThrow(TypeError);
});

test('a variable of a closed module throws ClosedError when it is used', () => {
  fake.globals.set('table', new Uint8Array(16));
  const module = moduleFromBuffer(PTX);
  const table = module.getGlobal('table');
  module.close();
  expect(() => table.ptr).toThrow(ClosedError);
  expect(() => fromDevice(table, 'u8')).toThrow(ClosedError);
});

test('every use after close() throws ClosedError', () => {
  const module = moduleFromBuffer(PTX);
  const add = module.getFunction('add');
  module.close();
  module.close();
  expect(fake.live.module).toBe(0);
  const uses: (() => unknown)[] = [
    () => module.handle,
    () => module.kernels,
    () => module.hasFunction('add'),
    () => module.getFunction('add'),
    () => module.getGlobal('x'),
    () => add.handle,
    () => add.numRegs,
    () => add.prepare({ block: 1 }),
    () => {
      add(0n, 1, { block: 1 });
    },
    () => {
      add.setCacheConfig(0);
    },
    () => {
      add.setAttribute(8, 1);
    },
    () => add.maxActiveBlocksPerMultiprocessor(32),
    () => add.maxPotentialBlockSize(),
  ];
  for (const use of uses) expect(use).toThrow(ClosedError);
});

test("PTX that the driver's compiler refuses is a CompileError that shows the line", () => {
  fake.jit = {
    status: 218,
    error:
      "ptxas application ptx input, line 5; error   : Unknown symbol 'x'\nptxas fatal   : Ptx assembly aborted due to errors",
  };
  const attempt = (): unknown => moduleFromBuffer(PTX);
  let thrown: unknown;
  try {
    attempt();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CompileError);
  expect((thrown as CompileError).message).toMatch(
    /^The driver's compiler refused the PTX\nptx:5: Unknown symbol 'x'\n[^]*> 5 \| \.visible \.entry plain/,
  );
  expect((thrown as CompileError).log).toContain('ptxas fatal');
  expect((thrown as CompileError).source).toBe(PTX);
  expect(liveObjects()).not.toHaveProperty('Module');
});

test('an image for other devices is CUDA_ERROR_NO_BINARY_FOR_GPU', () => {
  fake.fail.set('cuModuleLoadDataEx', 209);
  expect(() => moduleFromBuffer(PTX)).toThrow(CudaRuntimeError);
});

test("jitLog has what the driver's compiler said", () => {
  fake.jit = { status: 0, info: 'ptxas info    : 0 bytes gmem' };
  using module = moduleFromBuffer(PTX);
  expect(module.jitLog).toBe('ptxas info    : 0 bytes gmem');
});

test('a cubin that is cut off does not reach the driver', () => {
  let loads = 0;
  fake.onCall = (routine) => {
    if (routine === 'cuModuleLoadDataEx') loads++;
  };
  const cut = Buffer.alloc(64);
  cut.set([0x7f, 0x45, 0x4c, 0x46]);
  cut.writeBigUInt64LE(4096n, 40);
  cut.writeUInt16LE(64, 58);
  cut.writeUInt16LE(3, 60);
  expect(() => moduleFromBuffer(cut)).toThrow(/The image is cut off: its header says 4288 bytes, got 64/);
  fake.onCall = undefined;
  expect(loads).toBe(0);
});

/** A cubin that names its kernel in a section, as the fake driver reads it. */
function cubin(symbol: string): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.set([0x7f, 0x45, 0x4c, 0x46]);
  bytes.write(`.text.${symbol}\0`, 64);
  return bytes;
}

test('a binary tells its kernels by the driver', () => {
  using module = moduleFromBuffer(cubin('_Z3mulPfi'));
  expect(module.kernels).toEqual(['mul(float *, int)']);
});

test('a binary with a driver that cannot list its kernels takes the name for a symbol', () => {
  const missing = (): never => {
    throw new SymbolNotFoundError('cuModuleGetFunctionCount', 'the driver', 'x', undefined);
  };
  const old = { ...fake.table, cuModuleGetFunctionCount: missing } as unknown as DriverTable;
  useTables({ driver: old });
  using module = moduleFromBuffer(cubin('plain'));
  expect(module.kernels).toEqual([]);
  expect(module.getFunction('plain').symbol).toBe('plain');
  expect(() => module.getFunction('other')).toThrow(/no kernel 'other'; there is: none is known/);
  useTables({ driver: fake.table });
});
