import type { Device } from '../../src/opencl/device/device.ts';
import { DeviceType } from '../../src/opencl/sys/enums.ts';
import { choiceOf, embeddedOpenCL, openclDevices } from '../helpers/opencl-devices.ts';

/** A half on a device, and the statements that use it in a program of its own. */
export interface Target {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the driver itself lives where files cannot grow: PoCL aborts when it cannot write its own. */
  readonly needsNoFiles: boolean;
  /** Imports, and a context in which there are memory and a queue. */
  readonly setUp: string;
  /** `compile(source)` as an expression that gives a promise. */
  readonly compile: string;
  /** Wants `module`: computes and says `6`. */
  readonly compute: string;
  /** Wants `module`: starts a kernel that goes on for a long time and begins to wait for it. */
  readonly spin: string;
  /** The same with a kernel that ends after some tenths of a second. */
  readonly shortSpin: string;
}

/** How often a kernel turns: a GPU takes long for each, and its driver may hold a process until the kernel has ended. */
const spins = (onGpu: boolean): { readonly long: string; readonly short: string } =>
  onGpu ? { long: '40000000', short: '2000000' } : { long: '2147483647', short: '200000000' };

function spinning(text: (turns: string) => string, onGpu: boolean): Pick<Target, 'spin' | 'shortSpin'> {
  const { long, short } = spins(onGpu);
  return { spin: text(long), shortSpin: text(short) };
}

const CUDA: Target = {
  name: 'CUDA',
  env: {},
  needsNoFiles: true,
  setUp: `
    import * as gpu from 'rawkernel/cuda';
    const context = new gpu.Context();
    const source = \`
      extern "C" __global__ void add(int *x, int n) { x[threadIdx.x] += n; }
      extern "C" __global__ void spin(volatile int *x, int n) { for (int i = 0; i < n && !*x; i++) ; }\`;`,
  compile: `gpu.SourceModule.compile(source)`,
  compute: `
    const numbers = new Int32Array(4).fill(4);
    module.getFunction('add')(gpu.InOut(numbers), 2, { block: 4 });
    console.log(numbers[3]);`,
  ...spinning(
    (turns) => `
    const memory = gpu.toDevice(new Int32Array(4));
    module.getFunction('spin')(memory, ${turns}, { block: 1 });
    report('started');
    context.synchronize();`,
    process.env['RAWKERNEL_DEVICE'] !== 'cpu',
  ),
};

/** OpenCL on one device. */
function openCLOn([name, device]: readonly [name: string, device: Device]): Target {
  return {
    name,
    env: choiceOf(device),
    needsNoFiles: device === embeddedOpenCL,
    setUp: `
      import * as gpu from 'rawkernel/opencl';
      const context = gpu.createSomeContext({ interactive: false });
      const queue = new gpu.CommandQueue(context);
      const source = \`
        __kernel void add(__global int *x, int n) { x[get_global_id(0)] += n; }
        __kernel void spin(__global volatile int *x, int n) { for (int i = 0; i < n && !*x; i++) ; }\`;
      const USE = gpu.MemFlags.READ_WRITE | gpu.MemFlags.COPY_HOST_PTR;`,
    compile: `gpu.Program.compile(context, source)`,
    compute: `
      const numbers = new Int32Array(4).fill(4);
      const buffer = new gpu.Buffer(context, USE, numbers);
      module.kernel('add')(queue, 4, null, buffer, 2);
      gpu.enqueueCopy(queue, numbers, buffer);
      console.log(numbers[3]);`,
    ...spinning(
      (turns) => `
      const memory = new gpu.Buffer(context, USE, new Int32Array(4));
      module.kernel('spin')(queue, 1, null, memory, ${turns});
      queue.flush();
      report('started');
      queue.finish();`,
      (device.type & DeviceType.GPU) !== 0,
    ),
  };
}

/** Both halves, on every device that the tests of their own use. */
export const targets: readonly Target[] = [CUDA, ...openclDevices.map(openCLOn)];
