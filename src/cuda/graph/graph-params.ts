import { integerTags, noteCopied, noteFilled } from '../../core/element-tag.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { hostByteLength, isHostMemory, type HostMemory } from '../../core/host-memory.ts';
import type { AnyHandle } from '../../core/handle.ts';
import { checkFixed, pin } from '../../core/pin.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { deviceRange, roomOf, type DeviceMemory } from '../memory/device-pointer.ts';
import { kernelInner, type EncodedAttributes } from '../lifetime/kernel-inner.ts';
import type { KernelAttributes } from '../kernel/kernel-attributes.ts';
import type { GraphLaunchOptions } from './graph-launch-options.ts';
import { ownerOf, useOf, type Use } from '../lifetime/recording.ts';
import { structs } from '../sys/structs.ts';
import { MemAllocationType, MemLocationType, MemoryType } from '../sys/enums.ts';

/** A node's parameters as the driver reads them, and what they keep alive. */
export interface NodeParams {
  readonly params: Uint8Array<ArrayBuffer>;
  readonly use: Use;
  readonly attributes?: EncodedAttributes | undefined;
}

const STREAM_OPTIONS = ['stream', 'programmaticStreamSerialization', 'programmaticEvent', 'completionEvent'];
const copyFields = structs.CUDA_MEMCPY3D.fields;
const fillFields = structs.CUDA_MEMSET_NODE_PARAMS.fields;
const allocFields = structs.CUDA_MEM_ALLOC_NODE_PARAMS.fields;

/** The parameters of a kernel node; checked and packed as those of a launch. */
export function kernelParams(
  kernel: KernelAttributes,
  args: readonly unknown[],
  options: GraphLaunchOptions,
  method: string,
): NodeParams {
  const inner = kernelInner(kernel);
  if (!inner) throw new TypeError(`${method} takes a kernel, got ${nameOf(kernel)}`);
  if (!Array.isArray(args)) throw new TypeError(`${method}: the arguments must be an array, got ${nameOf(args)}`);
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const key of STREAM_OPTIONS) {
    if (given[key] === undefined) continue;
    throw new TypeError(`${method}: a kernel in a graph has no '${key}'; the graph's edges say what it waits for`);
  }
  const launcher = inner.configured(options, method);
  if (!launcher.pack(args, args.length)) {
    throw new TypeError(`${method}: a kernel in a graph takes no cuda.In, Out or InOut; copy with nodes of their own`);
  }
  const handles = [inner.owner(method), ...owners(args, method)];
  return {
    params: launcher.nodeParams(),
    use: useOf('graph node', handles, []),
    attributes: launcher.attributes,
  };
}

/** The parameters of a copy between device memory and device or host memory. */
export function memcpyParams(
  destination: DeviceMemory | HostMemory,
  source: DeviceMemory | HostMemory,
  byteLength: number | undefined,
  method: string,
): NodeParams {
  const bytes = copyLength(destination, source, byteLength, method);
  const params = new Uint8Array(structs.CUDA_MEMCPY3D.size);
  const view = new DataView(params.buffer);
  const side = (value: DeviceMemory | HostMemory, name: 'src' | 'dst', what: string): void => {
    const host = isHostMemory(value);
    view.setUint32(copyFields[`${name}MemoryType`], host ? MemoryType.HOST : MemoryType.DEVICE, true);
    const at = host ? copyFields[`${name}Host`] : copyFields[`${name}Device`];
    view.setBigUint64(at, host ? hostAddress(value, bytes, what) : deviceRange(value, bytes, what), true);
    view.setBigUint64(copyFields[`${name}Pitch`], BigInt(bytes), true);
    view.setBigUint64(copyFields[`${name}Height`], 1n, true);
  };
  side(destination, 'dst', `${method}: the destination`);
  side(source, 'src', `${method}: the source`);
  view.setBigUint64(copyFields.WidthInBytes, BigInt(bytes), true);
  view.setBigUint64(copyFields.Height, 1n, true);
  view.setBigUint64(copyFields.Depth, 1n, true);
  noteCopied(destination, source);
  const both = [destination, source];
  const hosts = both.filter(isHostMemory);
  const pins = hosts.map((host) => pin(host, 'object'));
  const use = useOf('graph node', owners(both, method), hosts, () => {
    for (const unpin of pins) unpin();
  });
  return { params, use };
}

