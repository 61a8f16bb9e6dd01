import { afterAll, beforeAll } from '@jest/globals';
import type { Device } from '../../src/opencl/device/device.ts';
import * as cl from '../../src/node-opencl/index.ts';

/** node-opencl's objects of one device, made before the tests of a block and released after them. */
export interface Bench {
  readonly platform: cl.CLPlatformId;
  readonly device: cl.CLDeviceId;
  readonly context: cl.CLContext;
  readonly queue: cl.CLCommandQueue;
}

/** The context and the queue of a device for the tests of the block that calls this. */
export function withBench(device: Device, profiling = false): Bench {
  const bench: { -readonly [Key in keyof Bench]?: Bench[Key] } = {};
  beforeAll(() => {
    Object.assign(bench, find(device));
    const { platform, device: id } = bench as Bench;
    bench.context = cl.createContext([cl.CONTEXT_PLATFORM, platform], [id]);
    bench.queue = cl.createCommandQueue(bench.context, id, profiling ? cl.QUEUE_PROFILING_ENABLE : null);
  });
  afterAll(() => {
    if (bench.queue) {
      cl.finish(bench.queue);
      cl.releaseCommandQueue(bench.queue);
    }
    if (bench.context) cl.releaseContext(bench.context);
  });
  return bench as Bench;
}

/** A kernel of a source text. */
export function build(bench: Bench, source: string, name: string, options = ''): cl.CLKernel {
  const program = cl.createProgramWithSource(bench.context, source);
  cl.buildProgram(program, [bench.device], options);
  const kernel = cl.createKernel(program, name);
  cl.releaseProgram(program);
  return kernel;
}

/** What a buffer holds. */
export function read(bench: Bench, buffer: cl.CLMem, byteLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  cl.enqueueReadBuffer(bench.queue, buffer, true, 0, byteLength, bytes);
  return bytes;
}

function find(device: Device): Pick<Bench, 'platform' | 'device'> {
  for (const platform of cl.getPlatformIDs()) {
    if (cl.getPlatformInfo(platform, cl.PLATFORM_NAME) !== device.platform.name) continue;
    const found = cl.getDeviceIDs(platform).find((id) => cl.getDeviceInfo(id, cl.DEVICE_NAME) === device.name);
    if (found) return { platform, device: found };
  }
  throw new Error(`${device.name} is not there`);
}
