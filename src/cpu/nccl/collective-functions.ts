import type { NcclTable } from '../../nccl/sys/tables.ts';
import type { Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';
import { enqueueCollective, type Call } from './collective.ts';
import type { NcclScope } from './scope.ts';

type Names =
  | 'ncclAllReduce'
  | 'ncclBroadcast'
  | 'ncclBcast'
  | 'ncclReduce'
  | 'ncclAllGather'
  | 'ncclReduceScatter'
  | 'ncclAlltoAll'
  | 'ncclGather'
  | 'ncclScatter'
  | 'ncclSend'
  | 'ncclRecv';

type Length = number | bigint;

/** Collectives, and transfers between two ranks. */
export const collectiveFunctions: Rows<NcclScope, NcclTable, Names> = {
  ncclAllReduce: (scope, send, recv, count, dtype, op, comm, stream) =>
    run(scope, comm, stream, { name: 'allReduce', send, recv, count: Number(count), dtype, op }),
  ncclBroadcast: broadcast,
  ncclBcast: (scope, buffer, count, dtype, root, comm, stream) =>
    broadcast(scope, buffer, buffer, count, dtype, root, comm, stream),
  ncclReduce: (scope, send, recv, count, dtype, op, root, comm, stream) =>
    run(scope, comm, stream, { name: 'reduce', send, recv, count: Number(count), dtype, op, root }),
  ncclAllGather: (scope, send, recv, count, dtype, comm, stream) =>
    run(scope, comm, stream, { name: 'allGather', send, recv, count: Number(count), dtype }),
  ncclReduceScatter: (scope, send, recv, count, dtype, op, comm, stream) =>
    run(scope, comm, stream, { name: 'reduceScatter', send, recv, count: Number(count), dtype, op }),
  ncclAlltoAll: (scope, send, recv, count, dtype, comm, stream) =>
    run(scope, comm, stream, { name: 'allToAll', send, recv, count: Number(count), dtype }),
  ncclGather: (scope, send, recv, count, dtype, root, comm, stream) =>
    run(scope, comm, stream, { name: 'gather', send, recv, count: Number(count), dtype, root }),
  ncclScatter: (scope, send, recv, count, dtype, root, comm, stream) =>
    run(scope, comm, stream, { name: 'scatter', send, recv, count: Number(count), dtype, root }),
  ncclSend: (scope, send, count, dtype, peer, comm, stream) =>
    run(scope, comm, stream, { name: 'send', send, recv: 0n, count: Number(count), dtype, root: peer }),
  ncclRecv: (scope, recv, count, dtype, peer, comm, stream) =>
    run(scope, comm, stream, { name: 'recv', send: 0n, recv, count: Number(count), dtype, root: peer }),
};

function broadcast(
  scope: NcclScope,
  send: Out,
  recv: Out,
  count: Length,
  dtype: number,
  root: number,
  comm: bigint,
  stream: bigint,
): number {
  return run(scope, comm, stream, { name: 'broadcast', send, recv, count: Number(count), dtype, root });
}

function run(scope: NcclScope, comm: bigint, stream: bigint, call: Call): number {
  return scope.group.note(scope.withReady(comm, (found) => enqueueCollective(scope, found, stream, call)));
}
