import type { ExtensionTable } from '../../opencl/sys/tables.ts';
import {
  CommandBufferFlags,
  CommandBufferInfo,
  CommandBufferProperty,
  CommandBufferState,
  CommandType,
} from '../../opencl/sys/enums.ts';
import { bytesAt, putInt, type Out } from '../abi/out.ts';
import { infoQuery, created } from './answer.ts';
import { copyBuffer, fillBuffer, withBuffer } from './buffer-commands.ts';
import { Code } from './code.ts';
import { ClCommandBuffer } from './command-buffer.ts';
import type { Command, EventArguments } from './event.ts';
import { launchCommand } from './launch-functions.ts';
import type { ClObject } from './object.ts';
import { propertiesAt, widesAt } from './pointer.ts';
import type { ClQueue } from './queue.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateCommandBufferKHR'
  | 'clFinalizeCommandBufferKHR'
  | 'clRetainCommandBufferKHR'
  | 'clReleaseCommandBufferKHR'
  | 'clEnqueueCommandBufferKHR'
  | 'clCommandBarrierWithWaitListKHR'
  | 'clCommandCopyBufferKHR'
  | 'clCommandFillBufferKHR'
  | 'clCommandNDRangeKernelKHR'
  | 'clGetCommandBufferInfoKHR';

/** The last arguments of every function that records a command. */
type Tail = readonly [count: number, waits: Out, point: Out, mutable: Out];

/** The subject of a query. */
interface BufferSubject {
  readonly state: OpenCLState;
  readonly buffer: ClCommandBuffer;
}

const ask = infoQuery<typeof CommandBufferInfo, BufferSubject>(CommandBufferInfo, {
  QUEUES: ({ buffer }) => [buffer.queue.handle],
  NUM_QUEUES: () => 1,
  REFERENCE_COUNT: ({ buffer }) => buffer.references,
  STATE: ({ state, buffer }) => {
    const { RECORDING, PENDING, EXECUTABLE } = CommandBufferState;
    return !buffer.finalized ? RECORDING : isPending(state, buffer) ? PENDING : EXECUTABLE;
  },
  PROPERTIES_ARRAY: ({ buffer }) => buffer.properties,
});

/** Commands that are recorded once and enqueued often. */
export const commandBufferFunctions: Rows<OpenCLState, ExtensionTable, Names> = {
  clCreateCommandBufferKHR: (state, count, queues, properties, errcode) =>
    created(create(state, count, queues, properties), errcode),
  clFinalizeCommandBufferKHR: (state, handle) =>
    withCommands(state, handle, (buffer) => {
      if (buffer.finalized) return Code.INVALID_OPERATION;
      buffer.finalized = true;
      return Code.SUCCESS;
    }),
  clRetainCommandBufferKHR: (state, handle) =>
    withCommands(state, handle, (buffer) => {
      buffer.retain();
      return Code.SUCCESS;
    }),
  clReleaseCommandBufferKHR: (state, handle) =>
    withCommands(state, handle, (buffer) => {
      buffer.release();
      return Code.SUCCESS;
    }),
  clEnqueueCommandBufferKHR: (state, queueCount, queues, handle, count, list, out) =>
    withCommands(state, handle, (buffer) => {
      if (queueCount > 1 || (queueCount === 0) !== (queues === 0n)) return Code.INVALID_VALUE;
      const queue = queueCount === 0 ? buffer.queue.handle : (widesAt(queues, 1)[0] ?? 0n);
      return enqueue(state, buffer, queue, { count, list, out });
    }),
  clCommandBarrierWithWaitListKHR: (state, handle, queue, ...tail) =>
    record(state, handle, queue, CommandType.MARKER, tail, () => ({})),
  clCommandCopyBufferKHR: (state, handle, rawQueue, source, target, sourceOffset, targetOffset, size, ...tail) =>
    record(state, handle, rawQueue, CommandType.COPY_BUFFER, tail, (queue) =>
      withBuffer(state, queue, source, (from) =>
        withBuffer(state, queue, target, (to) =>
          copyBuffer(state, queue, from, to, [Number(sourceOffset), Number(targetOffset)], Number(size)),
        ),
      ),
    ),
  clCommandFillBufferKHR: (state, handle, rawQueue, target, pattern, patternSize, offset, size, ...tail) =>
    record(state, handle, rawQueue, CommandType.FILL_BUFFER, tail, (queue) =>
      withBuffer(state, queue, target, (memory) =>
        fillBuffer(state, queue, memory, pattern, Number(patternSize), Number(offset), Number(size)),
      ),
    ),
  clCommandNDRangeKernelKHR: (state, handle, rawQueue, properties, kernelHandle, dimensions, ...rest) => {
    const [offset, global, local, ...tail] = rest;
    return record(state, handle, rawQueue, CommandType.NDRANGE_KERNEL, tail, (queue) => {
      const kernel = state.kernels.find(kernelHandle);
      if (!kernel) return Code.INVALID_KERNEL;
      if ((propertiesAt(properties) ?? []).length > 1) return Code.INVALID_VALUE;
      // Later changes of the kernel's arguments do not affect the recorded launch.
      const copied = kernel.clone(() => undefined);
      const command = launchCommand(state, copied, queue, dimensions, offset, global, local);
      if (typeof command !== 'number') return [command, copied];
      copied.release();
      return command;
    });
  },
  clGetCommandBufferInfoKHR: (state, handle, param, size, value, sizeOut) =>
    withCommands(state, handle, (buffer) => ask({ state, buffer }, param, size, value, sizeOut)),
};

