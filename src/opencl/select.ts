import { bind } from '../ffi/bind.ts';
import { openLibrary, type LibraryDescription } from '../ffi/library.ts';
import type { Bound } from '../ffi/prototype.ts';
import { functions } from './sys/opencl.ts';

/** The OpenCL functions that everything here is built on: the installed loader's, or a stand-in's. */
export type OpenCLTable = Bound<typeof functions>;

/** Their arguments are ready-made by the kernel call, which has checked them. */
const HOT = ['clSetKernelArg', 'clEnqueueNDRangeKernel', 'clReleaseEvent'] as const;

const LOADER: LibraryDescription = {
  title: 'the OpenCL loader',
  variable: 'RAWKERNEL_LIBOPENCL',
  names: {
    linux: ['libOpenCL.so.1', 'libOpenCL.so'],
    win32: ['OpenCL.dll'],
    darwin: ['/System/Library/Frameworks/OpenCL.framework/OpenCL'],
  },
  advice: [
    'on Debian or Ubuntu, for the CPU: apt-get install ocl-icd-libopencl1 pocl-opencl-icd',
    'on Fedora, for the CPU: dnf install ocl-icd pocl',
    "for a GPU: install its vendor's driver, which brings an OpenCL driver along",
  ],
};

let current: OpenCLTable | undefined;

/** The table in use. The loader is opened on the first call. */
export function opencl(): OpenCLTable {
  return (current ??= bind(functions, openLibrary(LOADER), HOT));
}

/**
 * Put another table under everything; undefined goes back to the installed loader. Objects made before belong to the
 * table that they were made with: use none of them afterwards.
 * @internal
 */
export function useOpenCL(table: OpenCLTable | undefined): void {
  current = table;
}

/** Keep one value for each table, so that a change of tables cannot mix their handles. */
export function perTable<T>(make: () => T): () => T {
  const values = new WeakMap<OpenCLTable, T>();
  return () => {
    const table = opencl();
    let value = values.get(table);
    if (value === undefined) values.set(table, (value = make()));
    return value;
  };
}
