import * as entry from '../../src/node-opencl/index.ts';
import type { OpenCLGround, Programs } from './opencl-programs-shared.ts';
import { retrying } from './retrying.ts';

const cl = retrying(entry);

/** An object until the end of a block. */
function owned<T>(value: T, release: (value: T) => unknown): Disposable & { readonly value: T } {
  return {
    value,
    [Symbol.dispose]: () => {
      release(value);
    },
  };
}

function platformAndDevice(): readonly [entry.CLPlatformId, entry.CLDeviceId] {
  const [platform] = cl.getPlatformIDs();
  const [device] = platform ? cl.getDeviceIDs(platform) : [];
  if (!platform || !device) throw new Error('there is no device');
  return [platform, device];
}

/** Programs of node-opencl for what `rawkernel/opencl` does not call. */
export function nodeOpenCLPrograms(ground: () => OpenCLGround): Programs {
  const makeContext = (): Disposable & { readonly value: entry.CLContext } => {
    const [platform, device] = platformAndDevice();
    return owned(cl.createContext([cl.CONTEXT_PLATFORM, platform], [device]), cl.releaseContext);
  };
  return {
    fromType: () => {
      const [platform] = platformAndDevice();
      using context = owned(
        cl.createContextFromType([cl.CONTEXT_PLATFORM, platform], cl.DEVICE_TYPE_ALL, null, null),
        cl.releaseContext,
      );
      cl.getContextInfo(context.value, cl.CONTEXT_NUM_DEVICES);
    },
    subDevices: () => {
      const [, device] = platformAndDevice();
      const parts = cl.createSubDevices(device, [cl.DEVICE_PARTITION_EQUALLY, 1, 0]);
      for (const part of parts) {
        using one = owned(part, cl.releaseDevice);
        cl.retainDevice(one.value);
        cl.releaseDevice(one.value);
      }
    },
    tasks: () => {
      const { binary } = ground();
      const [, device] = platformAndDevice();
      using context = makeContext();
      using queue = owned(cl.createCommandQueue(context.value, device, null), cl.releaseCommandQueue);
      using program = owned(
        cl.createProgramWithBinary(context.value, [device], [binary.length], [binary]),
        cl.releaseProgram,
      );
      cl.buildProgram(program.value, [device]);
      using kernel = owned(cl.createKernel(program.value, 'none'), cl.releaseKernel);
      cl.enqueueTask(queue.value, kernel.value);
      cl.finish(queue.value);
    },
    references: () => {
      const [, device] = platformAndDevice();
      using context = makeContext();
      using queue = owned(cl.createCommandQueue(context.value, device, null), cl.releaseCommandQueue);
      using buffer = owned(cl.createBuffer(context.value, cl.MEM_READ_WRITE, 64), cl.releaseMemObject);
      cl.retainContext(context.value);
      cl.releaseContext(context.value);
      cl.retainCommandQueue(queue.value);
      cl.releaseCommandQueue(queue.value);
      cl.retainMemObject(buffer.value);
      cl.releaseMemObject(buffer.value);
    },
  };
}
