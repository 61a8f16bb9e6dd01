import { GraphNodeType } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import type { CpuStream } from '../driver/objects.ts';
import { gateOn } from '../driver/stream-gate.ts';
import type { Batch, BatchScope } from './batch.ts';
import { CommWord } from './comm-words.ts';
import { Result } from './numbers.ts';

/** Of so many launches of a nonblocking communicator, one is not over when its call returns. */
const SLOW_EACH = 5;

/** Enqueue operations on their streams, or record them where the streams are being captured. */
export function launch(scope: BatchScope, batch: Batch): number {
  const { comm, operations, streams } = batch;
  if (!selfTransfersMatch(batch)) {
    const text = 'A rank that sends to itself must receive from itself as often, in the same group';
    return scope.say(Result.INVALID_USAGE, text);
  }
  const { state } = scope;
  const all = [...streams];
  if (state.capturing?.isCapturing(all) !== true) return enqueue(scope, batch, all);
  const recorded = state.capturing.record(all, GraphNodeType.KERNEL, (on) => {
    if (!scope.comms.has(comm.handle)) return Status.INVALID_HANDLE;
    return enqueue(scope, { comm, operations, streams }, [on]) === Result.UNHANDLED_CUDA_ERROR
      ? Status.LAUNCH_FAILED
      : 0;
  });
  if (recorded === Status.SUCCESS) return Result.SUCCESS;
  return scope.say(Result.UNHANDLED_CUDA_ERROR, `The capture cannot record the operation: CUDA status ${recorded}`);
}

function enqueue(scope: BatchScope, { comm, operations }: Batch, streams: readonly CpuStream[]): number {
  const { state } = scope;
  const refused = state.refusal(comm.context);
  if (refused !== Status.SUCCESS) {
    return scope.say(Result.UNHANDLED_CUDA_ERROR, `The context of the communicator has failed: CUDA status ${refused}`);
  }
  const gate = gateOn(state, streams, comm.lastGate);
  if (gate === undefined) {
    return scope.say(Result.UNHANDLED_CUDA_ERROR, 'The memory of the embedded device is full');
  }
  comm.lastGate = gate;
  const slow = !comm.blocking && comm.launches++ % SLOW_EACH === 0;
  if (slow) Atomics.store(comm.words, CommWord.STATUS, Result.IN_PROGRESS);
  scope.progress.post({
    type: 'batch',
    comm: comm.handle,
    gate,
    context: comm.context.index,
    operations,
    slow,
  });
  return slow ? Result.IN_PROGRESS : Result.SUCCESS;
}

/** Transfers of a rank to itself end only if both sides are in one group. */
function selfTransfersMatch({ comm, operations }: Batch): boolean {
  let open = 0;
  for (const { name, root } of operations) {
    if (root !== comm.rank) continue;
    if (name === 'send') open++;
    else if (name === 'recv') open--;
  }
  return open === 0;
}
