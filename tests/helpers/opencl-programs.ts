import * as cl from '../../src/opencl/index.ts';
import { read, type Program } from './faults.ts';

/** What every program is given: a context of the device and a queue, which outlive it. */
export interface OpenCLGround {
  readonly context: cl.Context;
  readonly queue: cl.CommandQueue;
  /** A program's binary, so that nothing is compiled: kernels `add(global float *, int)` and `none()`. */
  readonly binary: Uint8Array;
}

/** The source of {@link OpenCLGround.binary}. */
export const FAULTS_SOURCE = `__kernel void add(__global float *a, int n) { if (n > 0) a[0] = 1; }
__kernel void none(void) {}`;

const { READ_WRITE } = cl.MemFlags;
const bytes = (): Uint8Array => new Uint8Array(64);

/** Small programs that together reach the tables; each closes what it makes, whatever fails. */
export function openclPrograms(ground: () => OpenCLGround): Readonly<Record<string, Program>> {
  const image = (): cl.Image => {
    const format = new cl.ImageFormat(cl.ChannelOrder.RGBA, cl.ChannelType.UNSIGNED_INT8);
    return new cl.Image(ground().context, READ_WRITE, format, [4, 4]);
  };
  const buffer = (): cl.Buffer => new cl.Buffer(ground().context, READ_WRITE, 256);
  const program = (): cl.Program => {
    const { context, binary } = ground();
    const made = cl.Program.fromBinaries(context, [binary]);
    try {
      return made.build();
    } catch (error) {
      made.close();
      throw error;
    }
  };
  return {
    buffers: () => {
      const { context, queue } = ground();
      using a = buffer();
      using b = buffer();
      using part = a.subRegion(0, 128);
      using from = new cl.Buffer(context, READ_WRITE | cl.MemFlags.COPY_HOST_PTR, bytes());
      cl.enqueueCopy(queue, a, bytes()).close();
      cl.enqueueCopy(queue, bytes(), a).close();
      cl.enqueueCopy(queue, b, a).close();
      cl.enqueueCopy(queue, bytes(), a, { blocking: false }).close();
      cl.enqueueFill(queue, a, 0).close();
      cl.enqueueMigrate(queue, [a]).close();
      read(part.handle, from.handle, a.referenceCount);
      a.getInfo('SIZE');
      queue.finish();
    },
    rectangles: () => {
      const { queue } = ground();
      using a = buffer();
      using b = buffer();
      const box = { region: [4, 4] as const, bufferOrigin: [0, 0] as const, hostOrigin: [0, 0] as const };
      const pitches = { bufferPitches: [8] as const, hostPitches: [8] as const };
      cl.enqueueCopy(queue, a, bytes(), { ...box, ...pitches }).close();
      cl.enqueueCopy(queue, bytes(), a, { ...box, ...pitches }).close();
      cl.enqueueCopy(queue, b, a, { region: [4, 4], srcOrigin: [0, 0], dstOrigin: [0, 0] }).close();
      queue.finish();
    },
    maps: () => {
      const { queue } = ground();
      using a = buffer();
      using map = cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ);
      using picture = image();
      using pixels = cl.enqueueMapImage(queue, picture, cl.MapFlags.READ);
      read(map.array, pixels.array);
    },
    images: () => {
      const { queue, context } = ground();
      using a = image();
      using b = image();
      using flat = buffer();
      cl.enqueueCopy(queue, a, bytes(), { origin: [0, 0], region: [4, 4] }).close();
      cl.enqueueCopy(queue, bytes(), a, { origin: [0, 0], region: [4, 4] }).close();
      cl.enqueueCopy(queue, b, a, { srcOrigin: [0, 0], dstOrigin: [0, 0], region: [4, 4] }).close();
      cl.enqueueCopy(queue, flat, a, { origin: [0, 0], region: [4, 4] }).close();
      cl.enqueueCopy(queue, a, flat, { origin: [0, 0], region: [4, 4] }).close();
      cl.enqueueFill(queue, a, [1, 2, 3, 4]).close();
      cl.getSupportedImageFormats(context, READ_WRITE);
      a.getImageInfo('WIDTH');
      queue.finish();
    },
    samplers: () => {
      using sampler = new cl.Sampler(ground().context, false, cl.AddressingMode.CLAMP, cl.FilterMode.NEAREST);
      sampler.getInfo('NORMALIZED_COORDS');
    },
    programs: () => {
      using made = program();
      read(made.devices, made.kernels);
    },
    kernels: () => {
      const { queue } = ground();
      using made = program();
      using kernel = new cl.Kernel(made, 'add');
      using a = buffer();
      kernel(queue, 16, null, a, cl.int32(0)).close();
      kernel.setArgs(a, cl.int32(1));
      cl.enqueueNDRangeKernel(queue, kernel, 16, null).close();
      kernel.getInfo('NUM_ARGS');
      using copy = kernel.clone();
      read(copy.handle);
      queue.finish();
    },
    svm: () => {
      const { context, queue } = ground();
      using a = new cl.SVMAllocation(context, READ_WRITE, 256);
      using b = new cl.SVMAllocation(context, READ_WRITE, 256);
      cl.enqueueCopy(queue, a, b).close();
      cl.enqueueSVMMemFill(queue, a, 0).close();
      cl.enqueueSVMMigrate(queue, [a]).close();
      queue.finish();
    },
    events: () => {
      const { context, queue } = ground();
      using go = new cl.UserEvent(context);
      using marker = cl.enqueueMarker(queue, { waitFor: [go] });
      go.setStatus(0);
      marker.wait();
      cl.waitForEvents([marker]);
      marker.getInfo('COMMAND_TYPE');
      cl.enqueueBarrier(queue).close();
      queue.flush();
    },
    contexts: () => {
      const { context } = ground();
      using own = new cl.Context(context.devices);
      using queue = new cl.CommandQueue(own);
      queue.getInfo('PROPERTIES');
      own.getInfo('NUM_DEVICES');
      queue.finish();
    },
    devices: () => {
      const [platform] = cl.getPlatforms();
      const [device] = platform?.getDevices() ?? [];
      read(platform?.name, device?.name);
      device?.getInfo('MAX_WORK_GROUP_SIZE');
    },
    pools: () => {
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(ground().queue));
      using a = pool.allocate(64);
      read(a.handle);
    },
  };
}
