import {
  QueueProperties,
  ContextInfo,
  ContextProperty,
  QueueInfo,
  EventInfo,
  CommandType,
  CommandExecutionStatus,
  ProfilingInfo,
} from '../../opencl/sys/enums.ts';

// Of contexts, queues and events, named as in the header but for its CL_.

export const QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE: typeof QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE =
  QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE;
export const QUEUE_PROFILING_ENABLE: typeof QueueProperties.PROFILING_ENABLE = QueueProperties.PROFILING_ENABLE;
export const CONTEXT_REFERENCE_COUNT: (typeof ContextInfo.REFERENCE_COUNT)[0] = ContextInfo.REFERENCE_COUNT[0];
export const CONTEXT_DEVICES: (typeof ContextInfo.DEVICES)[0] = ContextInfo.DEVICES[0];
export const CONTEXT_PROPERTIES: (typeof ContextInfo.PROPERTIES)[0] = ContextInfo.PROPERTIES[0];
export const CONTEXT_NUM_DEVICES: (typeof ContextInfo.NUM_DEVICES)[0] = ContextInfo.NUM_DEVICES[0];
export const CONTEXT_PLATFORM: typeof ContextProperty.PLATFORM = ContextProperty.PLATFORM;
export const CONTEXT_INTEROP_USER_SYNC: typeof ContextProperty.INTEROP_USER_SYNC = ContextProperty.INTEROP_USER_SYNC;
export const QUEUE_CONTEXT: (typeof QueueInfo.CONTEXT)[0] = QueueInfo.CONTEXT[0];
export const QUEUE_DEVICE: (typeof QueueInfo.DEVICE)[0] = QueueInfo.DEVICE[0];
export const QUEUE_REFERENCE_COUNT: (typeof QueueInfo.REFERENCE_COUNT)[0] = QueueInfo.REFERENCE_COUNT[0];
export const QUEUE_PROPERTIES: (typeof QueueInfo.PROPERTIES)[0] = QueueInfo.PROPERTIES[0];
export const EVENT_COMMAND_QUEUE: (typeof EventInfo.COMMAND_QUEUE)[0] = EventInfo.COMMAND_QUEUE[0];
export const EVENT_COMMAND_TYPE: (typeof EventInfo.COMMAND_TYPE)[0] = EventInfo.COMMAND_TYPE[0];
export const EVENT_REFERENCE_COUNT: (typeof EventInfo.REFERENCE_COUNT)[0] = EventInfo.REFERENCE_COUNT[0];
export const EVENT_COMMAND_EXECUTION_STATUS: (typeof EventInfo.COMMAND_EXECUTION_STATUS)[0] =
  EventInfo.COMMAND_EXECUTION_STATUS[0];
export const EVENT_CONTEXT: (typeof EventInfo.CONTEXT)[0] = EventInfo.CONTEXT[0];
export const COMMAND_NDRANGE_KERNEL: typeof CommandType.NDRANGE_KERNEL = CommandType.NDRANGE_KERNEL;
export const COMMAND_TASK: typeof CommandType.TASK = CommandType.TASK;
export const COMMAND_NATIVE_KERNEL: typeof CommandType.NATIVE_KERNEL = CommandType.NATIVE_KERNEL;
export const COMMAND_READ_BUFFER: typeof CommandType.READ_BUFFER = CommandType.READ_BUFFER;
export const COMMAND_WRITE_BUFFER: typeof CommandType.WRITE_BUFFER = CommandType.WRITE_BUFFER;
export const COMMAND_COPY_BUFFER: typeof CommandType.COPY_BUFFER = CommandType.COPY_BUFFER;
export const COMMAND_READ_IMAGE: typeof CommandType.READ_IMAGE = CommandType.READ_IMAGE;
export const COMMAND_WRITE_IMAGE: typeof CommandType.WRITE_IMAGE = CommandType.WRITE_IMAGE;
export const COMMAND_COPY_IMAGE: typeof CommandType.COPY_IMAGE = CommandType.COPY_IMAGE;
export const COMMAND_COPY_IMAGE_TO_BUFFER: typeof CommandType.COPY_IMAGE_TO_BUFFER = CommandType.COPY_IMAGE_TO_BUFFER;
export const COMMAND_COPY_BUFFER_TO_IMAGE: typeof CommandType.COPY_BUFFER_TO_IMAGE = CommandType.COPY_BUFFER_TO_IMAGE;
export const COMMAND_MAP_BUFFER: typeof CommandType.MAP_BUFFER = CommandType.MAP_BUFFER;
export const COMMAND_MAP_IMAGE: typeof CommandType.MAP_IMAGE = CommandType.MAP_IMAGE;
export const COMMAND_UNMAP_MEM_OBJECT: typeof CommandType.UNMAP_MEM_OBJECT = CommandType.UNMAP_MEM_OBJECT;
export const COMMAND_MARKER: typeof CommandType.MARKER = CommandType.MARKER;
export const COMMAND_READ_BUFFER_RECT: typeof CommandType.READ_BUFFER_RECT = CommandType.READ_BUFFER_RECT;
export const COMMAND_WRITE_BUFFER_RECT: typeof CommandType.WRITE_BUFFER_RECT = CommandType.WRITE_BUFFER_RECT;
export const COMMAND_COPY_BUFFER_RECT: typeof CommandType.COPY_BUFFER_RECT = CommandType.COPY_BUFFER_RECT;
export const COMMAND_USER: typeof CommandType.USER = CommandType.USER;
export const COMMAND_BARRIER: typeof CommandType.BARRIER = CommandType.BARRIER;
export const COMMAND_MIGRATE_MEM_OBJECTS: typeof CommandType.MIGRATE_MEM_OBJECTS = CommandType.MIGRATE_MEM_OBJECTS;
export const COMMAND_FILL_BUFFER: typeof CommandType.FILL_BUFFER = CommandType.FILL_BUFFER;
export const COMMAND_FILL_IMAGE: typeof CommandType.FILL_IMAGE = CommandType.FILL_IMAGE;
export const COMPLETE: typeof CommandExecutionStatus.COMPLETE = CommandExecutionStatus.COMPLETE;
export const RUNNING: typeof CommandExecutionStatus.RUNNING = CommandExecutionStatus.RUNNING;
export const SUBMITTED: typeof CommandExecutionStatus.SUBMITTED = CommandExecutionStatus.SUBMITTED;
export const QUEUED: typeof CommandExecutionStatus.QUEUED = CommandExecutionStatus.QUEUED;
export const PROFILING_COMMAND_QUEUED: (typeof ProfilingInfo.QUEUED)[0] = ProfilingInfo.QUEUED[0];
export const PROFILING_COMMAND_SUBMIT: (typeof ProfilingInfo.SUBMIT)[0] = ProfilingInfo.SUBMIT[0];
export const PROFILING_COMMAND_START: (typeof ProfilingInfo.START)[0] = ProfilingInfo.START[0];
export const PROFILING_COMMAND_END: (typeof ProfilingInfo.END)[0] = ProfilingInfo.END[0];
