import { SymbolNotFoundError } from '../core/errors.ts';
import { callOnWorker } from '../ffi/bind.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import type { Bound } from '../ffi/prototype.ts';
import { openclError } from '../opencl/errors.ts';
import { opencl } from '../opencl/select.ts';
import { perTable } from '../opencl/selection.ts';
import { functions } from '../opencl/sys/opencl.ts';
import { failure } from './failure.ts';
import { onePlatform } from './one-platform.ts';

type OpenCLTable = Bound<typeof functions>;

/** The table, which refuses calls with objects of two platforms. */
const table = perTable(() => onePlatform(opencl(), functions));

/** The OpenCL functions, throwing plain errors with node-opencl's messages. */
export const cl: Checked<typeof functions> = guard(functions, table, {
  status: 'cl_int',
  error: (routine, status) => failure(status, openclError(routine, status)),
  missing: lacking,
});

/** Run a function of the driver on a worker thread of the runtime. Returns the status. */
export async function onWorker<Name extends 'clBuildProgram' | 'clCompileProgram'>(
  name: Name,
  ...args: Parameters<OpenCLTable[Name]>
): Promise<number> {
  try {
    return await callOnWorker(table()[name] as (...list: Parameters<OpenCLTable[Name]>) => number, ...args);
  } catch (error) {
    throw error instanceof SymbolNotFoundError ? lacking(error) : error;
  }
}

/** The error of a function that a loader or a platform is too old for. */
function lacking(error: SymbolNotFoundError): Error {
  return failure('CL_INVALID_OPERATION', error);
}
