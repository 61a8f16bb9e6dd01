import {
  status,
  DeviceInfo,
  QueueProperties,
  DeviceSvmCapabilities,
  QueueInfo,
  SvmMemFlags,
  ChannelOrder,
  MemObjectType,
  MemInfo,
  PipeInfo,
  SamplerProperty,
  ProgramBuildInfo,
  KernelArgTypeQualifier,
  KernelExecInfo,
  CommandType,
  ProfilingInfo,
  PlatformInfo,
  ChannelType,
  ProgramInfo,
  KernelSubGroupInfo,
  MemFlags,
} from '../../opencl/sys/enums.ts';

// Constants of OpenCL 2.0 and later: a build for 1.2 has none of these.

/** Whether the module supports OpenCL 2.0: false in the strict form for 1.2. */
export const CL_VERSION_2_0: boolean = true;
export const v20: boolean = true;

export const INVALID_PIPE_SIZE: number = status.CL_INVALID_PIPE_SIZE[0] >>> 0;
export const INVALID_DEVICE_QUEUE: number = status.CL_INVALID_DEVICE_QUEUE[0] >>> 0;
export const VERSION_2_0 = 1;
export const DEVICE_QUEUE_ON_HOST_PROPERTIES: (typeof DeviceInfo.QUEUE_ON_HOST_PROPERTIES)[0] =
  DeviceInfo.QUEUE_ON_HOST_PROPERTIES[0];
export const DEVICE_MAX_READ_WRITE_IMAGE_ARGS: (typeof DeviceInfo.MAX_READ_WRITE_IMAGE_ARGS)[0] =
  DeviceInfo.MAX_READ_WRITE_IMAGE_ARGS[0];
export const DEVICE_MAX_GLOBAL_VARIABLE_SIZE: (typeof DeviceInfo.MAX_GLOBAL_VARIABLE_SIZE)[0] =
  DeviceInfo.MAX_GLOBAL_VARIABLE_SIZE[0];
export const DEVICE_QUEUE_ON_DEVICE_PROPERTIES: (typeof DeviceInfo.QUEUE_ON_DEVICE_PROPERTIES)[0] =
  DeviceInfo.QUEUE_ON_DEVICE_PROPERTIES[0];
export const DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE: (typeof DeviceInfo.QUEUE_ON_DEVICE_PREFERRED_SIZE)[0] =
  DeviceInfo.QUEUE_ON_DEVICE_PREFERRED_SIZE[0];
export const DEVICE_QUEUE_ON_DEVICE_MAX_SIZE: (typeof DeviceInfo.QUEUE_ON_DEVICE_MAX_SIZE)[0] =
  DeviceInfo.QUEUE_ON_DEVICE_MAX_SIZE[0];
export const DEVICE_MAX_ON_DEVICE_QUEUES: (typeof DeviceInfo.MAX_ON_DEVICE_QUEUES)[0] =
  DeviceInfo.MAX_ON_DEVICE_QUEUES[0];
export const DEVICE_MAX_ON_DEVICE_EVENTS: (typeof DeviceInfo.MAX_ON_DEVICE_EVENTS)[0] =
  DeviceInfo.MAX_ON_DEVICE_EVENTS[0];
export const DEVICE_SVM_CAPABILITIES: (typeof DeviceInfo.SVM_CAPABILITIES)[0] = DeviceInfo.SVM_CAPABILITIES[0];
export const DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: (typeof DeviceInfo.GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE)[0] =
  DeviceInfo.GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE[0];
export const DEVICE_MAX_PIPE_ARGS: (typeof DeviceInfo.MAX_PIPE_ARGS)[0] = DeviceInfo.MAX_PIPE_ARGS[0];
export const DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS: (typeof DeviceInfo.PIPE_MAX_ACTIVE_RESERVATIONS)[0] =
  DeviceInfo.PIPE_MAX_ACTIVE_RESERVATIONS[0];
export const DEVICE_PIPE_MAX_PACKET_SIZE: (typeof DeviceInfo.PIPE_MAX_PACKET_SIZE)[0] =
  DeviceInfo.PIPE_MAX_PACKET_SIZE[0];
export const DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: (typeof DeviceInfo.PREFERRED_PLATFORM_ATOMIC_ALIGNMENT)[0] =
  DeviceInfo.PREFERRED_PLATFORM_ATOMIC_ALIGNMENT[0];
export const DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT: (typeof DeviceInfo.PREFERRED_GLOBAL_ATOMIC_ALIGNMENT)[0] =
  DeviceInfo.PREFERRED_GLOBAL_ATOMIC_ALIGNMENT[0];
