import { status as statuses } from '../opencl/sys/enums.ts';

/** Messages that differ from the constant's name in lower case. */
const OTHERS: Readonly<Record<string, string>> = {
  CL_DEVICE_NOT_FOUND: 'Device not found.',
  CL_MEM_OBJECT_ALLOCATION_FAILURE: 'Memory object allocation failure',
  CL_PROFILING_INFO_NOT_AVAILABLE: 'Profiling information not available',
  CL_MEM_COPY_OVERLAP: 'Memory copy overlap',
  CL_BUILD_PROGRAM_FAILURE: 'Program build failure',
  CL_MISALIGNED_SUB_BUFFER_OFFSET: 'Misaligned sub-buffer offset',
  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: 'Execution status error for events in wait list',
  CL_KERNEL_ARG_INFO_NOT_AVAILABLE: 'Kernel argument info not available',
  CL_INVALID_HOST_PTR: 'Invalid host pointer',
  CL_INVALID_MEM_OBJECT: 'Invalid memory object',
  CL_INVALID_ARG_INDEX: 'Invalid argument index',
  CL_INVALID_ARG_VALUE: 'Invalid argument value',
  CL_INVALID_ARG_SIZE: 'Invalid argument size',
  CL_INVALID_KERNEL_ARGS: 'Invalid kernel arguments',
  CL_INVALID_GL_OBJECT: 'Invalid OpenGL object',
  CL_INVALID_MIP_LEVEL: 'Invalid mip-map level',
};

/** The last status of OpenCL 1.2: those of later versions have no message of their own. */
const LAST = statuses.CL_INVALID_DEVICE_PARTITION_COUNT[0];

const MESSAGES: ReadonlyMap<number, string> = new Map(
  Object.entries(statuses)
    .filter(([, [value]]) => value < 0 && value >= LAST)
    .map(([name, [value]]) => [value, OTHERS[name] ?? inWords(name)]),
);

/** The name of a status in the header. */
export type StatusName = keyof typeof statuses;

/** `CL_INVALID_VALUE` is 'Invalid value'. */
function inWords(name: string): string {
  const words = name.replace(/^CL_/, '').replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The error of a constant. It is never thrown: programs compare its message with those of thrown errors. */
export function namedError(name: StatusName): Error {
  return new Error(MESSAGES.get(statuses[name][0]) ?? 'Unknown error');
}

/** A new error of a status. Details beyond its message are its cause. */
export function failure(status: StatusName | number, cause?: unknown): Error {
  const value = typeof status === 'number' ? status : statuses[status][0];
  return new Error(MESSAGES.get(value) ?? 'Unknown error', cause === undefined ? undefined : { cause });
}

/** Refuse a call with too few arguments. */
export function expectArguments(args: readonly unknown[], least: number): void {
  if (args.length < least) throw new TypeError(`Expected ${least} arguments`);
}
