import { attempt, callError } from '../cuda/call.ts';
import { CudaError, isSticky } from '../cuda/errors.ts';
import { slotOf } from '../cuda/slots.ts';

/**
 * The fault of a kernel that has ended the current context, with its report where there is one: NCCL itself only says that a
 * call of CUDA has failed.
 *
 * @param routine - NCCL's function, which the error names
 */
export function contextFault(routine: string): CudaError | undefined {
  // It does not wait, and a capture does not refuse it.
  const code = attempt('cuMemGetInfo', slotOf('size_t'), slotOf('size_t'));
  return isSticky(code) ? callError(routine, code) : undefined;
}

/** Whether an error says that the context of a call is lost. */
export function isContextFault(error: unknown): error is CudaError {
  return error instanceof CudaError && isSticky(error.status);
}
