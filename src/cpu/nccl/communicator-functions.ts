import { status as statuses } from '../../nccl/sys/enums.ts';
import type { NcclTable } from '../../nccl/sys/tables.ts';
import { putInt, textAddress, type Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';
import { CommWord, textOf } from './comm-words.ts';
import type { CpuComm } from './communicator.ts';
import { Result } from './numbers.ts';
import { settled } from './progress-client.ts';
import type { NcclScope } from './scope.ts';

type Names =
  | 'ncclGetVersion'
  | 'ncclGetErrorString'
  | 'ncclGetLastError'
  | 'ncclResetDebugInit'
  | 'ncclCommFinalize'
  | 'ncclCommDestroy'
  | 'ncclCommAbort'
  | 'ncclCommGetAsyncError'
  | 'ncclCommCount'
  | 'ncclCommCuDevice'
  | 'ncclCommUserRank';

/** The NCCL whose functions there are. */
const VERSION = 22_803;

const TEXTS: Readonly<Record<number, string>> = {
  [Result.SUCCESS]: 'no error',
  [Result.UNHANDLED_CUDA_ERROR]: 'unhandled cuda error',
  [Result.SYSTEM_ERROR]: 'unhandled system error',
  [Result.INTERNAL_ERROR]: 'internal error',
  [Result.INVALID_ARGUMENT]: 'invalid argument',
  [Result.INVALID_USAGE]: 'invalid usage',
  [Result.REMOTE_ERROR]: 'remote process exited or there was a network error',
  [Result.IN_PROGRESS]: 'NCCL operation in progress',
  [statuses.ncclTimeout[0]]: 'timeout',
};

/** The state of communicators, and their end. */
export const communicatorFunctions: Rows<NcclScope, NcclTable, Names> = {
  ncclGetVersion: (_, out) => putInt(out, VERSION),
  ncclGetErrorString: (_: NcclScope, result: number) => textAddress(TEXTS[result] ?? 'unknown result code'),
  ncclGetLastError: (scope: NcclScope, handle: bigint) => {
    const comm = scope.comms.get(Number(handle));
    return textAddress((comm && textOf(comm.words)) || scope.lastError);
  },
  ncclResetDebugInit: () => undefined,
  ncclCommFinalize: (scope, handle) =>
    scope.withReady(handle, (comm) => {
      if (comm.isFinalized) return scope.say(Result.INVALID_ARGUMENT, 'The communicator was finalized before');
      comm.isFinalized = true;
      if (comm.blocking) return outlast(scope, comm);
      return scope.isIdle(comm) ? Result.SUCCESS : Result.IN_PROGRESS;
    }),
  ncclCommDestroy: (scope, handle) => {
    if (handle === 0n) return Result.SUCCESS;
    return scope.withComm(handle, (comm) => {
      if (comm.status === Result.IN_PROGRESS && !wasSlow(comm)) {
        return scope.say(Result.INVALID_ARGUMENT, 'The communicator is still being made: wait, or abort it');
      }
      outlast(scope, comm);
      scope.drop(comm, false);
      return Result.SUCCESS;
    });
  },
  ncclCommAbort: (scope, handle) => {
    if (handle === 0n) return Result.SUCCESS;
    return scope.withComm(handle, (comm) => {
      scope.drop(comm, true);
      return Result.SUCCESS;
    });
  },
  ncclCommGetAsyncError: (scope, handle, out) =>
    scope.withComm(handle, (comm) => {
      const status = scope.statusOf(comm);
      if (status !== Result.SUCCESS && status !== Result.IN_PROGRESS) scope.lastError = textOf(comm.words);
      return putInt(out, status);
    }),
  ncclCommCount: (scope, handle, out) => told(scope, handle, out, CommWord.SIZE),
  ncclCommCuDevice: (scope, handle, out) => scope.withReady(handle, ({ device }) => putInt(out, device)),
  ncclCommUserRank: (scope, handle, out) => told(scope, handle, out, CommWord.RANK),
};

function told(scope: NcclScope, handle: bigint, out: Out, word: number): number {
  return scope.withReady(handle, ({ words }) => putInt(out, Atomics.load(words, word)));
}

/** Whether an operation, not the making, is in progress: it soon is not. */
function wasSlow(comm: CpuComm): boolean {
  return comm.launches > 0 && settled(comm.words) !== Result.IN_PROGRESS;
}

/** Sleep until a communicator's operations have ended: for ever, if another rank never joins them. */
function outlast({ state }: NcclScope, { lastGate, context }: CpuComm): number {
  if (lastGate !== undefined) state.engine.wait(lastGate);
  return context.alive && state.refusal(context) !== 0 ? Result.UNHANDLED_CUDA_ERROR : Result.SUCCESS;
}
