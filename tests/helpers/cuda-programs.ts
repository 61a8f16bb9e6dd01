import * as entry from '../../src/cuda/index.ts';
import { PTX } from './cuda-makers.ts';
import { CODE_PROGRAMS } from './cuda-programs-code.ts';
import { COPY_PROGRAMS } from './cuda-programs-copies.ts';
import { comeBack, host } from './cuda-programs-shared.ts';
import { read, type Program } from './faults.ts';
import { again, retrying } from './retrying.ts';

const cuda = retrying(entry);

function memory(): void {
  using a = cuda.memAlloc(256);
  using b = cuda.memAlloc(256);
  using stream = new cuda.Stream();
  cuda.memcpyHtoD(a, host());
  cuda.memcpyDtoH(host(), a);
  cuda.memcpyDtoD(b, a, 64);
  cuda.memcpyHtoDAsync(a, host(), stream);
  cuda.memcpyDtoHAsync(host(), a, stream);
  cuda.memcpyDtoDAsync(b, a, 64, stream);
  cuda.memsetD8(a, 1, 16);
  cuda.memsetD16(a, 1, 16);
  cuda.memsetD32(a, 1, 16);
  cuda.memsetD8Async(a, 1, 16, stream);
  cuda.memsetD16Async(a, 1, 16, stream);
  cuda.memsetD32Async(a, 1, 16, stream);
  cuda.memsetD2D8(a, 16, 1, 4, 4);
  cuda.memsetD2D16(a, 16, 1, 4, 4);
  cuda.memsetD2D32(a, 16, 1, 4, 4);
  cuda.memsetD2D8Async(a, 16, 1, 4, 4, stream);
  cuda.memsetD2D16Async(a, 16, 1, 4, 4, stream);
  cuda.memsetD2D32Async(a, 16, 1, 4, 4, stream);
  cuda.memGetInfo();
  cuda.memGetAddressRange(a);
  cuda.pointerAttributes(a);
  stream.synchronize();
}

function pitched(): void {
  const { memory: block } = cuda.memAllocPitch(16, 4);
  block.close();
}

function toAndFrom(): void {
  using a = cuda.toDevice(host());
  cuda.fromDevice(a, 'u8');
}

function pools(): void {
  using stream = new cuda.Stream();
  using pool = new cuda.MemPool();
  using a = pool.alloc(64, stream);
  using b = cuda.memAllocAsync(64, stream);
  pool.trimTo(0);
  const { releaseThreshold } = pool;
  pool.releaseThreshold = releaseThreshold;
  read(pool.reuseFollowEventDependencies, a.ptr, b.ptr);
  pool.setAccess(new cuda.Device(0), 'readwrite');
  pool.getAccess(new cuda.Device(0));
  a.freeAsync(stream);
}

function clientPool(): void {
  using pool = new cuda.DeviceMemoryPool();
  using a = pool.allocate(64);
  using b = pool.allocate(64);
  read(a.ptr, b.ptr);
}

function hostMemory(): void {
  using array = cuda.pagelockedEmpty(64, 'f32');
  cuda.getDevicePointer(array);
  cuda.pagelockedFree(array);
}

function registered(): void {
  using memory = cuda.registerHostMemory(new Uint8Array(4096));
  read(memory.ptr);
}

function managed(): void {
  using array = cuda.managedEmpty(64, 'f32');
  cuda.memAdvise(array, 'setReadMostly');
  cuda.memPrefetchAsync(array, new cuda.Device(0));
  cuda.memRangeAttributes(array);
  cuda.streamAttachMemAsync(null, array);
  cuda.managedFree(array);
}

function streams(): void {
  using stream = new cuda.Stream({ priority: 0 });
  using other = new cuda.Stream({ nonBlocking: true });
  using event = new cuda.Event();
  using end = new cuda.Event();
  event.record(stream);
  other.waitForEvent(event);
  end.record(stream).synchronize();
  read(event.query(), event.timeTill(end));
  read(stream.priority, stream.flags, stream.id);
  other.copyAttributes(stream);
  read(stream.getAttributes());
  stream.setAttributes({ synchronizationPolicy: 'auto' });
  stream.synchronize();
}

function capture(): void {
  using stream = new cuda.Stream({ nonBlocking: true });
  using a = cuda.memAlloc(64);
  stream.beginCapture();
  try {
    cuda.memsetD8Async(a, 0, 16, stream);
    read(stream.isCapturing, stream.captureInfo);
  } finally {
    using graph = stream.endCapture();
    read(graph.handle);
  }
}

function modules(): void {
  using module = cuda.moduleFromBuffer(PTX);
  const add = module.getFunction('add');
  again(() => add(null, 1, { block: 1 }));
  const prepared = add.prepare({ block: 1 });
  again(() => prepared(null, 2));
  read(add.numRegs, add.maxActiveBlocksPerMultiprocessor(32));
  add.maxPotentialBlockSize();
  add.setCacheConfig(0);
  add.setAttribute(8, 0);
  module.hasFunction('add');
}

function libraries(): void {
  using library = cuda.libraryFromBuffer(PTX);
  const kernel = library.getKernel('add');
  again(() => kernel(null, 1, { block: 1 }));
  read(kernel.numRegs, kernel.function, library.kernels);
  kernel.setAttribute(8, 0);
  library.getModule().close();
}

function transfers(): void {
  using module = cuda.moduleFromBuffer(PTX);
  const add = module.getFunction('add');
  again(() => add(cuda.InOut(new Float32Array(4)), 4, { block: 1 }));
}

