import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import {
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelArgTypeQualifier,
  KernelExecInfo,
  KernelInfo,
  KernelSubGroupInfo as SubGroupInfo,
  KernelWorkGroupInfo,
} from '../../opencl/sys/enums.ts';
import { bytesAt, putInt, type Out } from '../abi/out.ts';
import type { OpenCLArgument } from '../abi/program.ts';
import { answer, infoQuery, created, encodeWides, type Size } from './answer.ts';
import { Code } from './code.ts';
import { ClKernel } from './kernel.ts';
import { Limits } from './limits.ts';
import { addressAt, sizesAt, widesAt } from './pointer.ts';
import type { Build, ClProgram } from './program.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateKernel'
  | 'clCreateKernelsInProgram'
  | 'clCloneKernel'
  | 'clRetainKernel'
  | 'clReleaseKernel'
  | 'clSetKernelArg'
  | 'clSetKernelArgSVMPointer'
  | 'clSetKernelExecInfo'
  | 'clGetKernelInfo'
  | 'clGetKernelArgInfo'
  | 'clGetKernelWorkGroupInfo'
  | 'clGetKernelSubGroupInfo';

const NO_SIZE = [0, 0, 0] as const;

const ask = infoQuery<typeof KernelInfo, ClKernel>(KernelInfo, {
  FUNCTION_NAME: ({ kernel }) => kernel.symbol,
  NUM_ARGS: ({ kernel }) => kernel.parameters.length,
  REFERENCE_COUNT: ({ references }) => references,
  CONTEXT: ({ program }) => program.context.handle,
  PROGRAM: ({ program }) => program.handle,
  ATTRIBUTES: ({ facts }) => facts.attributes,
});

const A = KernelArgAddressQualifier;

const X = KernelArgAccessQualifier;

const Q = KernelArgTypeQualifier;

const SPACES = { global: A.GLOBAL, local: A.LOCAL, constant: A.CONSTANT, private: A.PRIVATE } as const;

const ACCESSES = {
  read_only: X.READ_ONLY,
  write_only: X.WRITE_ONLY,
  read_write: X.READ_WRITE,
  none: X.NONE,
} as const;

const QUALIFIERS = { const: Q.CONST, restrict: Q.RESTRICT, volatile: Q.VOLATILE, pipe: Q.PIPE } as const;

const askArgument = infoQuery<typeof KernelArgInfo, OpenCLArgument>(KernelArgInfo, {
  ADDRESS_QUALIFIER: ({ space }) => SPACES[space],
  ACCESS_QUALIFIER: ({ access }) => ACCESSES[access],
  TYPE_NAME: ({ typeName }) => typeName,
  TYPE_QUALIFIER: ({ qualifiers }) => qualifiers.reduce((bits, one) => bits | QUALIFIERS[one], 0),
  NAME: ({ name }) => name,
});

const askGroup = infoQuery<typeof KernelWorkGroupInfo, ClKernel>(KernelWorkGroupInfo, {
  WORK_GROUP_SIZE: mostItems,
  COMPILE_WORK_GROUP_SIZE: ({ facts }) => facts.requiredSize ?? NO_SIZE,
  LOCAL_MEM_SIZE: ({ kernel, localBytes }) => kernel.sharedBytes + localBytes,
  PREFERRED_WORK_GROUP_SIZE_MULTIPLE: ({ facts }) => facts.subGroupSize,
  PRIVATE_MEM_SIZE: ({ kernel }) => kernel.contextBytes,
});

/** Kernels and their arguments: creation, setting, queries. */
export const kernelFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateKernel: (state, program, name, errcode) => created(create(state, program, name), errcode),
  clCreateKernelsInProgram: createAll,
  clCloneKernel: (state, handle, errcode) => {
    const kernel = state.kernels.find(handle);
    return created(
      kernel ? state.kernels.add(kernel.clone((kernel) => gone(state, kernel))) : Code.INVALID_KERNEL,
      errcode,
    );
  },
  clRetainKernel: (state, handle) =>
    withKernel(state, handle, (kernel) => {
      kernel.retain();
      return Code.SUCCESS;
    }),
  clReleaseKernel: (state, handle) =>
    withKernel(state, handle, (kernel) => {
      kernel.release();
      return Code.SUCCESS;
    }),
  clSetKernelArg: (state, handle, index, size, value) => {
    const kernel = state.kernels.find(handle);
    return kernel ? kernel.set(index, Number(size), value) : Code.INVALID_KERNEL;
  },
  clSetKernelArgSVMPointer: (state, handle, index, pointer) =>
    withKernel(state, handle, (kernel) => {
      if (pointer === 0n) return kernel.setAddress(index, 0);
      const address = state.memory.deviceAddress(addressAt(pointer));
      return address === undefined ? Code.INVALID_ARG_VALUE : kernel.setAddress(index, address);
    }),
  clSetKernelExecInfo: (state, handle, param, size, value) =>
    withKernel(state, handle, () => {
      if (value === 0n) return Code.INVALID_VALUE;
      if (param === KernelExecInfo.SVM_FINE_GRAIN_SYSTEM) {
        if (Number(size) !== 4) return Code.INVALID_VALUE;
        return bytesAt(value, 4).some((byte) => byte !== 0) ? Code.INVALID_OPERATION : Code.SUCCESS;
      }
      if (param !== KernelExecInfo.SVM_PTRS || Number(size) % 8 !== 0 || Number(size) === 0) return Code.INVALID_VALUE;
      const known = [...widesAt(value, Number(size) / 8)].every(
        (pointer) => state.memory.deviceAddress(pointer) !== undefined,
      );
      // A host address that is stored in memory is not valid in a kernel.
      return known ? Code.INVALID_OPERATION : Code.INVALID_VALUE;
    }),
  clGetKernelInfo: (state, handle, param, size, value, sizeOut) =>
    withKernel(state, handle, (kernel) => ask(kernel, param, size, value, sizeOut)),
  clGetKernelArgInfo: (state, handle, index, param, size, value, sizeOut) =>
    withKernel(state, handle, (kernel) => {
      const argument = kernel.facts.arguments[index];
      return argument ? askArgument(argument, param, size, value, sizeOut) : Code.INVALID_ARG_INDEX;
    }),
  clGetKernelWorkGroupInfo: (state, handle, device, param, size, value, sizeOut) =>
    withKernel(state, handle, (kernel) => {
      if (!knowsDevice(state, kernel, device)) return Code.INVALID_DEVICE;
      return askGroup(kernel, param, size, value, sizeOut);
    }),
  clGetKernelSubGroupInfo: (state, handle, device, param, inputSize, input, size, value, sizeOut) =>
    withKernel(state, handle, (kernel) => {
      if (!knowsDevice(state, kernel, device)) return Code.INVALID_DEVICE;
      return askSubGroups(kernel, param, [inputSize, input], [size, value, sizeOut]);
    }),
};

