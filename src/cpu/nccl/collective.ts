import type { OperationName } from '../../nccl/flight-record.ts';
import { DataType, RedOp } from '../../nccl/sys/enums.ts';
import { addressOf } from '../../ffi/memory.ts';
import type { Out } from '../abi/out.ts';
import type { CpuStream } from '../driver/objects.ts';
import type { CpuComm } from './communicator.ts';
import { ELEMENTS } from './elements.ts';
import type { Reduction } from './messages.ts';
import { Result } from './numbers.ts';
import type { NcclScope } from './scope.ts';

/** The arguments of a collective or a transfer. */
export interface Call {
  readonly name: OperationName;
  readonly send: Out;
  readonly recv: Out;
  readonly count: number;
  readonly dtype: number;
  readonly op?: number;
  /** The root, or the peer. */
  readonly root?: number;
}

/** How many times the count a rank's buffers have; 0 where the rank has none. */
interface Extent {
  readonly send: number;
  readonly recv: number;
  /** In place: how many counts the receive buffer begins before the send buffer. Undefined where that is not allowed. */
  readonly inPlace: number | undefined;
}

const OWN_OPS: readonly string[] = Object.keys(RedOp);
const { INVALID_ARGUMENT, SUCCESS, UNHANDLED_CUDA_ERROR } = Result;

/** Check the arguments as NCCL does, and the memory as copies do, and enqueue. */
export function enqueueCollective(scope: NcclScope, comm: CpuComm, raw: bigint, call: Call): number {
  const wrong = (text: string): number => scope.say(INVALID_ARGUMENT, `${call.name}: ${text}`);
  const { name, count, dtype, root = 0 } = call;
  const type = ELEMENTS[dtype];
  if (!type) return wrong(`datatype must be below ${Object.keys(DataType).length}, got ${dtype}`);
  if (comm.isFinalized) return wrong('the communicator was finalized');
  if (root < 0 || root >= comm.size) return wrong(`the root or peer must be from 0 to ${comm.size - 1}, got ${root}`);
  const reduction = call.op === undefined ? undefined : reductionOf(comm, call.op, dtype);
  if (typeof reduction === 'string') return wrong(reduction);
  const on = streamOf(scope, comm, raw);
  if (!on) return wrong('the stream is not one of the context that the communicator is in');
  const isTransfer = name === 'send' || name === 'recv';
  // Collectives of nothing are no collectives: the ranks do not meet.
  if (count === 0 && !isTransfer) return SUCCESS;
  const refused = scope.state.refusal(comm.context);
  if (refused !== 0)
    return scope.say(UNHANDLED_CUDA_ERROR, `The context of the communicator has failed: CUDA status ${refused}`);
  const extent = EXTENTS[name](comm, root);
  const byteLength = count * type.bytes;
  const send = place(scope, call.send, extent.send * byteLength);
  const recv = place(scope, call.recv, extent.recv * byteLength);
  if (send === undefined)
    return wrong(`sendbuff must have ${extent.send * byteLength} bytes of device memory, and has not`);
  if (recv === undefined)
    return wrong(`recvbuff must have ${extent.recv * byteLength} bytes of device memory, and has not`);
  if (comm.context.check && overlaps(send, recv, byteLength, extent)) {
    return wrong('sendbuff and recvbuff overlap, and not as an operation in place may');
  }
  return scope.group.add(comm, { name, send, recv, count, dtype, reduction, root }, on);
}

const EXTENTS: Readonly<Record<OperationName, (comm: CpuComm, root: number) => Extent>> = {
  allReduce: () => ({ send: 1, recv: 1, inPlace: 0 }),
  broadcast: ({ rank }, root) => ({ send: rank === root ? 1 : 0, recv: 1, inPlace: 0 }),
  reduce: ({ rank }, root) => ({ send: 1, recv: rank === root ? 1 : 0, inPlace: 0 }),
  allGather: ({ rank, size }) => ({ send: 1, recv: size, inPlace: rank }),
  reduceScatter: ({ rank, size }) => ({ send: size, recv: 1, inPlace: -rank }),
  allToAll: ({ size }) => ({ send: size, recv: size, inPlace: undefined }),
  gather: ({ rank, size }, root) => ({ send: 1, recv: rank === root ? size : 0, inPlace: rank }),
  scatter: ({ rank, size }, root) => ({ send: rank === root ? size : 0, recv: 1, inPlace: -rank }),
  send: () => ({ send: 1, recv: 0, inPlace: undefined }),
  recv: () => ({ send: 0, recv: 1, inPlace: undefined }),
};

/** A reduction by its `ncclRedOp_t`, or what is wrong with it. */
function reductionOf({ reductions }: CpuComm, op: number, dtype: number): Reduction | string {
  if (op < OWN_OPS.length) return { op };
  const own = reductions.get(op);
  if (!own) return `op must be below ${OWN_OPS.length} or one that the communicator has made, got ${op}`;
  if (own.dtype !== dtype) return `the op was made for datatype ${own.dtype}, got ${dtype}`;
  return { op: own.op, ...(own.scalar === undefined ? {} : { scalar: own.scalar }) };
}

/** A stream of the communicator's context. The default streams are that context's, whichever is current. */
function streamOf({ state }: NcclScope, { context }: CpuComm, raw: bigint): CpuStream | undefined {
  if (raw <= 1n) return context.legacy;
  if (raw === 2n) return context.perThread;
  const found = state.streams.get(Number(raw));
  return found?.context === context ? found : undefined;
}

/** The address of memory of the device, page-locked memory included; undefined where not all bytes are allocated. */
export function place({ state }: NcclScope, pointer: Out, byteLength: number): number | undefined {
  if (byteLength === 0) return 0;
  const { memory } = state;
  const raw = typeof pointer === 'bigint' ? pointer : addressOf(pointer);
  const address = memory.deviceAddress(raw) ?? Number(raw);
  return memory.find(address, byteLength) ? address : undefined;
}

function overlaps(send: number, recv: number, byteLength: number, extent: Extent): boolean {
  if (extent.send === 0 || extent.recv === 0) return false;
  if (extent.inPlace !== undefined && send === recv + extent.inPlace * byteLength) return false;
  return send < recv + extent.recv * byteLength && recv < send + extent.send * byteLength;
}
