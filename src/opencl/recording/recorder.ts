import type { Opaque } from '../../ffi/ctype.ts';
import type { Device } from '../device/device.ts';
import { hasExtensionVersion, requireExtension } from '../device/requirement.ts';
import { extensionCalls, unsupported, type ExtensionCalls } from '../extension.ts';
import type { CommandQueue, RawQueue } from '../queue/queue.ts';
import { CommandBufferCapability, CommandBufferFlags, CommandBufferProperty, QueueProperties } from '../sys/enums.ts';

export type RawCommandBuffer = Opaque<'cl_command_buffer_khr'>;

type RawMemory = Opaque<'cl_mem'>;

const EXTENSION = 'cl_khr_command_buffer';
const NO_QUEUE = 0n as RawQueue;

/** The last arguments of every command. */
type Tail = readonly [count: number, waits: Uint32Array | bigint, point: Uint32Array];

/** The driver's functions for the commands, in the form of its version of the extension. */
export interface Recorder {
  readonly calls: ExtensionCalls;
  /** Whether a buffer may be enqueued again while it runs. */
  readonly canOverlap: boolean;
  readonly barrier: (buffer: RawCommandBuffer, ...tail: Tail) => void;
  readonly copy: (
    buffer: RawCommandBuffer,
    from: RawMemory,
    to: RawMemory,
    sizes: readonly [fromOffset: number, toOffset: number, byteLength: number],
    ...tail: Tail
  ) => void;
  readonly fill: (
    buffer: RawCommandBuffer,
    memory: RawMemory,
    pattern: Uint8Array,
    sizes: readonly [offset: number, byteLength: number],
    ...tail: Tail
  ) => void;
}

/** Find them for a device. */
export function recorderOf(device: Device): Recorder {
  requireExtension(device, EXTENSION, 'CommandBuffer');
  const calls = extensionCalls(device.platform.raw);
  const capabilities = device.getInfo('COMMAND_BUFFER_CAPABILITIES_KHR');
  const canOverlap = (capabilities & CommandBufferCapability.SIMULTANEOUS_USE) !== 0;
  if (takesProperties(device)) {
    return {
      calls,
      canOverlap,
      barrier: (buffer, ...tail) => calls.clCommandBarrierWithWaitListKHR_v095(buffer, NO_QUEUE, 0n, ...tail, 0n),
      copy: (buffer, from, to, sizes, ...tail) =>
        calls.clCommandCopyBufferKHR_v095(buffer, NO_QUEUE, 0n, from, to, ...sizes, ...tail, 0n),
      fill: (buffer, memory, pattern, sizes, ...tail) =>
        calls.clCommandFillBufferKHR_v095(buffer, NO_QUEUE, 0n, memory, pattern, pattern.length, ...sizes, ...tail, 0n),
    };
  }
  return {
    calls,
    canOverlap,
    barrier: (buffer, ...tail) => calls.clCommandBarrierWithWaitListKHR(buffer, NO_QUEUE, ...tail, 0n),
    copy: (buffer, from, to, sizes, ...tail) =>
      calls.clCommandCopyBufferKHR(buffer, NO_QUEUE, from, to, ...sizes, ...tail, 0n),
    fill: (buffer, memory, pattern, sizes, ...tail) =>
      calls.clCommandFillBufferKHR(buffer, NO_QUEUE, memory, pattern, pattern.length, ...sizes, ...tail, 0n),
  };
}

/** Make an empty command buffer for a queue. */
export function createBuffer(recorder: Recorder, queue: CommandQueue, raw: RawQueue): RawCommandBuffer {
  const { device, outOfOrder, profiling } = queue;
  const wanted = device.getInfo('COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR');
  const { OUT_OF_ORDER_EXEC_MODE_ENABLE, PROFILING_ENABLE } = QueueProperties;
  const has = (outOfOrder ? OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) | (profiling ? PROFILING_ENABLE : 0);
  if ((wanted & ~has) !== 0) {
    const names = Object.entries({ outOfOrder: OUT_OF_ORDER_EXEC_MODE_ENABLE, profiling: PROFILING_ENABLE });
    const lacking = names.flatMap(([name, bit]) => (wanted & ~has & bit ? [name] : []));
    throw new TypeError(`CommandBuffer: on ${device.name} the queue must have ${lacking.join(' and ')}`);
  }
  const flags = recorder.canOverlap
    ? BigUint64Array.from([CommandBufferProperty.FLAGS, CommandBufferFlags.SIMULTANEOUS_USE, 0], BigInt)
    : 0n;
  return recorder.calls.clCreateCommandBufferKHR(1, BigUint64Array.of(raw), flags);
}

/** Since version 0.9.5 each command takes a list of properties. A wrong guess would crash the process. */
function takesProperties(device: Device): boolean {
  const takes = hasExtensionVersion(device, EXTENSION, [0, 9, 5]);
  if (takes !== undefined) return takes;
  throw unsupported('CommandBuffer', `${device.name} does not report its version of ${EXTENSION}`);
}