function graphs(): void {
  using graph = new cuda.Graph();
  using module = cuda.moduleFromBuffer(PTX);
  using a = cuda.memAlloc(64);
  using event = new cuda.Event({ timing: false });
  using child = new cuda.Graph();
  const empty = graph.addEmpty();
  const fill = graph.addMemset(a, 0, 64, { after: empty });
  const copy = graph.addMemcpy(a, host(), { after: fill });
  const work = graph.addKernel(module.getFunction('add'), [a, 1], { block: 1, after: copy });
  graph.addEventRecord(event, { after: work });
  graph.addEventWait(event, { after: work });
  child.addEmpty();
  graph.addChild(child);
  read(graph.nodes, graph.edges, work.dependencies, work.dependents);
  graph.addDependency(empty, work);
  graph.removeDependency(empty, work);
  using copied = graph.clone();
  read(copied.nodes);
  using exec = graph.instantiate();
  using stream = new cuda.Stream();
  exec.launch(stream);
  exec.upload(stream);
  exec.update(copied);
  stream.synchronize();
}

function contexts(): void {
  using back = comeBack();
  read(back);
  using own = new cuda.Context(new cuda.Device(0), { own: true });
  own.synchronize();
  own.getLimit(0);
  own.setLimit(0, 1024);
  const { cacheConfig } = own;
  own.cacheConfig = cacheConfig;
  read(own.streamPriorityRange);
  own.push();
  cuda.Context.pop();
}

function primary(): void {
  using back = comeBack();
  read(back);
  using context = new cuda.Context(new cuda.Device(0), { flags: cuda.ContextFlags.SCHED_YIELD });
  read(context.handle);
}

function devices(): void {
  const device = new cuda.Device(0);
  read(device.name, device.uuid, device.totalMemory, device.computeCapability, cuda.Device.count());
  device.canAccessPeer(new cuda.Device(0));
  cuda.driverVersion();
}

function textures(): void {
  using array = new cuda.OpaqueArray({ width: 16, height: 16, dtype: 'f32', surface: true });
  using texture = new cuda.Texture(array);
  using surface = new cuda.Surface(array);
  using mipmapped = new cuda.MipmappedArray({ width: 16, height: 16, dtype: 'f32' });
  using level = mipmapped.level(1);
  using block = cuda.memAlloc(1024);
  using linear = new cuda.Texture(block, { dtype: 'f32' });
  cuda.memcpyAtoD(block, array);
  cuda.memcpyDtoA(array, block);
  read(texture, surface, level, linear);
}

function boxes(): void {
  using a = cuda.memAlloc(1024);
  using stream = new cuda.Stream();
  const flat = new cuda.Memcpy2D();
  flat.setSrcDevice(a);
  flat.setDstHost(host());
  Object.assign(flat, { srcPitch: 16, dstPitch: 16, widthInBytes: 8, height: 2 });
  flat.run();
  flat.runAsync(stream);
  const deep = new cuda.Memcpy3D();
  deep.setSrcDevice(a);
  deep.setDstHost(host());
  Object.assign(deep, { srcPitch: 8, dstPitch: 8, srcHeight: 2, dstHeight: 2, widthInBytes: 8, height: 2, depth: 2 });
  deep.run();
  deep.runAsync(stream);
}

function space(): void {
  const unit = cuda.memGranularity();
  using range = new cuda.AddressRange(2 * unit);
  using block = new cuda.PhysicalMemory(unit);
  range.map(0, block);
  range.setAccess(new cuda.Device(0), 'readwrite');
  range.getAccess(new cuda.Device(0));
  range.unmap(0);
}

function green(): void {
  using part = new cuda.GreenContext(cuda.currentDevice(), { multiprocessors: 8 });
  using stream = part.createStream();
  using context = part.context;
  read(stream.handle, context.handle);
}

function shared(): void {
  using a = cuda.memAlloc(64);
  using event = new cuda.Event({ timing: false, interprocess: true });
  using opened = cuda.openIpcMemory(new Uint8Array(64));
  using other = cuda.Event.fromIpcHandle(new Uint8Array(64));
  using pool = cuda.MemPool.fromHandle(3);
  using pointer = pool.importPointer(new Uint8Array(64), 16);
  cuda.memIpcHandle(a);
  event.ipcHandle();
  read(opened.ptr, other.query(), pointer.ptr);
}

function peers(): void {
  using back = comeBack();
  read(back);
  using a = cuda.memAlloc(64);
  using b = cuda.memAlloc(64);
  using one = new cuda.Context(new cuda.Device(0), { own: true });
  cuda.enablePeerAccess(one);
  cuda.disablePeerAccess(one);
  read(a.ptr, b.ptr);
  cuda.peerAttributes(new cuda.Device(0), new cuda.Device(0));
}

function profiles(): void {
  cuda.profilerStart();
  cuda.profilerStop();
}

/** Small programs that together reach what the fake driver has; each closes what it makes, whatever fails. */
export const CUDA_PROGRAMS: Readonly<Record<string, Program>> = {
  memory,
  pitched,
  toAndFrom,
  pools,
  clientPool,
  hostMemory,
  registered,
  managed,
  streams,
  capture,
  modules,
  libraries,
  transfers,
  graphs,
  contexts,
  primary,
  devices,
  textures,
  boxes,
  space,
  green,
  shared,
  peers,
  profiles,
  ...CODE_PROGRAMS,
  ...COPY_PROGRAMS,
};
