import * as cuda from '../../src/cuda/index.ts';
import * as cl from '../../src/opencl/index.ts';
import type { BenchKernel } from './kernels.ts';

/** One kernel on one device, ready to run. */
export interface Side {
  /** Run once and wait. */
  readonly run: () => void;
  readonly result: () => Float32Array;
}

export function embedded({ cuda: source, global, local, args, result }: BenchKernel): Side {
  const module = new cuda.SourceModule(source);
  const kernel = module.getFunction('k');
  const passed = args().map((arg) => (typeof arg === 'number' ? arg : cuda.toDevice(arg)));
  const options = { block: [...local], grid: [global[0] / local[0], global[1] / local[1]] } as const;
  const launch = kernel.prepare(options);
  return {
    run: () => {
      launch(...passed);
      cuda.Context.current?.synchronize();
    },
    result: () => cuda.fromDevice(passed[result] as never, 'f32'),
  };
}

/** The same on PoCL; undefined where there is none. */
export function pocl({ opencl, global, local, args, result }: BenchKernel): Side | undefined {
  const platform = platforms().find(({ name }) => name.includes('Portable'));
  if (!platform || opencl === undefined) return undefined;
  const ctx = new cl.Context([platform.getDevices()[0] as InstanceType<typeof cl.Device>]);
  const queue = new cl.CommandQueue(ctx);
  const kernel = new cl.Program(ctx, opencl).build().kernel('k');
  const { COPY_HOST_PTR, READ_WRITE } = cl.MemFlags;
  const passed = args().map((arg) =>
    typeof arg === 'number' ? arg : new cl.Buffer(ctx, COPY_HOST_PTR | READ_WRITE, arg),
  );
  return {
    run: () => {
      kernel(queue, [...global], [...local], ...passed);
      queue.finish();
    },
    result: () => {
      const buffer = passed[result] as InstanceType<typeof cl.Buffer>;
      const array = new Float32Array(buffer.byteLength / 4);
      cl.enqueueCopy(queue, array, buffer);
      return array;
    },
  };
}

/** What PoCL calls itself, with its version. */
export function poclVersion(): string | undefined {
  return platforms().find(({ name }) => name.includes('Portable'))?.version;
}

function platforms(): readonly InstanceType<typeof cl.Platform>[] {
  try {
    return cl.getPlatforms();
  } catch {
    return [];
  }
}
