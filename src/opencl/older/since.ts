import type { OpenCLTable } from '../sys/tables.ts';

/** The version of OpenCL that introduced each function; functions of 1.0 are left out. */
const BROUGHT: Readonly<Record<string, readonly (keyof OpenCLTable)[]>> = {
  '1.1': [
    'clCreateSubBuffer',
    'clSetMemObjectDestructorCallback',
    'clCreateUserEvent',
    'clSetUserEventStatus',
    'clSetEventCallback',
    'clEnqueueReadBufferRect',
    'clEnqueueWriteBufferRect',
    'clEnqueueCopyBufferRect',
  ],
  '1.2': [
    'clGetExtensionFunctionAddressForPlatform',
    'clCreateSubDevices',
    'clRetainDevice',
    'clReleaseDevice',
    'clCreateImage',
    'clCreateProgramWithBuiltInKernels',
    'clCompileProgram',
    'clLinkProgram',
    'clUnloadPlatformCompiler',
    'clGetKernelArgInfo',
    'clEnqueueFillBuffer',
    'clEnqueueFillImage',
    'clEnqueueMigrateMemObjects',
    'clEnqueueMarkerWithWaitList',
    'clEnqueueBarrierWithWaitList',
  ],
  '2.0': [
    'clCreateCommandQueueWithProperties',
    'clCreatePipe',
    'clGetPipeInfo',
    'clCreateSamplerWithProperties',
    'clSetKernelArgSVMPointer',
    'clSetKernelExecInfo',
    'clSVMAlloc',
    'clSVMFree',
    'clEnqueueSVMFree',
    'clEnqueueSVMMemcpy',
    'clEnqueueSVMMemFill',
    'clEnqueueSVMMap',
    'clEnqueueSVMUnmap',
  ],
  '2.1': [
    'clSetDefaultDeviceCommandQueue',
    'clGetDeviceAndHostTimer',
    'clGetHostTimer',
    'clCreateProgramWithIL',
    'clCloneKernel',
    'clGetKernelSubGroupInfo',
    'clEnqueueSVMMigrateMem',
  ],
  '2.2': ['clSetProgramReleaseCallback', 'clSetProgramSpecializationConstant'],
  '3.0': ['clSetContextDestructorCallback', 'clCreateBufferWithProperties', 'clCreateImageWithProperties'],
};

const SINCE: ReadonlyMap<string, number> = new Map(
  Object.entries(BROUGHT).flatMap(([version, names]) => names.map((name) => [name, numberOf(version)] as const)),
);

/** A version as a number, for comparisons: `'1.2'` is 102. */
export function numberOf(version: string): number {
  const [major = 1, minor = 0] = version.split('.').map(Number);
  return 100 * major + minor;
}

/** The version that introduced a function: 102 for a function of OpenCL 1.2. */
export function sinceOf(name: string): number {
  return SINCE.get(name) ?? numberOf('1.0');
}

/** The versions that have a function, for the error about a missing function. */
export function whoHas(name: string): string | undefined {
  const since = SINCE.get(name);
  return since === undefined ? undefined : `OpenCL ${Math.floor(since / 100)}.${since % 100} and newer have it`;
}
