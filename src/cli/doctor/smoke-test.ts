import * as cuda from '../../cuda/index.ts';
import * as cl from '../../opencl/index.ts';
import { Closing } from '../closing.ts';
import { messageOf } from '../output.ts';

/** The result of a small kernel on one device. */
export interface Trial {
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  /** To compile, from disk or anew, and to run. */
  readonly milliseconds: number;
  readonly error?: string;
}

const COUNT = 1000;
const CUDA_SOURCE = `__global__ void doctor(int *out, const int *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + 1;
}`;
const OPENCL_SOURCE = `__kernel void doctor(__global int *out, __global const int *in, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = 2 * in[i] + 1;
}`;

/** Compile and run a kernel on a CUDA device, and look at what it made. */
export function tryCuda(ordinal: number): Promise<Trial> {
  const device = new cuda.Device(ordinal);
  return attempt(`cuda:${ordinal}`, device.name, async (input, output) => {
    const closing = new Closing();
    try {
      closing.keep(new cuda.Context(device));
      const module = closing.keep(await cuda.SourceModule.compile(CUDA_SOURCE, { fileName: 'doctor.cu' }));
      module.getFunction('doctor')(cuda.Out(output), cuda.In(input), COUNT, { block: 256, grid: 4 });
    } finally {
      closing.close();
    }
  });
}

/** The same on an OpenCL device. */
export function tryOpenCL(id: string, device: cl.Device): Promise<Trial> {
  return attempt(id, device.name, async (input, output) => {
    const { READ_ONLY, WRITE_ONLY, COPY_HOST_PTR } = cl.MemFlags;
    const closing = new Closing();
    try {
      const context = closing.keep(new cl.Context(device));
      const queue = closing.keep(new cl.CommandQueue(context));
      const from = closing.keep(new cl.Buffer(context, READ_ONLY | COPY_HOST_PTR, input));
      const to = closing.keep(new cl.Buffer(context, WRITE_ONLY, output.byteLength));
      const program = closing.keep(await cl.Program.compile<string>(context, OPENCL_SOURCE));
      closing.keep(program.kernel('doctor'))(queue, [1024], null, to, from, COUNT);
      cl.enqueueCopy(queue, output, to);
    } finally {
      closing.close();
    }
  });
}

async function attempt(
  id: string,
  name: string,
  work: (input: Int32Array<ArrayBuffer>, output: Int32Array<ArrayBuffer>) => Promise<void>,
): Promise<Trial> {
  const input = Int32Array.from({ length: COUNT }, (_, i) => i);
  const output = new Int32Array(COUNT);
  const begin = performance.now();
  const outcome = (error?: string): Trial => {
    const milliseconds = Math.round(performance.now() - begin);
    return { id, name, ok: error === undefined, milliseconds, ...(error === undefined ? {} : { error }) };
  };
  try {
    await work(input, output);
  } catch (error) {
    return outcome(messageOf(error));
  }
  const wrong = output.findIndex((value, i) => value !== 2 * i + 1);
  if (wrong < 0) return outcome();
  return outcome(`The result is wrong: element ${wrong} is ${output[wrong] ?? ''}, not ${2 * wrong + 1}`);
}
