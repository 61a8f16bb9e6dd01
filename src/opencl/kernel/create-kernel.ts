import { nameOf } from '../../core/check.ts';
import { handleOf } from '../../core/resource.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import { readInfo } from '../info.ts';
import { isProgram, makingOf } from '../program/making.ts';
import type { BuiltProgram } from '../program/built-program.ts';
import { KernelInfo } from '../sys/enums.ts';
import { kernelParameters } from './kernel-arguments.ts';
import type { KernelFacts } from './kernel-base.ts';

/** Make the driver's kernel of a built program, and find out its parameters. */
export function createKernel(program: BuiltProgram, name: string): KernelFacts {
  if (!isProgram(program)) throw new TypeError(`Kernel takes a built Program, got ${nameOf(program)}`);
  if (typeof name !== 'string') throw new TypeError(`Kernel: the name must be a string, got ${nameOf(name)}`);
  const owner = handleOf(program, 'kernel');
  program.checkKernel(name);
  const raw = withReclaim(() => cl.clCreateKernel(program.raw('Kernel'), name));
  const { context, devices } = program;
  try {
    const count = readInfo(
      KernelInfo,
      cl.clGetKernelInfo.bind(undefined, raw),
      'NUM_ARGS',
      undefined,
      'Kernel',
    ) as number;
    const { declarations, attributes: all } = makingOf(program);
    const parameters = kernelParameters(raw, name, count, declarations);
    const { source, options } = program;
    return { name, raw, owner, context, devices, parameters, source, options, attributes: all.get(name) };
  } catch (error) {
    cleanup('Kernel', () => cl.clReleaseKernel(raw));
    throw error;
  }
}
