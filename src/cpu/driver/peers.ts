import type { DriverTable } from '../../cuda/sys/tables.ts';
import { P2PAttribute } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, putInt, type Out } from '../abi/out.ts';
import { copyBox, readBox3D, type Box } from './box.ts';
import { copy } from './copy.ts';
import type { CpuContext } from './objects.ts';
import type { DriverState } from './state.ts';
import { ahead } from './stream-order.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuDeviceCanAccessPeer'
  | 'cuDeviceGetP2PAttribute'
  | 'cuCtxEnablePeerAccess'
  | 'cuCtxDisablePeerAccess'
  | 'cuMemcpyPeer'
  | 'cuMemcpyPeerAsync'
  | 'cuMemcpy3DPeer'
  | 'cuMemcpy3DPeerAsync';

/** All devices are one processor: the link between two of them has every capability, and the best rank. */
const LINK: ReadonlyMap<number, number> = new Map([
  [P2PAttribute.PERFORMANCE_RANK, 0],
  [P2PAttribute.ACCESS_SUPPORTED, 1],
  [P2PAttribute.NATIVE_ATOMIC_SUPPORTED, 1],
  [P2PAttribute.CUDA_ARRAY_ACCESS_SUPPORTED, 1],
]);

/** Access to the memory of other devices, and copies between them. Statuses are those of two H200 with CUDA 13.0. */
export const peerFunctions: Rows<DriverState, DriverTable, Names> = {
  cuDeviceCanAccessPeer: (state, out, device, peer) =>
    state.known(device) || state.known(peer) || putInt(out, device === peer ? 0 : 1),
  cuDeviceGetP2PAttribute: (state, out, attribute, device, peer) => {
    if (state.known(device) || state.known(peer) || device === peer) return Status.INVALID_DEVICE;
    const value = LINK.get(attribute);
    return value === undefined ? Status.INVALID_VALUE : putInt(out, value);
  },
  cuCtxEnablePeerAccess: (state, handle, flags) => {
    const context = state.current;
    const peer = state.contexts.get(Number(handle));
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    if (flags !== 0) return Status.INVALID_VALUE;
    if (!peer) return Status.INVALID_CONTEXT;
    if (peer.device === context.device) return Status.PEER_ACCESS_UNSUPPORTED;
    if (context.peers.has(peer)) return Status.PEER_ACCESS_ALREADY_ENABLED;
    context.peers.add(peer);
    state.devices.refresh(context);
    return Status.SUCCESS;
  },
  cuCtxDisablePeerAccess: (state, handle) => {
    const context = state.current;
    const peer = state.contexts.get(Number(handle));
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    if (!peer) return Status.INVALID_CONTEXT;
    if (!context.peers.has(peer)) return Status.PEER_ACCESS_NOT_ENABLED;
    // Kernels that still run may use the memory.
    state.settle(context);
    context.peers.delete(peer);
    state.devices.refresh(context);
    return Status.SUCCESS;
  },
  cuMemcpyPeer: (state, to, first, from, second, size) =>
    withEnds(state, [first, second], (contexts) => settleAll(state, contexts) || copy(state, to, from, size, 0n)),
  cuMemcpyPeerAsync: (state, to, first, from, second, size, stream) =>
    withEnds(state, [first, second], () => copy(state, to, from, size, stream)),
  cuMemcpy3DPeer: (state, description) => {
    const box = boxAt(state, description);
    if (typeof box === 'number') return state.refuse() || box;
    return withEnds(state, box.contexts, (contexts) => settleAll(state, contexts) || copyBox(state, box.box));
  },
  cuMemcpy3DPeerAsync: (state, description, stream) => {
    const box = boxAt(state, description);
    if (typeof box === 'number') return state.refuse() || box;
    const on = state.streamOf(Number(stream));
    if (!on) return state.refuse() || Status.INVALID_HANDLE;
    return withEnds(state, box.contexts, () => state.finish(on.context, ahead(on)) || copyBox(state, box.box));
  },
};

/**
 * The contexts of the two ends of a copy. The handle 0 stands for the current one, as it does on a GPU. Which of the
 * contexts has the memory is told by its address alone.
 */
function withEnds(
  state: DriverState,
  handles: readonly bigint[],
  run: (contexts: readonly CpuContext[]) => number,
): number {
  const { current } = state;
  const refused = state.refuse();
  if (!current || refused !== 0) return refused;
  const contexts = [current];
  for (const handle of handles) {
    const context = handle === 0n ? current : state.contexts.get(Number(handle));
    if (!context) return Status.INVALID_CONTEXT;
    contexts.push(context);
  }
  return run(contexts);
}

/** A copy that is not asynchronous follows all work of its contexts. */
function settleAll(state: DriverState, contexts: readonly CpuContext[]): number {
  for (const context of new Set(contexts)) {
    const status = state.finishAll(context);
    if (status !== Status.SUCCESS) return status;
  }
  return Status.SUCCESS;
}

function boxAt(
  state: DriverState,
  description: Out,
): { readonly box: Box; readonly contexts: readonly bigint[] } | number {
  const { size, fields } = structs.CUDA_MEMCPY3D_PEER;
  const box = readBox3D(state, description);
  if (typeof box === 'number') return box;
  const bytes = bytesAt(description, size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  return { box, contexts: [fields.dstContext, fields.srcContext].map((field) => view.getBigUint64(field, true)) };
}
