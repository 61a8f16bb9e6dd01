import type { Opaque } from '../ffi/ctype.ts';
import { leaveWithout } from '../ffi/leave.ts';
import { callLater } from './call.ts';
import { ncclError } from './errors.ts';
import { status } from './sys/enums.ts';

/** How long NCCL may take to end its kernels before the process ends without it. */
export const ABORT_MS = 1000;

const [IN_PROGRESS] = status.ncclInProgress;

/**
 * Abort a communicator on a worker thread of the runtime: it may block for as long as its streams are busy. NCCL frees it; no
 * other call may be made on it. It does not keep the process from ending.
 */
export async function abortOnWorker(raw: Opaque<'ncclComm_t'>): Promise<void> {
  const code = await leaveWithout(callLater('ncclCommAbort', raw));
  if (code !== 0 && code !== IN_PROGRESS) throw ncclError('ncclCommAbort', code);
}
