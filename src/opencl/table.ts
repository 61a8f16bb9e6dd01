import { LibraryTable } from '../ffi/library-table.ts';
import type { LibraryDescription } from '../ffi/library.ts';
import { whoHas } from './older/since.ts';
import { functions } from './sys/opencl.ts';

/** Functions whose callers check the arguments themselves: a kernel call does, and a release has one, which is ours. */
export const HOT: readonly string[] = [
  'clSetKernelArg',
  'clEnqueueNDRangeKernel',
  'clReleaseEvent',
  'clReleaseMemObject',
];

/** Functions that begin to use a driver or its compiler. */
const SIGNAL_TAKERS: readonly string[] = [
  'clGetPlatformIDs',
  'clGetDeviceIDs',
  'clCreateContext',
  'clCreateContextFromType',
  'clBuildProgram',
  'clCompileProgram',
  'clLinkProgram',
];

/** Where the OpenCL loader is looked for, which finds the drivers. */
export const LOADER: LibraryDescription = {
  title: 'the OpenCL loader',
  variable: 'RAWKERNEL_LIBOPENCL',
  symbol: 'clGetPlatformIDs',
  names: {
    linux: ['libOpenCL.so.1', 'libOpenCL.so'],
    win32: ['OpenCL.dll'],
    darwin: ['/System/Library/Frameworks/OpenCL.framework/OpenCL'],
  },
  advice: [
    'on Debian or Ubuntu, for the CPU: apt-get install ocl-icd-libopencl1 pocl-opencl-icd',
    'on Fedora, for the CPU: dnf install ocl-icd pocl',
    "for a GPU: install its vendor's driver, which brings an OpenCL driver along",
    'or without any of them: RAWKERNEL_DEVICE=cpu runs OpenCL on the embedded CPU device',
  ],
};

/** The OpenCL loader. */
export const loaderLibrary: LibraryTable<typeof functions> = new LibraryTable({
  description: LOADER,
  functions,
  hot: HOT,
  signalTakers: SIGNAL_TAKERS,
  whoHas,
});
