import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as entry from '../../src/cuda/index.ts';
import { PTX } from './cuda-makers.ts';
import { host } from './cuda-programs-shared.ts';
import { read, type Program } from './faults.ts';
import { called, retrying } from './retrying.ts';

const cuda = retrying(entry);
const FLOATS = { width: 4, height: 4, dtype: 'f32' } as const;

function launches(): void {
  using module = cuda.moduleFromBuffer(PTX);
  using library = cuda.libraryFromBuffer(PTX);
  using stream = new cuda.Stream();
  using memory = cuda.memAlloc(64);
  const add = module.getFunction('add');
  const kernel = library.getKernel('add');
  called('Function()', add)(memory, 1, { block: 1, stream });
  called('Kernel()', kernel)(memory, 1, { block: 1, stream });
  called('PreparedLaunch()', add.prepare({ block: 1, stream }))(memory, 1);
  called('Function() of host arrays', add)(cuda.InOut(host()), 1, { block: 1 });
  called('Function() of host arrays', add)(cuda.In(host()), 1, { block: 1, stream });
  called('Function() of host arrays', add)(cuda.Out(host()), 1, { block: 1, grid: [1, 1, 1], shared: 0 });
  add.maxDynamicSharedSizeBytes = 0;
  add.preferredSharedMemoryCarveout = 0;
}

function handles(): void {
  using stream = new cuda.Stream();
  using other = cuda.Stream.fromHandle(stream.handle);
  const context = cuda.Context.fromHandle(cuda.Context.current?.handle ?? 0n);
  using pool = new cuda.MemPool();
  pool.reuseAllowInternalDependencies = true;
  pool.reuseAllowOpportunistic = true;
  read(other.handle, context.handle);
}

function arrayCopies(): void {
  using array = cuda.toArray(host(), FLOATS);
  using other = new cuda.OpaqueArray(FLOATS);
  using memory = cuda.memAlloc(64);
  using stream = new cuda.Stream();
  cuda.memcpyHtoA(array, host());
  cuda.memcpyHtoAAsync(array, host(), stream);
  cuda.memcpyAtoH(host(), array);
  cuda.memcpyAtoHAsync(host(), array, stream);
  cuda.memcpyDtoA(array, memory);
  cuda.memcpyDtoAAsync(array, memory, stream);
  cuda.memcpyAtoD(memory, array);
  cuda.memcpyAtoDAsync(memory, array, stream);
  cuda.memcpyAtoA(array, other);
  cuda.memcpyAtoAAsync(array, other, stream);
}

function views(): void {
  using memory = cuda.memAlloc(24);
  const view = new cuda.TensorView(memory, { shape: [2, 3], dtype: 'f32' });
  read(cuda.TensorView.from(view));
  using shared = cuda.toDLPack(view);
  using owner = cuda.fromDLPack(shared.take()).owner;
  read(owner.closed);
}

function hostArrays(): void {
  using library = cuda.libraryFromBuffer(PTX);
  try {
    cuda.managedView(library.getManaged('table'), 'f32');
  } catch {
    // The fake driver has no managed variables.
  }
  cuda.pagelockedFree(cuda.pagelockedZeros(4, 'f32'));
  cuda.managedFree(cuda.managedZeros(4, 'f32'));
}

function files(): void {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-arguments-'));
  try {
    const path = join(folder, 'add.ptx');
    writeFileSync(path, PTX);
    cuda.moduleFromFile(path).close();
    cuda.libraryFromFile(path).close();
    const saved = join(folder, 'add.json');
    cuda.Program.fromBytes(PTX).save(saved);
    cuda.Program.load(saved);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function slices(): void {
  using memory = cuda.memAlloc(64);
  read(memory.slice(8).slice(8, 8));
  using range = new cuda.AddressRange(2 * cuda.memGranularity());
  range.slice(0);
}

function questions(): void {
  cuda.currentDevice().getAttribute('WARP_SIZE');
  using start = new cuda.Event();
  using end = new cuda.Event();
  start.record();
  end.record().synchronize();
  end.timeSince(start);
  using module = cuda.moduleFromBuffer(PTX);
  using library = cuda.libraryFromBuffer(PTX);
  module.getFunction('add').getAttribute(0);
  const kernel = library.getKernel('add');
  kernel.getAttribute(0);
  called('PreparedLaunch()', kernel.prepare({ block: 1 }))(null, 1);
  library.hasKernel('add');
}

function ends(): void {
  using array = new cuda.OpaqueArray(FLOATS);
  using memory = cuda.memAlloc(64);
  const box = new cuda.Memcpy2D();
  box.setSrcArray(array);
  box.setSrcUnified(memory).setDstUnified(memory);
  const { current } = cuda.Context;
  const peer = new cuda.Memcpy3DPeer();
  if (current) peer.setSrcContext(current).setDstContext(current);
}

function loops(): void {
  using graph = new cuda.Graph();
  using exec = graph.instantiate();
  const condition = graph.createCondition({ initial: 1 });
  const { bodies } = graph.addWhile(condition);
  const others = graph.addSwitch(condition, 2).bodies;
  for (const body of [...bodies, ...others]) body.close();
  exec.tryUpdate(graph);
}

function inputs(): void {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-arguments-'));
  try {
    const path = join(folder, 'add.ptx');
    writeFileSync(path, PTX);
    new cuda.Linker().addData(PTX, 'ptx', 'add').addFile(path);
    new cuda.DynamicModule().addData(PTX, 'ptx', 'add').addFile(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function loaded(): void {
  const program = cuda.Program.fromBytes(PTX);
  program.toModule({ maxRegisters: 32 }).close();
  program.toLibrary({ maxRegisters: 32 }).close();
}

function lockedPools(): void {
  using pool = new cuda.PageLockedMemoryPool();
  using array = pool.allocate(16, 'f32');
  pool.free(array);
}

function scalars(): void {
  const names = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32'] as const;
  for (const name of names) cuda[name](1);
  for (const name of ['float16', 'bfloat16', 'float32', 'float64'] as const) cuda[name](1);
  for (const name of ['int64', 'uint64'] as const) cuda[name](1n);
  cuda.struct({ a: 'i32' });
}

/** What the programs that are made to fail leave out, because the driver takes no part in it or another one covers it. */
export const ARGUMENT_PROGRAMS: Readonly<Record<string, Program>> = {
  launches,
  handles,
  arrayCopies,
  views,
  hostArrays,
  files,
  slices,
  questions,
  ends,
  loops,
  inputs,
  loaded,
  lockedPools,
  scalars,
};