export const DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT: (typeof DeviceInfo.PREFERRED_LOCAL_ATOMIC_ALIGNMENT)[0] =
  DeviceInfo.PREFERRED_LOCAL_ATOMIC_ALIGNMENT[0];
export const QUEUE_ON_DEVICE: typeof QueueProperties.ON_DEVICE = QueueProperties.ON_DEVICE;
export const QUEUE_ON_DEVICE_DEFAULT: typeof QueueProperties.ON_DEVICE_DEFAULT = QueueProperties.ON_DEVICE_DEFAULT;
export const DEVICE_SVM_COARSE_GRAIN_BUFFER: typeof DeviceSvmCapabilities.COARSE_GRAIN_BUFFER =
  DeviceSvmCapabilities.COARSE_GRAIN_BUFFER;
export const DEVICE_SVM_FINE_GRAIN_BUFFER: typeof DeviceSvmCapabilities.FINE_GRAIN_BUFFER =
  DeviceSvmCapabilities.FINE_GRAIN_BUFFER;
export const DEVICE_SVM_FINE_GRAIN_SYSTEM: typeof DeviceSvmCapabilities.FINE_GRAIN_SYSTEM =
  DeviceSvmCapabilities.FINE_GRAIN_SYSTEM;
export const DEVICE_SVM_ATOMICS: typeof DeviceSvmCapabilities.ATOMICS = DeviceSvmCapabilities.ATOMICS;
export const QUEUE_SIZE: (typeof QueueInfo.SIZE)[0] = QueueInfo.SIZE[0];
export const MEM_SVM_FINE_GRAIN_BUFFER: typeof SvmMemFlags.SVM_FINE_GRAIN_BUFFER = SvmMemFlags.SVM_FINE_GRAIN_BUFFER;
export const MEM_SVM_ATOMICS: typeof SvmMemFlags.SVM_ATOMICS = SvmMemFlags.SVM_ATOMICS;
export const sRGB: typeof ChannelOrder.sRGB = ChannelOrder.sRGB;
export const sRGBx: typeof ChannelOrder.sRGBx = ChannelOrder.sRGBx;
export const sRGBA: typeof ChannelOrder.sRGBA = ChannelOrder.sRGBA;
export const sBGRA: typeof ChannelOrder.sBGRA = ChannelOrder.sBGRA;
export const ABGR: typeof ChannelOrder.ABGR = ChannelOrder.ABGR;
export const MEM_OBJECT_PIPE: typeof MemObjectType.PIPE = MemObjectType.PIPE;
export const MEM_USES_SVM_POINTER: (typeof MemInfo.USES_SVM_POINTER)[0] = MemInfo.USES_SVM_POINTER[0];
export const PIPE_PACKET_SIZE: (typeof PipeInfo.PACKET_SIZE)[0] = PipeInfo.PACKET_SIZE[0];
export const PIPE_MAX_PACKETS: (typeof PipeInfo.MAX_PACKETS)[0] = PipeInfo.MAX_PACKETS[0];
export const SAMPLER_MIP_FILTER_MODE: typeof SamplerProperty.MIP_FILTER_MODE_KHR = SamplerProperty.MIP_FILTER_MODE_KHR;
export const SAMPLER_LOD_MIN: typeof SamplerProperty.LOD_MIN_KHR = SamplerProperty.LOD_MIN_KHR;
export const SAMPLER_LOD_MAX: typeof SamplerProperty.LOD_MAX_KHR = SamplerProperty.LOD_MAX_KHR;
export const PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: (typeof ProgramBuildInfo.GLOBAL_VARIABLE_TOTAL_SIZE)[0] =
  ProgramBuildInfo.GLOBAL_VARIABLE_TOTAL_SIZE[0];
export const KERNEL_ARG_TYPE_PIPE: typeof KernelArgTypeQualifier.PIPE = KernelArgTypeQualifier.PIPE;
export const KERNEL_EXEC_INFO_SVM_PTRS: typeof KernelExecInfo.SVM_PTRS = KernelExecInfo.SVM_PTRS;
export const KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: typeof KernelExecInfo.SVM_FINE_GRAIN_SYSTEM =
  KernelExecInfo.SVM_FINE_GRAIN_SYSTEM;
