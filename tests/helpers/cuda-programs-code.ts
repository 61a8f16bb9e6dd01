import * as entry from '../../src/cuda/index.ts';
import { PTX } from './cuda-makers.ts';
import { comeBack, host } from './cuda-programs-shared.ts';
import { read, type Program } from './faults.ts';
import { again, retrying } from './retrying.ts';

const cuda = retrying(entry);
/** Machine code, of which only the driver knows the kernels. */
const CUBIN = Buffer.alloc(128);
CUBIN.write('\x7fELF', 'latin1');
CUBIN.write('.text.add\0.text.none\0', 64);

function links(): void {
  const program = cuda.Program.fromBytes(PTX);
  const linker = new cuda.Linker().add(program, 'a').add(program, 'b');
  read(linker.link().code);
}

function lists(): void {
  using module = cuda.moduleFromBuffer(CUBIN);
  using library = cuda.libraryFromBuffer(CUBIN);
  read(module.kernels, library.kernels, cuda.moduleLoadingMode());
}

function variables(): void {
  using module = cuda.moduleFromBuffer(PTX);
  using library = cuda.libraryFromBuffer(PTX);
  read(module.getGlobal('table'), library.getGlobal('table'), library.getManaged('table'));
}

function references(): void {
  using module = cuda.moduleFromBuffer(PTX);
  using array = new cuda.OpaqueArray({ width: 16, height: 16, dtype: 'f32', surface: true });
  using mipmapped = new cuda.MipmappedArray({ width: 16, height: 16, dtype: 'f32' });
  using block = cuda.memAlloc(1024);
  const texture = module.getTextureReference('image');
  texture.bind(array, { addressMode: 'border' });
  texture.bind(mipmapped, { normalizedCoords: true });
  texture.bind(block, { dtype: 'f32' });
  texture.bind(block, { dtype: 'f32', width: 8, height: 8, pitch: 32 });
  const surface = module.getSurfaceReference('image');
  surface.bind(array);
  read(texture.handle, surface.handle);
}

function occupancy(): void {
  using module = cuda.moduleFromBuffer(PTX);
  using library = cuda.libraryFromBuffer(PTX);
  const add = module.getFunction('add');
  const cluster = { grid: 8, block: 32, cluster: 2 };
  add.load();
  add.isLoaded();
  add.maxActiveBlocksPerMultiprocessor(32, 0, { disableCachingOverride: true });
  add.maxPotentialBlockSize({ disableCachingOverride: true });
  add.maxPotentialBlockSize({ sharedBytes: (threads) => threads });
  add.availableDynamicSharedBytes(1, 32);
  add.maxPotentialClusterSize({ grid: 8, block: 32 });
  add.maxActiveClusters(cluster);
  again(() => {
    add(null, 1, cluster);
  });
  const kernel = library.getKernel('add');
  kernel.load();
  kernel.isLoaded();
  read(kernel.parameters, add.localSizeBytes);
}

function tensors(): void {
  using memory = cuda.memAlloc(65_536);
  const map = cuda.tensorMap(memory, { dtype: 'f32', shape: [64, 64], box: [16, 16] });
  map.replaceAddress(memory);
  cuda.tensorMapIm2col(memory, {
    dtype: 'f32',
    shape: [1, 4, 4, 16],
    lowerCorner: [0, 0],
    upperCorner: [0, 0],
    channelsPerPixel: 16,
    pixelsPerColumn: 4,
  });
}

function shapes(): void {
  using graph = new cuda.Graph();
  using child = new cuda.Graph();
  using other = new cuda.Graph();
  using module = cuda.moduleFromBuffer(PTX);
  using memory = cuda.memAlloc(64);
  using event = new cuda.Event({ timing: false });
  const add = module.getFunction('add');
  const work = graph.addKernel(add, [memory, 1], { block: 1, priority: 1 });
  const copy = graph.addMemcpy(memory, host());
  const fill = graph.addMemset(memory, 0, 16);
  const record = graph.addEventRecord(event);
  const wait = graph.addEventWait(event);
  const inner = graph.addChild(child);
  using exec = graph.instantiate();
  exec.setKernel(work, add, [memory, 2], { block: 2 });
  exec.setMemcpy(copy, memory, host());
  exec.setMemset(fill, memory, 1, 16);
  exec.setEvent(record, event);
  exec.setEvent(wait, event);
  exec.setChild(inner, other);
  exec.setEnabled(work, false);
  exec.isEnabled(work);
  graph.remove(fill);
  graph.dot();
}

function branches(): void {
  using graph = new cuda.Graph();
  const block = graph.addMemAlloc(64);
  graph.addMemFree(block, { after: block });
  const condition = graph.createCondition({ initial: 1 });
  const { bodies } = graph.addIf(condition, { otherwise: true });
  // They keep the graph.
  using then = bodies[0];
  using otherwise = bodies[1];
  then?.addEmpty();
  otherwise?.addEmpty();
  read(graph.nodes);
}

/** What is destroyed during a capture. */
function spoilt(): void {
  using back = comeBack();
  read(back);
  using stream = new cuda.Stream({ nonBlocking: true });
  stream.beginCapture();
  try {
    cuda.memAlloc(64).close();
  } finally {
    stream.endCapture().close();
  }
}

/** Programs of code that is loaded, linked and put in graphs. */
export const CODE_PROGRAMS: Readonly<Record<string, Program>> = {
  links,
  lists,
  variables,
  references,
  occupancy,
  tensors,
  shapes,
  branches,
  spoilt,
};
