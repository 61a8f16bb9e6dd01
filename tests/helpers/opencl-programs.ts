import * as entry from '../../src/opencl/index.ts';
import { read } from './faults.ts';
import { codePrograms } from './opencl-programs-code.ts';
import { extensionPrograms } from './opencl-programs-extensions.ts';
import { handlePrograms } from './opencl-programs-handles.ts';
import {
  bytes,
  COPY_HOST_PTR,
  makersOf,
  READ_WRITE,
  type OpenCLGround,
  type Programs,
} from './opencl-programs-shared.ts';
import { sharedPrograms } from './opencl-programs-svm.ts';
import { retrying } from './retrying.ts';

const cl = retrying(entry);
const { CLAMP } = entry.AddressingMode;
const { NEAREST } = entry.FilterMode;

/** Small programs that together reach the tables; each closes what it makes, whatever fails. */
export function openclPrograms(ground: () => OpenCLGround): Programs {
  return {
    ...commandPrograms(ground),
    ...objectPrograms(ground),
    ...codePrograms(ground),
    ...sharedPrograms(ground),
    ...handlePrograms(ground),
    ...extensionPrograms(ground),
  };
}

/** Commands, in what OpenCL 1.0 has already. */
export function commandPrograms(ground: () => OpenCLGround): Programs {
  const { buffer, image, program } = makersOf(ground);
  return {
    buffers: () => {
      const { context, queue } = ground();
      using a = buffer();
      using b = buffer();
      using from = new cl.Buffer(context, READ_WRITE | COPY_HOST_PTR, bytes());
      cl.enqueueCopy(queue, a, bytes()).close();
      cl.enqueueCopy(queue, bytes(), a).close();
      cl.enqueueCopy(queue, b, a).close();
      cl.enqueueCopy(queue, bytes(), a, { blocking: false }).close();
      cl.enqueueFill(queue, a, 0).close();
      cl.enqueueMigrate(queue, [a]).close();
      read(from.handle, a.referenceCount);
      a.getInfo('SIZE');
      queue.finish();
    },
    maps: () => {
      const { queue } = ground();
      using a = buffer();
      using map = cl.enqueueMapBuffer(queue, a, entry.MapFlags.READ);
      using picture = image();
      using pixels = cl.enqueueMapImage(queue, picture, entry.MapFlags.READ);
      read(map.array, pixels.array);
      map.unmap().close();
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
    deepImages: () => {
      const format = new cl.ImageFormat(entry.ChannelOrder.RGBA, entry.ChannelType.UNSIGNED_INT8);
      using deep = new cl.Image(ground().context, READ_WRITE, format, [4, 4, 4]);
      read(deep.depth);
    },
    samplers: () => {
      using sampler = new cl.Sampler(ground().context, false, CLAMP, NEAREST);
      sampler.getInfo('NORMALIZED_COORDS');
      read(sampler.addressingMode, sampler.filterMode, sampler.handle, sampler.referenceCount);
    },
    events: () => {
      const { queue } = ground();
      using marker = cl.enqueueMarker(queue);
      using behind = cl.enqueueMarker(queue, { waitFor: [marker] });
      cl.waitForEvents([behind]);
      marker.getInfo('COMMAND_TYPE');
      cl.enqueueBarrier(queue).close();
      cl.enqueueBarrier(queue, { waitFor: [marker] }).close();
      queue.flush();
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
      queue.finish();
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
      platform?.unloadCompiler();
    },
  };
}

/** Objects and commands of the versions after it. */
function objectPrograms(ground: () => OpenCLGround): Programs {
  const { buffer, image, program } = makersOf(ground);
  return {
    parts: () => {
      using a = buffer();
      using part = a.subRegion(0, 128);
      read(part.handle, part.root, part.byteLength);
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
    userEvents: async () => {
      const { context, queue } = ground();
      using go = new cl.UserEvent(context);
      using marker = cl.enqueueMarker(queue, { waitFor: [go] });
      go.setStatus(0);
      marker.wait();
      await marker.done();
      await marker.reached(0);
      read(marker.status, marker.isDone);
    },
    waits: () => {
      const { queue } = ground();
      using made = program();
      using kernel = new cl.Kernel(made, 'none');
      using event = kernel(queue, 16, null);
      event.wait();
    },
    profiles: () => {
      using queue = new cl.CommandQueue(ground().context, { profiling: true, outOfOrder: true });
      using event = cl.enqueueMarker(queue);
      event.wait();
      read(event.profile, event.duration);
    },
    ends: async () => {
      const { queue } = ground();
      cl.enqueueMarker(queue).close();
      await queue.done();
    },
    hostArrays: () => {
      const { queue, context } = ground();
      using over = new cl.Buffer(context, READ_WRITE | entry.MemFlags.USE_HOST_PTR, bytes());
      using map = cl.enqueueMapBuffer(queue, over, entry.MapFlags.WRITE, { type: 'f32', blocking: false });
      map.event.wait();
      read(over.hostArray, map.array);
    },
    imagesOfArrays: () => {
      using picture = cl.imageFromArray(ground().context, new Uint8Array(64), [4, 4], { channels: 4 });
      read(picture.width, picture.byteLength);
      using over = image();
      read(over.format);
    },
    pools: () => {
      const { context, queue } = ground();
      using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      using a = pool.allocate(64);
      read(a.handle);
      const deferred = new cl.DeferredAllocator(context);
      using b = deferred.allocate(64);
      cl.enqueueFill(queue, b, 0).close();
    },
    subDevices: () => {
      const { context } = ground();
      const [device] = context.devices;
      const parts = device?.createSubDevices({ equally: 1 }) ?? [];
      try {
        read(parts.map(({ parent, raw }) => [parent, raw]));
      } finally {
        for (const part of parts) part.close();
      }
    },
    timers: () => {
      const [device] = ground().context.devices;
      read(device?.hostTimer(), device?.deviceAndHostTimer());
    },
    deviceQueues: () => {
      using queue = new cl.DeviceQueue(ground().context, { size: 4096, isDefault: true });
      queue.makeDefault();
      queue.getInfo('PROPERTIES');
    },
    pipes: () => {
      using pipe = new cl.Pipe(ground().context, 4, 16);
      pipe.getPipeInfo('MAX_PACKETS');
    },
  };
}