function isPending(state: OpenCLState, { last }: ClCommandBuffer): boolean {
  return last !== undefined && !state.scheduler.settle(last);
}

function withCommands(state: OpenCLState, handle: bigint, run: (buffer: ClCommandBuffer) => number): number {
  const buffer = state.commandBuffers.find(handle);
  return buffer ? run(buffer) : Code.INVALID_COMMAND_BUFFER_KHR;
}

function create(state: OpenCLState, count: number, queues: Out, rawProperties: Out): bigint | number {
  if (count !== 1 || queues === 0n) return Code.INVALID_VALUE;
  const queue = state.queues.find(widesAt(queues, 1)[0] ?? 0n);
  if (!queue) return Code.INVALID_COMMAND_QUEUE;
  const properties = propertiesAt(rawProperties) ?? [];
  let flags = 0n;
  for (let i = 0; i + 1 < properties.length; i += 2) {
    if (properties[i] !== BigInt(CommandBufferProperty.FLAGS)) return Code.INVALID_VALUE;
    flags = properties[i + 1] ?? 0n;
  }
  const simultaneous = BigInt(CommandBufferFlags.SIMULTANEOUS_USE);
  if ((flags & ~simultaneous) !== 0n) return Code.INVALID_VALUE;
  const gone = (buffer: ClCommandBuffer): void => state.commandBuffers.remove(buffer);
  return state.commandBuffers.add(new ClCommandBuffer(queue, properties, flags !== 0n, gone));
}

/** Record a command; `make` answers with a status, or with a command and an object that the buffer keeps alive. */
function record(
  state: OpenCLState,
  handle: bigint,
  queue: bigint,
  type: number,
  [count, rawWaits, point, mutable]: Tail,
  make: (queue: ClQueue) => Command | number | readonly [Command, ClObject],
): number {
  return withCommands(state, handle, (buffer) => {
    if (buffer.finalized) return Code.INVALID_OPERATION;
    if (queue !== 0n && queue !== buffer.queue.handle) return Code.INVALID_COMMAND_QUEUE;
    if (mutable !== 0n) return Code.INVALID_VALUE;
    if ((count === 0) !== (rawWaits === 0n)) return Code.INVALID_SYNC_POINT_WAIT_LIST_KHR;
    const waits = count === 0 ? undefined : numbersAt(rawWaits, count);
    if (waits?.some((number) => number < 1 || number > buffer.commands.length))
      return Code.INVALID_SYNC_POINT_WAIT_LIST_KHR;
    const made = make(buffer.queue);
    if (typeof made === 'number') return made;
    const [command, kept] = Array.isArray(made) ? (made as readonly [Command, ClObject]) : [made as Command];
    return putInt(point, buffer.add(type, command, waits, kept));
  });
}

function enqueue(state: OpenCLState, buffer: ClCommandBuffer, handle: bigint, events: EventArguments): number {
  const queue = state.queues.find(handle);
  if (!queue) return Code.INVALID_COMMAND_QUEUE;
  if (!buffer.finalized || (isPending(state, buffer) && !buffer.simultaneous)) return Code.INVALID_OPERATION;
  const own = buffer.queue;
  if (queue.context !== own.context) return Code.INVALID_CONTEXT;
  if (queue.device !== own.device || queue.properties !== own.properties) return Code.INCOMPATIBLE_COMMAND_QUEUE_KHR;
  const waits = state.eventsAt(events, queue.context);
  if (typeof waits === 'number') return waits;
  const made = state.scheduler.replay(queue, CommandType.COMMAND_BUFFER_KHR, waits, buffer.commands, events.out);
  if (typeof made === 'number') return made;
  buffer.last = made;
  return Code.SUCCESS;
}

/** An array of sync points. */
function numbersAt(pointer: Out, count: number): number[] {
  const bytes = bytesAt(pointer, 4 * count).slice(0, 4 * count);
  return Array.from(new Uint32Array(bytes.buffer, 0, bytes.length >> 2));
}