function withKernel(state: OpenCLState, handle: bigint, run: (kernel: ClKernel) => number): number {
  const kernel = state.kernels.find(handle);
  return kernel ? run(kernel) : Code.INVALID_KERNEL;
}

function gone(state: OpenCLState, kernel: ClKernel): void {
  state.kernels.remove(kernel);
}

function make(state: OpenCLState, program: ClProgram, build: Build, index: number): bigint {
  return state.kernels.add(new ClKernel(program, build, index, state, (kernel) => gone(state, kernel)));
}

function create(state: OpenCLState, handle: bigint, name: string): bigint | number {
  const program = state.programs.find(handle);
  if (!program) return Code.INVALID_PROGRAM;
  const build = program.executable;
  if (!build?.program) return Code.INVALID_PROGRAM_EXECUTABLE;
  const index = build.program.kernels.findIndex(({ symbol }) => symbol === name);
  return index < 0 ? Code.INVALID_KERNEL_NAME : make(state, program, build, index);
}

function createAll(state: OpenCLState, handle: bigint, count: number, list: Out, countOut: Out): number {
  const program = state.programs.find(handle);
  if (!program) return Code.INVALID_PROGRAM;
  const build = program.executable;
  if (!build?.program) return Code.INVALID_PROGRAM_EXECUTABLE;
  const { length } = build.program.kernels;
  if (list !== 0n) {
    if (count < length) return Code.INVALID_VALUE;
    const handles = build.program.kernels.map((_, index) => make(state, program, build, index));
    const bytes = encodeWides(handles);
    bytesAt(list, bytes.length).set(bytes);
  }
  return putInt(countOut, length);
}

/** Whether a query names one of the kernel's devices; NULL stands for the only one. */
function knowsDevice(state: OpenCLState, kernel: ClKernel, handle: bigint): boolean {
  const { devices } = kernel.program;
  if (handle === 0n) return devices.length === 1;
  const device = state.devices.find(handle);
  return device !== undefined && devices.includes(device);
}

function subGroupInfo(kernel: ClKernel, param: number, input: readonly number[]): number[] | undefined {
  const size = kernel.facts.subGroupSize;
  const items = input.reduce((product, one) => product * one, 1);
  switch (param) {
    case SubGroupInfo.MAX_SUB_GROUP_SIZE_FOR_NDRANGE[0]:
      return input.length === 0 ? undefined : [Math.min(size, items)];
    case SubGroupInfo.SUB_GROUP_COUNT_FOR_NDRANGE[0]:
      return input.length === 0 ? undefined : [Math.ceil(items / size)];
    case SubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT[0]: {
      const wanted = (input[0] ?? 0) * size;
      return wanted > mostItems(kernel) ? [0, 0, 0] : [wanted, 1, 1];
    }
    case SubGroupInfo.MAX_NUM_SUB_GROUPS[0]:
      return [Math.ceil(mostItems(kernel) / size)];
    case SubGroupInfo.COMPILE_NUM_SUB_GROUPS[0]:
      return [0];
    default:
      return undefined;
  }
}

function askSubGroups(
  kernel: ClKernel,
  param: number,
  [inputSize, input]: readonly [Size, Out],
  [size, value, sizeOut]: readonly [Size, Out, Out],
): number {
  const count = Math.floor(Number(inputSize) / 8);
  if (count > 3) return Code.INVALID_VALUE;
  const found = subGroupInfo(kernel, param, input === 0n ? [] : sizesAt(input, count));
  if (!found) return Code.INVALID_VALUE;
  // Of a local size, only as many numbers as fit.
  const room = value === 0n ? found.length : Math.max(1, Math.floor(Number(size) / 8));
  return answer(encodeWides(found.slice(0, room)), size, value, sizeOut);
}

/** The most work-items of a group. */
export function mostItems({ kernel }: ClKernel): number {
  return Math.min(Limits.GROUP, kernel.maxThreads);
}
