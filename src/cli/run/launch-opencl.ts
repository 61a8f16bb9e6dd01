import * as cl from '../../opencl/index.ts';
import { checkArguments, numberFor, type Given } from './argument.ts';
import { openclDevice } from '../choose-device.ts';
import type { Closing } from '../closing.ts';
import { asUsage, noKernel, type Launched, type LaunchPlan } from './launch-plan.ts';
import type { Parameter } from './parameter.ts';
import { progress } from '../progress.ts';
import { openclOptions } from '../source-file.ts';

/** Launch a kernel of OpenCL. */
export async function launchOpenCL(plan: LaunchPlan, closing: Closing): Promise<Launched> {
  const { given, source, io } = plan;
  const device = openclDevice(plan.device);
  const context = closing.keep(new cl.Context(device, plan.check ? { check: true } : {}));
  const queue = closing.keep(new cl.CommandQueue(context, { profiling: plan.repeat > 0 }));
  const work = cl.Program.compile<string>(context, source.text, openclOptions(plan.flags, plan.rest));
  const program = closing.keep(await progress(io, `compiling ${source.path}`, work));
  if (!program.kernelNames.includes(plan.kernel)) throw noKernel(plan, program.kernelNames);
  const kernel = closing.keep(program.kernel(plan.kernel));
  const { signature } = kernel;
  const parameters = parametersOf(kernel);
  checkArguments(given, parameters, signature);
  const buffers = given.map((one) => {
    if (one.kind !== 'array') return undefined;
    const { READ_WRITE, COPY_HOST_PTR } = cl.MemFlags;
    return closing.keep(new cl.Buffer(context, READ_WRITE | COPY_HOST_PTR, one.array.array));
  });
  const args = given.map((one, i) => buffers[i] ?? valueOf(one, i, parameters?.[i]));
  const global = plan.global as unknown as cl.Dims;
  const local = plan.local.length === 0 ? null : (plan.local as unknown as cl.Dims);
  const run = (): cl.Event => asUsage(() => kernel(queue, global, local, ...args));
  run().wait();
  const arrays = given.map((one, i) => {
    const buffer = buffers[i];
    if (one.kind !== 'array' || !buffer) return undefined;
    const result = one.array.array.slice();
    cl.enqueueCopy(queue, result, buffer);
    return result;
  });
  const times = Array.from({ length: plan.repeat }, () => {
    const event = run();
    event.wait();
    return Number(event.duration) / 1e6;
  });
  return { device: device.name, signature, parameters, arrays, times };
}

/** Undefined if the driver does not report types. */
function parametersOf(kernel: cl.Kernel): Parameter[] | undefined {
  const known = kernel.parameters.flatMap(({ name, type }) => (type ? [{ name, type: spelled(type) }] : []));
  return known.length === kernel.parameterCount ? known : undefined;
}

function spelled({ text, space }: cl.CType): string {
  return space && text.endsWith('*') ? `__${space} ${text}` : text;
}

function valueOf(given: Given, index: number, parameter: Parameter | undefined): cl.KernelArgument {
  if (given.kind === 'local') return new cl.LocalMemory(given.byteLength);
  if (given.kind === 'null') return null;
  const make = (): unknown => numberFor(given.text, index, parameter, cl);
  return asUsage(make) as cl.KernelArgument;
}
