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
  /** How often that kernel turns in some tenths of a second: a GPU takes long for each. */
  readonly shortSpin: string;
}

/** So often does it turn while a test lasts. */
export const LONG_SPIN = '2147483647';
const shortSpin = (onGpu: boolean): string => (onGpu ? '2000000' : '200000000');

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
  spin: `
    const memory = gpu.toDevice(new Int32Array(4));
    module.getFunction('spin')(memory, ${LONG_SPIN}, { block: 1 });
    report('started');
    context.synchronize();`,
  shortSpin: shortSpin(process.env['RAWKERNEL_DEVICE'] !== 'cpu'),
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
    spin: `
      const memory = new gpu.Buffer(context, USE, new Int32Array(4));
      module.kernel('spin')(queue, 1, null, memory, ${LONG_SPIN});
      queue.flush();
      report('started');
      queue.finish();`,
    shortSpin: shortSpin((device.type & DeviceType.GPU) !== 0),
  };
}

/** Both halves, on every device that the tests of their own use. */
export const targets: readonly Target[] = [CUDA, ...openclDevices.map(openCLOn)];
