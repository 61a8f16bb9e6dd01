import { callOnWorker } from '../ffi/bind.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import type { Bound } from '../ffi/prototype.ts';
import { openclError } from '../opencl/errors.ts';
import { opencl } from '../opencl/select.ts';
import { functions } from '../opencl/sys/opencl.ts';
import { failure } from './failure.ts';

type OpenCLTable = Bound<typeof functions>;

/** The OpenCL functions, throwing plain errors with node-opencl's messages. */
export const cl: Checked<typeof functions> = guard(functions, opencl, {
  status: 'cl_int',
  error: (routine, status) => failure(status, openclError(routine, status)),
});

/** Run a function of the driver on a worker thread of the runtime. Returns the status. */
export async function onWorker<Name extends 'clBuildProgram' | 'clCompileProgram'>(
  name: Name,
  ...args: Parameters<OpenCLTable[Name]>
): Promise<number> {
  return callOnWorker(opencl()[name] as (...list: Parameters<OpenCLTable[Name]>) => number, ...args);
}
