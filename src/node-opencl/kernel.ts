import { KernelArgInfo, KernelInfo, KernelWorkGroupInfo } from '../opencl/sys/enums.ts';
import { device, kernel as kernelOf, object, text, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { ask, asking, pair, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { ownedKernel } from './kernel-argument.ts';
import { retained, type CLDeviceId, type CLKernel, type CLProgram } from './objects.ts';

const programOf = object('CLProgram');

const READERS: Readers = readers(
  [KernelInfo.CONTEXT[0], wrapped(retained.context)],
  [KernelInfo.PROGRAM[0], wrapped(retained.program)],
);
const { LOCAL_MEM_SIZE, PRIVATE_MEM_SIZE, GLOBAL_WORK_SIZE } = KernelWorkGroupInfo;
const GROUP_READERS: Readers = readers([LOCAL_MEM_SIZE[0], pair], [PRIVATE_MEM_SIZE[0], pair]);

/** A kernel of a built program. */
export function createKernel(...args: [program: CLProgram, name: string]): CLKernel {
  expectArguments(args, 2);
  const program = programOf(args[0], 0);
  return ownedKernel(cl.clCreateKernel(program, text(args[1], 1)));
}

/** All kernels of a built program. */
export function createKernelsInProgram(...args: [program: CLProgram]): CLKernel[] {
  expectArguments(args, 1);
  const program = programOf(args[0], 0);
  const count = new Uint32Array(1);
  cl.clCreateKernelsInProgram(program, 0, 0n, count);
  const kernels = new BigUint64Array(count[0] ?? 0);
  if (kernels.length > 0) cl.clCreateKernelsInProgram(program, kernels.length, kernels, 0n);
  return Array.from(kernels, (raw) => ownedKernel(raw));
}

/** A property of a kernel: `cl.KERNEL_NUM_ARGS`. */
export const getKernelInfo: GetInfo<CLKernel> = asking('CLKernel', 'clGetKernelInfo', [KernelInfo], READERS);

/** A property of a kernel's parameter: `cl.KERNEL_ARG_NAME`. Some drivers need the build option `-cl-kernel-arg-info`. */
export function getKernelArgInfo(...args: [kernel: CLKernel, index: number, name: number]): unknown {
  expectArguments(args, 3);
  const [kernel, index] = [kernelOf(args[0], 0), uint(args[1], 1)];
  return ask(cl.clGetKernelArgInfo.bind(undefined, kernel, index), [KernelArgInfo], new Map(), args[2]);
}

/** A property of a kernel on a device: `cl.KERNEL_WORK_GROUP_SIZE`. Sizes of memory are pairs of 32 bits. */
export function getKernelWorkGroupInfo(...args: [kernel: CLKernel, device: CLDeviceId, name: number]): unknown {
  expectArguments(args, 3);
  const [kernel, target] = [kernelOf(args[0], 0), device(args[1], 1)];
  const name = uint(args[2], 2);
  const query = cl.clGetKernelWorkGroupInfo.bind(undefined, kernel, target);
  const answer = ask(query, [KernelWorkGroupInfo], GROUP_READERS, name);
  // Custom devices and built-in kernels have this property; for others some drivers answer with zeros.
  if (name === GLOBAL_WORK_SIZE[0] && (answer as number[]).every((size) => size === 0))
    throw failure('CL_INVALID_VALUE');
  return answer;
}
