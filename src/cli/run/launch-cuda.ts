import * as cuda from '../../cuda/index.ts';
import { checkArguments, numberFor, type Given } from './argument.ts';
import { cudaDevice } from '../choose-device.ts';
import type { Closing } from '../closing.ts';
import type { Elements } from './element-type.ts';
import { asUsage, noKernel, type Launched, type LaunchPlan } from './launch-plan.ts';
import { UsageError } from '../output.ts';
import { parametersOf, type Parameter } from './parameter.ts';
import { progress } from '../progress.ts';
import { cudaOptions } from '../source-file.ts';

/** Launch a kernel of CUDA. */
export async function launchCuda(plan: LaunchPlan, closing: Closing): Promise<Launched> {
  const { given, block, grid, shared } = plan;
  const device = cudaDevice(plan.device);
  const context = closing.keep(new cuda.Context(device, plan.check ? { check: true } : {}));
  const module = closing.keep(await load(plan));
  const kernel = findKernel(module, plan);
  const { signature } = kernel;
  const parameters = parametersOf(signature);
  checkArguments(given, parameters, signature);
  const memories = given.map((one) =>
    one.kind === 'array' ? closing.keep(cuda.toDevice(one.array.array)) : undefined,
  );
  const args = given.map((one, i) => memories[i] ?? valueOf(one, i, parameters?.[i]));
  const options = { block: dims(block), grid: grid.length === 0 ? 1 : dims(grid), shared };
  const run = (): void => {
    asUsage(() => {
      kernel(...args, options);
    });
  };
  run();
  context.synchronize();
  const arrays = given.map((one, i) => {
    const memory = memories[i];
    return one.kind === 'array' && memory ? readBack(one.array.array, memory) : undefined;
  });
  return { device: device.name, signature, parameters, arrays, times: measure(plan.repeat, run, closing) };
}

async function load({ source, flags, rest, io }: LaunchPlan): Promise<cuda.Module> {
  if (source.code) return cuda.moduleFromBuffer(source.code);
  const options = { ...cudaOptions(flags, rest), fileName: source.path };
  return progress(io, `compiling ${source.path}`, cuda.SourceModule.compile(source.text, options));
}

function findKernel(module: cuda.Module, plan: LaunchPlan): cuda.Function {
  try {
    return asUsage(() => module.getFunction(plan.kernel));
  } catch (error) {
    if ((error as { code?: string }).code !== 'CUDA_ERROR_NOT_FOUND') throw error;
    throw noKernel(plan, module.kernels, error);
  }
}

function valueOf(given: Given, index: number, parameter: Parameter | undefined): cuda.KernelArgument {
  if (given.kind === 'local') throw new UsageError(`${given.text} is for OpenCL; CUDA has --shared`);
  if (given.kind === 'null') return null;
  const make = (): unknown => numberFor(given.text, index, parameter, cuda);
  return asUsage(make) as cuda.KernelArgument;
}

function readBack(array: Elements, memory: cuda.DeviceAllocation): Elements {
  const result = array.slice();
  cuda.memcpyDtoH(result, memory);
  return result;
}

function measure(count: number, run: () => void, closing: Closing): number[] {
  if (count === 0) return [];
  const [start, end] = [closing.keep(new cuda.Event()), closing.keep(new cuda.Event())];
  return Array.from({ length: count }, () => {
    start.record();
    run();
    end.record().synchronize();
    return end.timeSince(start);
  });
}

function dims(sizes: readonly number[]): cuda.Dims {
  return sizes;
}
