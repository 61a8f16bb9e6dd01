import type { Opaque } from '../../ffi/ctype.ts';
import type { Context } from '../device/context.ts';
import type { Submission } from '../queue/submission.ts';
import type { OpenCLTable } from '../sys/tables.ts';

/** Check one argument and hand it to the driver; returns the driver's status. */
export type Setter = (value: unknown) => number;

/** The state that the setters of one kernel share. */
export interface Binding {
  /** The setters record the memory of the arguments here. */
  readonly submission: Submission;
  readonly table: OpenCLTable;
  readonly kernel: Opaque<'cl_kernel'>;
  readonly name: string;
  readonly context: Context;
  /** Whether another library may set its arguments: then the last argument is not known. */
  readonly isForeign: boolean;
  /** The size of a type that the program declares, where the driver does not compare it with an argument's. */
  readonly structSize: (type: string) => number | undefined;
  /** Whether a parameter was ever given shared memory. */
  hadSVM?: boolean;
  /** The function that set the last argument, where it is not `clSetKernelArg`. */
  routine?: string | undefined;
}
