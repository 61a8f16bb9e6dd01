import type * as Cuda from '../../src/cuda/index.ts';
import type * as Flat from '../../src/node-opencl/index.ts';
import type * as Nvml from '../../src/nvml/index.ts';
import type * as OpenCL from '../../src/opencl/index.ts';
import type * as Web from '../../src/webcl/index.ts';
import { type HalfName } from './halves.ts';
import { SOURCES } from './sources.ts';

/** What a half exports. */
export type Entry = Readonly<Record<string, unknown>>;

/** Makers of the objects that a sequence begins with; one that the device cannot make is left out. */
export type Ground = readonly (() => unknown)[];

const source = (name: string): string => SOURCES[name] ?? '';

/** By the half. */
export const GROUND: Readonly<Record<HalfName, (entry: never) => Ground>> = {
  cuda: groundOfCuda,
  opencl: groundOfOpenCL,
  nvml: (nvml: typeof Nvml) => [() => new nvml.Device(0)],
  'node-opencl': groundOfNodeOpenCL,
  webcl: groundOfWebCL,
};

function groundOfCuda(cuda: typeof Cuda): Ground {
  const module = later(() => new cuda.SourceModule(source('cuda')));
  return [
    () => new cuda.Device(0),
    () => new cuda.Context(new cuda.Device(0)),
    module,
    () => module().getFunction('add'),
    () => module().getFunction('none'),
    () => new cuda.Stream(),
    () => new cuda.Event(),
    () => cuda.memAlloc(4096),
    () => cuda.memAlloc(256),
    () => cuda.pagelockedEmpty(64, 'f32'),
    () => new cuda.Graph(),
    () => new cuda.OpaqueArray({ width: 8, height: 8, dtype: 'f32' }),
    () => new cuda.MemPool(),
    () => new cuda.DeviceMemoryPool(),
  ];
}

function groundOfOpenCL(cl: typeof OpenCL): Ground {
  const { READ_WRITE } = cl.MemFlags;
  const context = later(() => cl.createSomeContext({ interactive: false }));
  const queue = later(() => new cl.CommandQueue(context()));
  const program = later(() => new cl.Program(context(), source('opencl')).build());
  return [
    context,
    () => context().devices[0],
    queue,
    program,
    () => new cl.Kernel(program(), 'add'),
    () => new cl.Kernel(program(), 'none'),
    () => new cl.Buffer(context(), READ_WRITE, 4096),
    () => new cl.Buffer(context(), READ_WRITE, 256),
    () => {
      const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNORM_INT8);
      return new cl.Image(context(), READ_WRITE, format, [8, 8]);
    },
    () => new cl.Sampler(context(), false, cl.AddressingMode.CLAMP, cl.FilterMode.NEAREST),
    () => cl.enqueueMarker(queue()),
    () => new cl.UserEvent(context()),
    () => new cl.SVMAllocation(context(), READ_WRITE, 256),
    () => new cl.MemoryPool(new cl.ImmediateAllocator(queue())),
  ];
}

function groundOfNodeOpenCL(entry: typeof Flat): Ground {
  const cl = entry.default;
  const platform = later(() => first(cl.getPlatformIDs()));
  const device = later(() => first(cl.getDeviceIDs(platform())));
  const context = later(() => cl.createContext(null, [device()]));
  const queue = later(() => cl.createCommandQueue(context(), device(), 0));
  const program = later(() => {
    const made = cl.createProgramWithSource(context(), source('opencl'));
    cl.buildProgram(made);
    return made;
  });
  const kernel = later(() => cl.createKernel(program(), 'add'));
  return [
    platform,
    device,
    context,
    queue,
    program,
    kernel,
    () => cl.createKernel(program(), 'none'),
    () => {
      const buffer = cl.createBuffer(context(), 0, 256);
      cl.setKernelArg(kernel(), 0, 'float*', buffer);
      return buffer;
    },
    () => cl.createBuffer(context(), 0, 64),
    () => cl.createUserEvent(context()),
    () => cl.createSampler(context(), false, cl.ADDRESS_CLAMP, cl.FILTER_NEAREST),
    () => cl.enqueueMarker(queue(), true),
  ];
}

function groundOfWebCL({ webcl }: typeof Web): Ground {
  const context = later(() => webcl.createContext());
  const device = later(() => first(context().getInfo(webcl.CONTEXT_DEVICES) as Web.WebCLDevice[]));
  const program = later(() => {
    const made = context().createProgram(source('opencl'));
    made.build([device()]);
    return made;
  });
  return [
    () => webcl.getPlatforms()[0],
    context,
    device,
    () => context().createCommandQueue(device()),
    program,
    () => program().createKernel('add'),
    () => program().createKernel('none'),
    () => context().createBuffer(webcl.MEM_READ_WRITE, 256),
    () => context().createBuffer(webcl.MEM_READ_WRITE, 64),
    () => context().createImage(webcl.MEM_READ_WRITE, { width: 8, height: 8 }),
    () => context().createSampler(true, webcl.ADDRESS_CLAMP, webcl.FILTER_NEAREST),
    () => context().createUserEvent(),
  ];
}

/** Makes a thing once, and only once it is wanted. */
function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new Error('there is none');
  return item;
}