function copyLength(destination: unknown, source: unknown, byteLength: number | undefined, method: string): number {
  if (isHostMemory(destination) && isHostMemory(source)) {
    throw new TypeError(`${method}: one of the two has to be device memory, got two host arrays`);
  }
  if (byteLength !== undefined) return checkInteger(byteLength, `${method}: byteLength`, 1);
  // Of a host array all is copied, as memcpyHtoD and memcpyDtoH do.
  if (isHostMemory(source)) return hostByteLength(source, `${method}: the source`);
  if (isHostMemory(destination)) return hostByteLength(destination, `${method}: the destination`);
  const room = roomOf(source) ?? roomOf(destination);
  if (room === undefined) throw new TypeError(`${method}: raw addresses have no size; give byteLength`);
  return checkInteger(room, `${method}: byteLength`, 1);
}

function hostAddress(memory: HostMemory, bytes: number, what: string): bigint {
  const room = hostByteLength(memory, what);
  checkFixed(memory, what);
  if (bytes > room) throw new RangeError(`${what} has ${room} bytes; ${bytes} were asked for`);
  return addressOf(memory);
}

/** The parameters of a fill with elements of 1, 2 or 4 bytes. */
export function memsetParams(
  destination: DeviceMemory,
  value: number,
  count: number,
  elementBytes: 1 | 2 | 4,
  method: string,
): NodeParams {
  if (![1, 2, 4].includes(elementBytes)) {
    throw new RangeError(`${method}: elementBytes must be 1, 2 or 4, got ${nameOf(elementBytes)}`);
  }
  checkInteger(value, `${method}: the value`, 0, 2 ** (8 * elementBytes) - 1);
  const elements = checkInteger(count, `${method}: the count`, 1);
  const bytes = elements * elementBytes;
  const address = deviceRange(destination, bytes, `${method}: the destination`);
  if (address % BigInt(elementBytes) !== 0n) {
    throw new RangeError(`${method}: the address is not a multiple of ${elementBytes}`);
  }
  noteFilled(destination, value, integerTags(elementBytes));
  const params = new Uint8Array(structs.CUDA_MEMSET_NODE_PARAMS.size);
  const view = new DataView(params.buffer);
  view.setBigUint64(fillFields.dst, address, true);
  view.setBigUint64(fillFields.pitch, BigInt(bytes), true);
  view.setUint32(fillFields.value, value, true);
  view.setUint32(fillFields.elementSize, elementBytes, true);
  view.setBigUint64(fillFields.width, BigInt(elements), true);
  view.setBigUint64(fillFields.height, 1n, true);
  return { params, use: useOf('graph node', owners([destination], method), []) };
}

/** The parameters of an allocation of device memory. */
export function allocParams(byteLength: number, ordinal: number, method: string): Uint8Array<ArrayBuffer> {
  const bytes = checkInteger(byteLength, `${method}: the size`, 1);
  const params = new Uint8Array(structs.CUDA_MEM_ALLOC_NODE_PARAMS.size);
  const view = new DataView(params.buffer);
  view.setInt32(allocFields['poolProps.allocType'], MemAllocationType.PINNED, true);
  view.setInt32(allocFields['poolProps.location.type'], MemLocationType.DEVICE, true);
  view.setInt32(allocFields['poolProps.location.id'], ordinal, true);
  view.setBigUint64(allocFields.bytesize, BigInt(bytes), true);
  return params;
}

/** The address that an allocation's parameters got. */
export function allocatedAddress(params: Uint8Array<ArrayBuffer>): Opaque<'CUdeviceptr'> {
  return new DataView(params.buffer).getBigUint64(allocFields.dptr, true) as Opaque<'CUdeviceptr'>;
}

/** The handles that own what is passed. */
export function owners(values: readonly unknown[], method: string): AnyHandle[] {
  return values.map((value) => ownerOf(value, method)).filter((owner) => owner !== undefined);
}
