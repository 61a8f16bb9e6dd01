import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { QueueInfo, QueueProperties, QueuePropertyName } from '../../opencl/sys/enums.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import { propertiesAt } from './pointer.ts';
import type { ClQueue } from './queue.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clSetDefaultDeviceCommandQueue'
  | 'clCreateCommandQueueWithProperties'
  | 'clCreateCommandQueue'
  | 'clRetainCommandQueue'
  | 'clReleaseCommandQueue'
  | 'clGetCommandQueueInfo'
  | 'clFlush'
  | 'clFinish';

const KNOWN =
  QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE |
  QueueProperties.PROFILING_ENABLE |
  QueueProperties.ON_DEVICE |
  QueueProperties.ON_DEVICE_DEFAULT;
const ON_HOST = QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueProperties.PROFILING_ENABLE;

const ask = infoQuery<typeof QueueInfo, ClQueue>(QueueInfo, {
  CONTEXT: ({ context }) => context.handle,
  DEVICE: ({ device }) => device.handle,
  REFERENCE_COUNT: ({ references }) => references,
  PROPERTIES: ({ properties }) => properties,
  PROPERTIES_ARRAY: ({ propertyList }) => propertyList,
  DEVICE_DEFAULT: () => 0n,
});

/** Command queues. */
export const queueFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateCommandQueue: (state, context, device, properties, errcode) =>
    created(create(state, context, device, properties, []), errcode),
  clCreateCommandQueueWithProperties: (state, context, device, properties, errcode) =>
    created(createWith(state, context, device, propertiesAt(properties) ?? []), errcode),
  clSetDefaultDeviceCommandQueue: (state, contextHandle, deviceHandle) => {
    if (!state.contexts.find(contextHandle)) return Code.INVALID_CONTEXT;
    return state.devices.find(deviceHandle) ? Code.INVALID_OPERATION : Code.INVALID_DEVICE;
  },
  clRetainCommandQueue: (state, handle) =>
    withQueue(state, handle, (queue) => {
      queue.retain();
      return Code.SUCCESS;
    }),
  clReleaseCommandQueue: (state, handle) =>
    withQueue(state, handle, (queue) => {
      queue.release();
      return Code.SUCCESS;
    }),
  clGetCommandQueueInfo: (state, handle, param, size, value, sizeOut) =>
    withQueue(state, handle, (queue) =>
      param === QueueInfo.SIZE[0] ? Code.INVALID_COMMAND_QUEUE : ask(queue, param, size, value, sizeOut),
    ),
  clFlush: (state, handle) =>
    withQueue(state, handle, () => {
      state.scheduler.pump();
      return Code.SUCCESS;
    }),
  clFinish: (state, handle) =>
    withQueue(state, handle, (queue) => {
      if (!state.scheduler.finish(queue)) return Code.INVALID_OPERATION;
      return state.scheduler.isLost(queue.context) ? Code.OUT_OF_RESOURCES : Code.SUCCESS;
    }),
};

function withQueue(state: OpenCLState, handle: bigint, run: (queue: ClQueue) => number): number {
  const queue = state.queues.find(handle);
  return queue ? run(queue) : Code.INVALID_COMMAND_QUEUE;
}

function create(
  state: OpenCLState,
  contextHandle: bigint,
  deviceHandle: bigint,
  properties: number | bigint,
  list: readonly bigint[],
): bigint | number {
  const context = state.contexts.find(contextHandle);
  if (!context) return Code.INVALID_CONTEXT;
  const device = state.devices.find(deviceHandle);
  if (!device || !context.devices.includes(device)) return Code.INVALID_DEVICE;
  const bits = Number(properties);
  if ((bits & ~KNOWN) !== 0 || bits > KNOWN) return Code.INVALID_VALUE;
  // The device has no device-side queues.
  if ((bits & ~ON_HOST) !== 0) return Code.INVALID_QUEUE_PROPERTIES;
  return state.addQueue(context, device, bits, list);
}

function createWith(state: OpenCLState, context: bigint, device: bigint, list: readonly bigint[]): bigint | number {
  let properties = 0n;
  for (let i = 0; i + 1 < list.length; i += 2) {
    if (list[i] === BigInt(QueuePropertyName.PROPERTIES)) properties = list[i + 1] ?? 0n;
    // A size is for queues on the device.
    else return list[i] === BigInt(QueuePropertyName.SIZE) ? Code.INVALID_QUEUE_PROPERTIES : Code.INVALID_VALUE;
  }
  return create(state, context, device, properties, list);
}
