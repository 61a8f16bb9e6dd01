import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { CompileError, CudaLogicError } from '../../../../src/cuda/errors.ts';
import { Graph } from '../../../../src/cuda/graph/graph.ts';
import { libraryFromBuffer, libraryFromFile } from '../../../../src/cuda/module/library.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { Program } from '../../../../src/cuda/module/program.ts';
import { FunctionAttribute } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }
.visible .entry none() { ret; }
`;
const fake = withFakeDriver();

test('a kernel of a library launches in the context that is current', () => {
  using library = libraryFromBuffer(PTX);
  using memory = memAlloc(64);
  const before = Context.current;
  const add = library.getKernel('add');
  const functions: unknown[] = [];
  fake.onCall = (routine, args, context) => {
    if (routine === 'cuKernelGetFunction') functions.push([args[1], context]);
  };
  add(memory, 7, { block: 32, grid: 2 });
  add(memory, 8, { block: 32 });
  add.prepare({ block: 1 })(memory, 9);
  using own = new Context(new Device(0), { own: true });
  add(memory, 10, { block: 1 });
  before?.makeCurrent();
  fake.onCall = undefined;
  expect(functions).toEqual([
    [add.handle, before?.handle],
    [add.handle, own.handle],
  ]);
  const launched = fake.launches.slice(-4);
  expect(launched.map(({ symbol, args }) => [symbol, args.getInt32(8, true)])).toEqual(
    [7, 8, 9, 10].map((value) => ['_Z3addPfi', value]),
  );
});

test('a library knows its kernels by every name', () => {
  using library = libraryFromBuffer(PTX);
  const add = library.getKernel('add');
  expect(library.getKernel('add(float*, int)')).toBe(add);
  expect(library.getKernel('_Z3addPfi')).toBe(add);
  expect([add.name, add.symbol, add.signature]).toEqual(['add', '_Z3addPfi', 'add(float *, int)']);
  expect(add.parameters).toEqual([
    { offset: 0, size: 8 },
    { offset: 8, size: 4 },
  ]);
  expect(library.kernels).toEqual(['add(float *, int)', 'none']);
  expect([library.hasKernel('none'), library.hasKernel('one')]).toEqual([true, false]);
  expect(() => library.getKernel('one')).toThrow(/library has no kernel 'one'; there is: add\(float \*, int\), none/);
  expect(() => library.getKernel(3 as never)).toThrow(/name must be a string, got 3/);
});

test('attributes are set on a device', () => {
  using library = libraryFromBuffer(PTX);
  const add = library.getKernel('add');
  add.setAttribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000, new Device(0));
  expect(add.maxDynamicSharedSizeBytes).toBe(1000);
  expect(add.getAttributes().MAX_DYNAMIC_SHARED_SIZE_BYTES).toBe(1000);
  expect(() => add.getAttribute(0, 1 as never)).toThrow(/attributes must be a Device, got 1/);
  expect(() => {
    add.setAttribute(0, 0.5);
  }).toThrow(RangeError);
});

test('variables and modules are those of the current context', () => {
  using library = Program.fromBytes(PTX).toLibrary();
  fake.globals.set('table', new Uint8Array(12));
  expect(library.getGlobal('table').byteLength).toBe(12);
  expect(library.getManaged('table').slice(4).byteLength).toBe(8);
  expect(() => library.getGlobal('tables')).toThrow(/library has no variable 'tables'/);
  const before = Context.current;
  using own = new Context(new Device(0), { own: true });
  const variable = library.getGlobal('table');
  using module = library.getModule();
  module.getFunction('none')({ block: 1 });
  own.close();
  module.close();
  expect(() => variable.ptr).toThrow(ClosedError);
  before?.makeCurrent();
});

test('a graph takes a kernel, and keeps its library', () => {
  const library = libraryFromBuffer(PTX);
  const { library: live } = fake.live;
  const graph = new Graph();
  graph.addKernel(library.getKernel('none'), [], { block: 1 });
  library.close();
  expect(fake.live.library).toBe(live);
  graph.close();
  expect(fake.live.library).toBe(live - 1);
});

test('what is closed is not used', () => {
  const library = libraryFromBuffer(PTX);
  const none = library.getKernel('none');
  const before = Context.current;
  const own = new Context(new Device(0), { own: true });
  const there = none.function;
  own.close();
  before?.makeCurrent();
  expect(() => {
    there({ block: 1 });
  }).toThrow(/this Context is closed/);
  library.close();
  for (const use of [
    () => {
      none({ block: 1 });
    },
    () => none.numRegs,
    () => none.parameters,
    () => none.handle,
    () => library.kernels,
    () => library.getModule(),
    () => library.jitLog,
  ]) {
    expect(use).toThrow(ClosedError);
  }
});

test('code that does not compile says why, whenever the driver compiles it', () => {
  fake.jit = { status: 218, error: 'ptxas fatal   : nonsense' };
  expect(() => libraryFromBuffer(PTX)).toThrow(CompileError);
  fake.jit = { status: 0, error: 'ptxas fatal   : later' };
  using library = libraryFromBuffer(PTX);
  fake.fail.set('cuKernelGetFunction', 218);
  expect(() => {
    library.getKernel('none')({ block: 1 });
  }).toThrow(/later/);
  fake.fail.clear();
  fake.fail.set('cuLibraryGetKernelCount', 801);
  expect(() => libraryFromFile(3 as never)).toThrow(/A path must be a string/);
  expect(() => libraryFromBuffer('')).toThrow(RangeError);
  fake.fail.clear();
});

test('without a context a library loads, and nothing of it runs', () => {
  const before = Context.current;
  using own = new Context(new Device(0), { own: true });
  own.close();
  using library = libraryFromBuffer(PTX);
  const none = library.getKernel('none');
  expect(() => {
    none({ block: 1 });
  }).toThrow(CudaLogicError);
  expect(() => library.getModule()).toThrow(/No context is current/);
  expect(() => library.getManaged('x')).toThrow(/No context is current/);
  before?.makeCurrent();
});