export const COMMAND_SVM_FREE: typeof CommandType.SVM_FREE = CommandType.SVM_FREE;
export const COMMAND_SVM_MEMCPY: typeof CommandType.SVM_MEMCPY = CommandType.SVM_MEMCPY;
export const COMMAND_SVM_MEMFILL: typeof CommandType.SVM_MEMFILL = CommandType.SVM_MEMFILL;
export const COMMAND_SVM_MAP: typeof CommandType.SVM_MAP = CommandType.SVM_MAP;
export const COMMAND_SVM_UNMAP: typeof CommandType.SVM_UNMAP = CommandType.SVM_UNMAP;
export const PROFILING_COMMAND_COMPLETE: (typeof ProfilingInfo.COMPLETE)[0] = ProfilingInfo.COMPLETE[0];
export const VERSION_2_1 = 1;
export const VERSION_2_2 = 1;
export const INVALID_SPEC_ID: number = status.CL_INVALID_SPEC_ID[0] >>> 0;
export const MAX_SIZE_RESTRICTION_EXCEEDED: number = status.CL_MAX_SIZE_RESTRICTION_EXCEEDED[0] >>> 0;
export const PLATFORM_HOST_TIMER_RESOLUTION: (typeof PlatformInfo.HOST_TIMER_RESOLUTION)[0] =
  PlatformInfo.HOST_TIMER_RESOLUTION[0];
export const DEVICE_IL_VERSION: (typeof DeviceInfo.IL_VERSION)[0] = DeviceInfo.IL_VERSION[0];
export const DEVICE_MAX_NUM_SUB_GROUPS: (typeof DeviceInfo.MAX_NUM_SUB_GROUPS)[0] = DeviceInfo.MAX_NUM_SUB_GROUPS[0];
export const DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: (typeof DeviceInfo.SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS)[0] =
  DeviceInfo.SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS[0];
export const QUEUE_DEVICE_DEFAULT: (typeof QueueInfo.DEVICE_DEFAULT)[0] = QueueInfo.DEVICE_DEFAULT[0];
// Of images shared with OpenGL.
export const UNORM_INT24 = 0x10df;
export const UNORM_INT_101010_2: typeof ChannelType.UNORM_INT_101010_2 = ChannelType.UNORM_INT_101010_2;
export const PROGRAM_IL: (typeof ProgramInfo.IL)[0] = ProgramInfo.IL[0];
export const PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT: (typeof ProgramInfo.SCOPE_GLOBAL_CTORS_PRESENT)[0] =
  ProgramInfo.SCOPE_GLOBAL_CTORS_PRESENT[0];
export const PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: (typeof ProgramInfo.SCOPE_GLOBAL_DTORS_PRESENT)[0] =
  ProgramInfo.SCOPE_GLOBAL_DTORS_PRESENT[0];
export const KERNEL_MAX_NUM_SUB_GROUPS: (typeof KernelSubGroupInfo.MAX_NUM_SUB_GROUPS)[0] =
  KernelSubGroupInfo.MAX_NUM_SUB_GROUPS[0];
export const KERNEL_COMPILE_NUM_SUB_GROUPS: (typeof KernelSubGroupInfo.COMPILE_NUM_SUB_GROUPS)[0] =
  KernelSubGroupInfo.COMPILE_NUM_SUB_GROUPS[0];
export const KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE: (typeof KernelSubGroupInfo.MAX_SUB_GROUP_SIZE_FOR_NDRANGE)[0] =
  KernelSubGroupInfo.MAX_SUB_GROUP_SIZE_FOR_NDRANGE[0];
export const KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: (typeof KernelSubGroupInfo.SUB_GROUP_COUNT_FOR_NDRANGE)[0] =
  KernelSubGroupInfo.SUB_GROUP_COUNT_FOR_NDRANGE[0];
export const KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: (typeof KernelSubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT)[0] =
  KernelSubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT[0];
export const DEVICE_IMAGE_PITCH_ALIGNMENT: (typeof DeviceInfo.IMAGE_PITCH_ALIGNMENT)[0] =
  DeviceInfo.IMAGE_PITCH_ALIGNMENT[0];
export const DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT: (typeof DeviceInfo.IMAGE_BASE_ADDRESS_ALIGNMENT)[0] =
  DeviceInfo.IMAGE_BASE_ADDRESS_ALIGNMENT[0];
export const MEM_KERNEL_READ_AND_WRITE: typeof MemFlags.KERNEL_READ_AND_WRITE = MemFlags.KERNEL_READ_AND_WRITE;
export const COMMAND_SVM_MIGRATE_MEM: typeof CommandType.SVM_MIGRATE_MEM = CommandType.SVM_MIGRATE_MEM;
