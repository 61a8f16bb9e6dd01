import * as cuda from 'rawkernel/cuda';
import * as cl from 'rawkernel/opencl';
import type { BenchArgument, BenchKernel } from './kernels/kernel.ts';

/** One kernel on one device, ready to run. */
export interface Side {
  /** Run once and wait. */
  readonly run: () => void;
  readonly result: () => Result;
}

/** The numbers that a kernel made. */
export type Result = Exclude<BenchArgument, number>;

/** The language in which a kernel runs on the embedded device. PoCL always has it in OpenCL C. */
export type Language = 'cuda' | 'opencl';

/** A kernel on the embedded device; undefined where the language cannot say it. */
export function embedded(bench: BenchKernel, language: Language): Side | undefined {
  return language === 'cuda' ? onCuda(bench) : onOpenCL(bench, 'rawkernel');
}

/** The same on PoCL; undefined where there is none. */
export function pocl(bench: BenchKernel): Side | undefined {
  return onOpenCL(bench, POCL);
}

/** The same under oclgrind, where that is the OpenCL library. */
export function simulated(bench: BenchKernel): Side | undefined {
  return onOpenCL(bench, 'Oclgrind');
}

function onCuda({ cuda: source, global, local, args, result }: BenchKernel): Side {
  const module = new cuda.SourceModule(source);
  const kernel = module.getFunction('k');
  const made = args();
  const passed = made.map((arg) => (typeof arg === 'number' ? arg : cuda.toDevice(arg)));
  const grid = global.map((size, i) => size / (local[i] ?? 1));
  const launch = kernel.prepare({ block: local, grid });
  return {
    run: () => {
      launch(...passed);
      cuda.Context.current?.synchronize();
    },
    result: () => {
      const array = emptyOf(made[result]);
      cuda.memcpyDtoH(array, passed[result] as cuda.DeviceAllocation);
      return array;
    },
  };
}

function onOpenCL({ opencl, global, local, args, result }: BenchKernel, name: string): Side | undefined {
  const device = deviceOf(name);
  if (!device || opencl === undefined) return undefined;
  const ctx = new cl.Context([device]);
  const queue = new cl.CommandQueue(ctx);
  const kernel = new cl.Program(ctx, opencl).build().kernel('k');
  const { COPY_HOST_PTR, READ_WRITE } = cl.MemFlags;
  const made = args();
  const passed = made.map((arg) =>
    typeof arg === 'number' ? arg : new cl.Buffer(ctx, COPY_HOST_PTR | READ_WRITE, arg),
  );
  return {
    run: () => {
      kernel(queue, global, local, ...passed);
      queue.finish();
    },
    result: () => {
      const array = emptyOf(made[result]);
      cl.enqueueCopy(queue, array, passed[result] as InstanceType<typeof cl.Buffer>);
      return array;
    },
  };
}

/** An array of the same kind and length. */
function emptyOf(argument: BenchArgument | undefined): Result {
  if (argument === undefined || typeof argument === 'number') throw new TypeError('the result must be an array');
  return new (argument.constructor as new (length: number) => Result)(argument.length);
}

/** A launch of an empty kernel, and waiting for it. */
export interface EmptyLaunch {
  readonly launch: (n: number) => void;
  readonly wait: () => void;
}

/** An empty kernel on the embedded device. */
export function emptyOnEmbedded(language: Language): EmptyLaunch | undefined {
  if (language === 'opencl') return emptyOnOpenCL('rawkernel');
  const kernel = new cuda.SourceModule('extern "C" __global__ void k(int n) {}').getFunction('k');
  return { launch: kernel.prepare({ block: 32 }), wait: () => cuda.Context.current?.synchronize() };
}

/** An empty kernel on PoCL. */
export function emptyOnPocl(): EmptyLaunch | undefined {
  return emptyOnOpenCL(POCL);
}

function emptyOnOpenCL(name: string): EmptyLaunch | undefined {
  const device = deviceOf(name);
  if (!device) return undefined;
  const ctx = new cl.Context([device]);
  const queue = new cl.CommandQueue(ctx);
  const kernel = new cl.Program(ctx, '__kernel void k(int n) {}').build().kernel('k');
  return {
    launch: (n) => {
      kernel(queue, 32, 32, n);
    },
    wait: () => {
      queue.finish();
    },
  };
}

/** A part of PoCL's name of its platform. */
export const POCL = 'Portable';

/** What PoCL calls itself, with its version. */
export function poclVersion(): string | undefined {
  return platforms().find(({ name }) => name.includes(POCL))?.version;
}

/** The first device of a platform. */
export function deviceOf(name: string): InstanceType<typeof cl.Device> | undefined {
  return platforms()
    .find((platform) => platform.name.includes(name))
    ?.getDevices()[0];
}

function platforms(): readonly InstanceType<typeof cl.Platform>[] {
  // CUDA has been settled on the embedded device by now; OpenCL is to have both.
  process.env['RAWKERNEL_DEVICE'] = 'auto';
  try {
    return cl.getPlatforms();
  } catch {
    return [];
  }
}
