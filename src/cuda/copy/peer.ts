import { noteCopied } from '../../core/element-tag.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { attempt, callError, cu } from '../call.ts';
import { requireContext, Context } from '../device/context.ts';
import { deviceRange, roomOf, type DeviceMemory } from '../memory/device-pointer.ts';
import { Device } from '../device/device.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { P2PAttribute, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const ALREADY_ENABLED = statuses.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED[0];
const intSlot = slotOf('int');

/** Whose memory the two ends of a copy are. */
export interface PeerContexts {
  /** The context of the destination; the current one by default. */
  readonly dstContext?: Context;
  /** The context of the source; the current one by default. */
  readonly srcContext?: Context;
}

/** What two devices can do with each other's memory. */
export interface PeerAttributes {
  /** Whether kernels on the first can use memory of the second. */
  readonly accessSupported: boolean;
  /** Whether atomic operations across the link are. */
  readonly nativeAtomicSupported: boolean;
  /** Whether arrays (textures) can be used too. */
  readonly arrayAccessSupported: boolean;
  /** How fast the link is among the machine's: 0 is the fastest. */
  readonly performanceRank: number;
}

/**
 * Let kernels of the current context use the memory of another device's context.
 *
 * Host: may block.
 *
 * @param peer - a context of another device
 * @returns whether it was not enabled before
 * @throws {@link CudaRuntimeError} CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: ask `device.canAccessPeer` first
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html | cuCtxEnablePeerAccess}
 */
export function enablePeerAccess(peer: Context): boolean {
  const raw = contextOf(peer, 'enablePeerAccess');
  requireContext('cuCtxEnablePeerAccess');
  const status = attempt('cuCtxEnablePeerAccess', raw, 0);
  if (status !== 0 && status !== ALREADY_ENABLED) throw callError('cuCtxEnablePeerAccess', status);
  return status === 0;
}

/**
 * Take {@link enablePeerAccess} back.
 *
 * @throws {@link CudaLogicError} CUDA_ERROR_PEER_ACCESS_NOT_ENABLED
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html | cuCtxDisablePeerAccess}
 */
export function disablePeerAccess(peer: Context): void {
  cu.cuCtxDisablePeerAccess(contextOf(peer, 'disablePeerAccess'));
}

/**
 * What the link between two devices can do.
 *
 * @param device - the device that uses the memory
 * @param peer - the device that has the memory
 * @throws {@link CudaRuntimeError} CUDA_ERROR_INVALID_DEVICE: they are the same device
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html | cuDeviceGetP2PAttribute}
 */
export function peerAttributes(device: Device, peer: Device): PeerAttributes {
  for (const one of [device, peer]) {
    if (!(one instanceof Device)) throw new TypeError(`peerAttributes takes two Devices, got ${nameOf(one)}`);
  }
  const ask = (attribute: number): number => {
    cu.cuDeviceGetP2PAttribute(intSlot, attribute, device.raw, peer.raw);
    return take(intSlot);
  };
  return {
    accessSupported: ask(P2PAttribute.ACCESS_SUPPORTED) === 1,
    nativeAtomicSupported: ask(P2PAttribute.NATIVE_ATOMIC_SUPPORTED) === 1,
    arrayAccessSupported: ask(P2PAttribute.CUDA_ARRAY_ACCESS_SUPPORTED) === 1,
    performanceRank: ask(P2PAttribute.PERFORMANCE_RANK),
  };
}

/**
 * Copy device memory of one context to that of another, as of two devices. Peer access need not be enabled.
 *
 * Host: may not block. Stream: ordered after all earlier and before all later work of both contexts.
 *
 * @param destination - device memory, at least as large as what is copied
 * @param source - device memory
 * @param byteLength - in bytes; the source's size by default
 * @param contexts - whose memory it is
 * @throws RangeError one of the two is smaller than that
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyPeer}
 */
export function memcpyPeer(
  destination: DeviceMemory,
  source: DeviceMemory,
  byteLength?: number,
  contexts: PeerContexts = {},
): void {
  const [to, from, bytes] = ends(destination, source, byteLength, 'memcpyPeer');
  const [toContext, fromContext] = contextsOf(contexts, 'memcpyPeer');
  cu.cuMemcpyPeer(to, toContext, from, fromContext, bytes);
}

/**
 * Enqueue {@link memcpyPeer} on a stream. Host: does not block. Stream: ordered.
 *
 * @param stream - the legacy default stream where none is given
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyPeerAsync}
 */
export function memcpyPeerAsync(
  destination: DeviceMemory,
  source: DeviceMemory,
  byteLength?: number,
  contexts: PeerContexts = {},
  stream: Stream | null = null,
): void {
  const [to, from, bytes] = ends(destination, source, byteLength, 'memcpyPeerAsync');
  const [toContext, fromContext] = contextsOf(contexts, 'memcpyPeerAsync');
  cu.cuMemcpyPeerAsync(to, toContext, from, fromContext, bytes, streamHandle(stream, 'memcpyPeerAsync'));
}

type Address = ReturnType<typeof deviceRange>;
type RawContext = ReturnType<typeof requireContext>['value'];

function ends(
  destination: DeviceMemory,
  source: DeviceMemory,
  byteLength: number | undefined,
  what: string,
): readonly [to: Address, from: Address, byteLength: number] {
  const room = byteLength === undefined ? roomOf(source) : byteLength;
  if (room === undefined) {
    deviceRange(source, 0, `${what}: the source`);
    throw new TypeError(`${what}: a raw address has no size; give byteLength`);
  }
  const bytes = checkInteger(room, `${what}: byteLength`, 1);
  const from = deviceRange(source, bytes, `${what}: the source`);
  const to = deviceRange(destination, bytes, `${what}: the destination`);
  noteCopied(destination, source);
  return [to, from, bytes];
}

function contextsOf(contexts: PeerContexts, what: string): readonly [to: RawContext, from: RawContext] {
  if (typeof contexts !== 'object' || (contexts as unknown) === null) {
    throw new TypeError(`${what}: contexts must be { dstContext, srcContext }, got ${nameOf(contexts)}`);
  }
  const { dstContext, srcContext } = contexts;
  const raw = (context: Context | undefined): RawContext =>
    context === undefined ? requireContext(what).value : contextOf(context, what);
  return [raw(dstContext), raw(srcContext)];
}

function contextOf(context: unknown, what: string): RawContext {
  if (!(context instanceof Context)) throw new TypeError(`${what} takes a Context, got ${nameOf(context)}`);
  return context.use(what);
}
