// The columns: value, whose fault it is, and what to do about it.
export const status = {
  CL_SUCCESS: [0, 'none', ''],
  CL_DEVICE_NOT_FOUND: [-1, 'runtime', 'Ask for another device type, or see what clinfo lists'],
  CL_DEVICE_NOT_AVAILABLE: [-2, 'runtime', ''],
  CL_COMPILER_NOT_AVAILABLE: [-3, 'runtime', 'Load a binary; this device has no compiler'],
  CL_MEM_OBJECT_ALLOCATION_FAILURE: [
    -4,
    'memory',
    'Release buffers or ask for less; MAX_MEM_ALLOC_SIZE caps one buffer',
  ],
  CL_OUT_OF_RESOURCES: [
    -5,
    'memory',
    'Use less local or private memory; on NVIDIA, check the kernel for out-of-bounds accesses first',
  ],
  CL_OUT_OF_HOST_MEMORY: [-6, 'memory', ''],
  CL_PROFILING_INFO_NOT_AVAILABLE: [-7, 'logic', 'Create the queue with PROFILING_ENABLE, and wait for the event'],
  CL_MEM_COPY_OVERLAP: [-8, 'logic', 'Copy through a temporary, or make the regions disjoint'],
  CL_IMAGE_FORMAT_MISMATCH: [-9, 'logic', 'Use two images of one format'],
  CL_IMAGE_FORMAT_NOT_SUPPORTED: [-10, 'logic', 'Choose a format from clGetSupportedImageFormats'],
  CL_BUILD_PROGRAM_FAILURE: [-11, 'logic', 'Fix the source; the build log has the first error'],
  CL_MAP_FAILURE: [-12, 'runtime', ''],
  CL_MISALIGNED_SUB_BUFFER_OFFSET: [
    -13,
    'logic',
    "Round the offset up to the device's MEM_BASE_ADDR_ALIGN, which is in bits",
  ],
  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: [-14, 'runtime', 'Look at the events waited for; one of them failed'],
  CL_COMPILE_PROGRAM_FAILURE: [-15, 'logic', 'Fix the source; the build log has the first error'],
  CL_LINKER_NOT_AVAILABLE: [-16, 'runtime', 'Use clBuildProgram; this device has no separate linker'],
  CL_LINK_PROGRAM_FAILURE: [-17, 'logic', 'Read the build log of the linked program'],
  CL_DEVICE_PARTITION_FAILED: [-18, 'runtime', ''],
  CL_KERNEL_ARG_INFO_NOT_AVAILABLE: [-19, 'logic', 'Build with -cl-kernel-arg-info'],
  CL_INVALID_VALUE: [-30, 'logic', 'Check sizes, offsets, flags and null pointers against what the function accepts'],
  CL_INVALID_DEVICE_TYPE: [-31, 'logic', ''],
  CL_INVALID_PLATFORM: [-32, 'logic', ''],
  CL_INVALID_DEVICE: [-33, 'logic', 'Use a device of this context'],
  CL_INVALID_CONTEXT: [-34, 'logic', 'Use a live context, the same one for every object in the call'],
  CL_INVALID_QUEUE_PROPERTIES: [-35, 'logic', 'Ask the device for its QUEUE_ON_HOST_PROPERTIES'],
  CL_INVALID_COMMAND_QUEUE: [-36, 'logic', 'Use a queue that is not released yet'],
  CL_INVALID_HOST_PTR: [-37, 'logic', 'Pass host memory exactly when USE_HOST_PTR or COPY_HOST_PTR is set'],
  CL_INVALID_MEM_OBJECT: [-38, 'logic', 'Use a memory object that is not released and is of the right kind'],
  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR: [-39, 'logic', ''],
  CL_INVALID_IMAGE_SIZE: [-40, 'logic', "Stay within the device's image limits"],
  CL_INVALID_SAMPLER: [-41, 'logic', ''],
  CL_INVALID_BINARY: [-42, 'logic', 'Rebuild from source; the binary is for another device or driver'],
  CL_INVALID_BUILD_OPTIONS: [-43, 'logic', 'Check the build options; the build log names the one it rejects'],
  CL_INVALID_PROGRAM: [-44, 'logic', ''],
  CL_INVALID_PROGRAM_EXECUTABLE: [-45, 'logic', 'Build the program for this device first'],
  CL_INVALID_KERNEL_NAME: [-46, 'logic', "Check the spelling against the program's KERNEL_NAMES"],
  CL_INVALID_KERNEL_DEFINITION: [-47, 'logic', 'Declare the kernel the same way for every device'],
  CL_INVALID_KERNEL: [-48, 'logic', ''],
  CL_INVALID_ARG_INDEX: [-49, 'logic', 'Pass only as many arguments as the kernel has'],
  CL_INVALID_ARG_VALUE: [-50, 'logic', ''],
  CL_INVALID_ARG_SIZE: [-51, 'logic', "Pass a value of the size of the parameter's type"],
  CL_INVALID_KERNEL_ARGS: [-52, 'logic', 'Set every kernel argument before the launch'],
  CL_INVALID_WORK_DIMENSION: [-53, 'logic', 'Use 1 to 3 dimensions'],
  CL_INVALID_WORK_GROUP_SIZE: [
    -54,
    'logic',
    "Make the local size divide the global size and fit the kernel's WORK_GROUP_SIZE",
  ],
  CL_INVALID_WORK_ITEM_SIZE: [-55, 'logic', "Keep each local size within the device's MAX_WORK_ITEM_SIZES"],
  CL_INVALID_GLOBAL_OFFSET: [-56, 'logic', ''],
  CL_INVALID_EVENT_WAIT_LIST: [-57, 'logic', 'Wait only for live events of the same context'],
  CL_INVALID_EVENT: [-58, 'logic', ''],
  CL_INVALID_OPERATION: [-59, 'logic', 'Check that the device and the object support this call in this state'],
  CL_INVALID_GL_OBJECT: [-60, 'logic', ''],
  CL_INVALID_BUFFER_SIZE: [-61, 'logic', "Ask for at least one byte and at most the device's MAX_MEM_ALLOC_SIZE"],
  CL_INVALID_MIP_LEVEL: [-62, 'logic', ''],
  CL_INVALID_GLOBAL_WORK_SIZE: [-63, 'logic', "Make every global size at least 1 and within the device's address bits"],
  CL_INVALID_PROPERTY: [-64, 'logic', 'Check the property list; names and values alternate and a 0 ends it'],
  CL_INVALID_IMAGE_DESCRIPTOR: [-65, 'logic', ''],
  CL_INVALID_COMPILER_OPTIONS: [-66, 'logic', 'Check the compile options; the build log names the one it rejects'],
  CL_INVALID_LINKER_OPTIONS: [-67, 'logic', 'Check the link options; the build log names the one it rejects'],
  CL_INVALID_DEVICE_PARTITION_COUNT: [-68, 'logic', ''],
  CL_INVALID_PIPE_SIZE: [-69, 'logic', ''],
  CL_INVALID_DEVICE_QUEUE: [-70, 'logic', ''],
  CL_INVALID_SPEC_ID: [-71, 'logic', ''],
  CL_MAX_SIZE_RESTRICTION_EXCEEDED: [-72, 'logic', ''],
  CL_PLATFORM_NOT_FOUND_KHR: [
    -1001,
    'runtime',
    'Install an OpenCL driver (an ICD) such as PoCL, or use the embedded device',
  ],
  CL_DEVICE_PARTITION_FAILED_EXT: [-1057, 'runtime', ''],
  CL_INVALID_PARTITION_COUNT_EXT: [-1058, 'logic', ''],
  CL_INVALID_PARTITION_NAME_EXT: [-1059, 'logic', ''],
  CL_CONTEXT_TERMINATED_KHR: [-1121, 'runtime', 'Create a new context; this one was ended'],
  CL_INVALID_COMMAND_BUFFER_KHR: [-1138, 'logic', ''],
  CL_INVALID_SYNC_POINT_WAIT_LIST_KHR: [-1139, 'logic', 'Wait only for sync points of the same command buffer'],
  CL_INCOMPATIBLE_COMMAND_QUEUE_KHR: [
    -1140,
    'logic',
    'Use a queue of the device and the kind that the command buffer was recorded for',
  ],
  CL_INVALID_SEMAPHORE_KHR: [-1142, 'logic', ''],
} as const;

// Each row: number, kind of the answer.
export const PlatformInfo = {
  PROFILE: [0x0900, 'string'],
  VERSION: [0x0901, 'string'],
  NAME: [0x0902, 'string'],
  VENDOR: [0x0903, 'string'],
  EXTENSIONS: [0x0904, 'string'],
  HOST_TIMER_RESOLUTION: [0x0905, 'ulong'],
  NUMERIC_VERSION: [0x0906, 'uint'],
  EXTENSIONS_WITH_VERSION: [0x0907, 'nameVersions'],
  ICD_SUFFIX_KHR: [0x0920, 'string'],
} as const;
export type PlatformInfo = keyof typeof PlatformInfo;

export const DeviceInfo = {
  TYPE: [0x1000, 'ulong'],
  VENDOR_ID: [0x1001, 'uint'],
  MAX_COMPUTE_UNITS: [0x1002, 'uint'],
  MAX_WORK_ITEM_DIMENSIONS: [0x1003, 'uint'],
  MAX_WORK_GROUP_SIZE: [0x1004, 'size'],
  MAX_WORK_ITEM_SIZES: [0x1005, 'sizes'],
  PREFERRED_VECTOR_WIDTH_CHAR: [0x1006, 'uint'],
  PREFERRED_VECTOR_WIDTH_SHORT: [0x1007, 'uint'],
  PREFERRED_VECTOR_WIDTH_INT: [0x1008, 'uint'],
  PREFERRED_VECTOR_WIDTH_LONG: [0x1009, 'uint'],
  PREFERRED_VECTOR_WIDTH_FLOAT: [0x100a, 'uint'],
  PREFERRED_VECTOR_WIDTH_DOUBLE: [0x100b, 'uint'],
  MAX_CLOCK_FREQUENCY: [0x100c, 'uint'],
  ADDRESS_BITS: [0x100d, 'uint'],
  MAX_READ_IMAGE_ARGS: [0x100e, 'uint'],
  MAX_WRITE_IMAGE_ARGS: [0x100f, 'uint'],
  MAX_MEM_ALLOC_SIZE: [0x1010, 'ulong'],
  IMAGE2D_MAX_WIDTH: [0x1011, 'size'],
  IMAGE2D_MAX_HEIGHT: [0x1012, 'size'],
  IMAGE3D_MAX_WIDTH: [0x1013, 'size'],
  IMAGE3D_MAX_HEIGHT: [0x1014, 'size'],
  IMAGE3D_MAX_DEPTH: [0x1015, 'size'],
  IMAGE_SUPPORT: [0x1016, 'bool'],
  MAX_PARAMETER_SIZE: [0x1017, 'size'],
  MAX_SAMPLERS: [0x1018, 'uint'],
  MEM_BASE_ADDR_ALIGN: [0x1019, 'uint'],
  MIN_DATA_TYPE_ALIGN_SIZE: [0x101a, 'uint'],
  SINGLE_FP_CONFIG: [0x101b, 'ulong'],
  GLOBAL_MEM_CACHE_TYPE: [0x101c, 'uint'],
  GLOBAL_MEM_CACHELINE_SIZE: [0x101d, 'uint'],
  GLOBAL_MEM_CACHE_SIZE: [0x101e, 'ulong'],
  GLOBAL_MEM_SIZE: [0x101f, 'ulong'],
  MAX_CONSTANT_BUFFER_SIZE: [0x1020, 'ulong'],
  MAX_CONSTANT_ARGS: [0x1021, 'uint'],
  LOCAL_MEM_TYPE: [0x1022, 'uint'],
  LOCAL_MEM_SIZE: [0x1023, 'ulong'],
  ERROR_CORRECTION_SUPPORT: [0x1024, 'bool'],
  PROFILING_TIMER_RESOLUTION: [0x1025, 'size'],
  ENDIAN_LITTLE: [0x1026, 'bool'],
  AVAILABLE: [0x1027, 'bool'],
  COMPILER_AVAILABLE: [0x1028, 'bool'],
  EXECUTION_CAPABILITIES: [0x1029, 'ulong'],
  QUEUE_PROPERTIES: [0x102a, 'ulong'],
  QUEUE_ON_HOST_PROPERTIES: [0x102a, 'ulong'],
  NAME: [0x102b, 'string'],
  VENDOR: [0x102c, 'string'],
  DRIVER_VERSION: [0x102d, 'string'],
  PROFILE: [0x102e, 'string'],
  VERSION: [0x102f, 'string'],
  EXTENSIONS: [0x1030, 'string'],
  PLATFORM: [0x1031, 'handle'],
  DOUBLE_FP_CONFIG: [0x1032, 'ulong'],
  HALF_FP_CONFIG: [0x1033, 'ulong'],
  PREFERRED_VECTOR_WIDTH_HALF: [0x1034, 'uint'],
  HOST_UNIFIED_MEMORY: [0x1035, 'bool'],
  NATIVE_VECTOR_WIDTH_CHAR: [0x1036, 'uint'],
  NATIVE_VECTOR_WIDTH_SHORT: [0x1037, 'uint'],
  NATIVE_VECTOR_WIDTH_INT: [0x1038, 'uint'],
  NATIVE_VECTOR_WIDTH_LONG: [0x1039, 'uint'],
  NATIVE_VECTOR_WIDTH_FLOAT: [0x103a, 'uint'],
  NATIVE_VECTOR_WIDTH_DOUBLE: [0x103b, 'uint'],
  NATIVE_VECTOR_WIDTH_HALF: [0x103c, 'uint'],
  OPENCL_C_VERSION: [0x103d, 'string'],
  LINKER_AVAILABLE: [0x103e, 'bool'],
  BUILT_IN_KERNELS: [0x103f, 'string'],
  IMAGE_MAX_BUFFER_SIZE: [0x1040, 'size'],
  IMAGE_MAX_ARRAY_SIZE: [0x1041, 'size'],
  PARENT_DEVICE: [0x1042, 'handle'],
  PARTITION_MAX_SUB_DEVICES: [0x1043, 'uint'],
  PARTITION_PROPERTIES: [0x1044, 'properties'],
  PARTITION_AFFINITY_DOMAIN: [0x1045, 'ulong'],
  PARTITION_TYPE: [0x1046, 'properties'],
  REFERENCE_COUNT: [0x1047, 'uint'],
  PREFERRED_INTEROP_USER_SYNC: [0x1048, 'bool'],
  PRINTF_BUFFER_SIZE: [0x1049, 'size'],
  IMAGE_PITCH_ALIGNMENT: [0x104a, 'uint'],
  IMAGE_BASE_ADDRESS_ALIGNMENT: [0x104b, 'uint'],
  MAX_READ_WRITE_IMAGE_ARGS: [0x104c, 'uint'],
  MAX_GLOBAL_VARIABLE_SIZE: [0x104d, 'size'],
  QUEUE_ON_DEVICE_PROPERTIES: [0x104e, 'ulong'],
  QUEUE_ON_DEVICE_PREFERRED_SIZE: [0x104f, 'uint'],
  QUEUE_ON_DEVICE_MAX_SIZE: [0x1050, 'uint'],
  MAX_ON_DEVICE_QUEUES: [0x1051, 'uint'],
  MAX_ON_DEVICE_EVENTS: [0x1052, 'uint'],
  SVM_CAPABILITIES: [0x1053, 'ulong'],
  GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: [0x1054, 'size'],
  MAX_PIPE_ARGS: [0x1055, 'uint'],
  PIPE_MAX_ACTIVE_RESERVATIONS: [0x1056, 'uint'],
  PIPE_MAX_PACKET_SIZE: [0x1057, 'uint'],
  PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: [0x1058, 'uint'],
  PREFERRED_GLOBAL_ATOMIC_ALIGNMENT: [0x1059, 'uint'],
  PREFERRED_LOCAL_ATOMIC_ALIGNMENT: [0x105a, 'uint'],
  IL_VERSION: [0x105b, 'string'],
  MAX_NUM_SUB_GROUPS: [0x105c, 'uint'],
  SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: [0x105d, 'bool'],
  NUMERIC_VERSION: [0x105e, 'uint'],
  EXTENSIONS_WITH_VERSION: [0x1060, 'nameVersions'],
  ILS_WITH_VERSION: [0x1061, 'nameVersions'],
  BUILT_IN_KERNELS_WITH_VERSION: [0x1062, 'nameVersions'],
  ATOMIC_MEMORY_CAPABILITIES: [0x1063, 'ulong'],
  ATOMIC_FENCE_CAPABILITIES: [0x1064, 'ulong'],
  NON_UNIFORM_WORK_GROUP_SUPPORT: [0x1065, 'bool'],
  OPENCL_C_ALL_VERSIONS: [0x1066, 'nameVersions'],
  PREFERRED_WORK_GROUP_SIZE_MULTIPLE: [0x1067, 'size'],
  WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: [0x1068, 'bool'],
  GENERIC_ADDRESS_SPACE_SUPPORT: [0x1069, 'bool'],
  UUID_KHR: [0x106a, 'bytes'],
  DRIVER_UUID_KHR: [0x106b, 'bytes'],
  LUID_VALID_KHR: [0x106c, 'bool'],
  LUID_KHR: [0x106d, 'bytes'],
  NODE_MASK_KHR: [0x106e, 'uint'],
  OPENCL_C_FEATURES: [0x106f, 'nameVersions'],
  DEVICE_ENQUEUE_CAPABILITIES: [0x1070, 'ulong'],
  PIPE_SUPPORT: [0x1071, 'bool'],
  LATEST_CONFORMANCE_VERSION_PASSED: [0x1072, 'string'],
  COMMAND_BUFFER_CAPABILITIES_KHR: [0x12a9, 'ulong'],
  COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: [0x12aa, 'ulong'],
  SEMAPHORE_TYPES_KHR: [0x204c, 'uints'],
  SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: [0x204d, 'uints'],
  SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: [0x204e, 'uints'],
  EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR: [0x204f, 'uints'],
  COMPUTE_CAPABILITY_MAJOR_NV: [0x4000, 'uint'],
  COMPUTE_CAPABILITY_MINOR_NV: [0x4001, 'uint'],
  REGISTERS_PER_BLOCK_NV: [0x4002, 'uint'],
  WARP_SIZE_NV: [0x4003, 'uint'],
  GPU_OVERLAP_NV: [0x4004, 'bool'],
  KERNEL_EXEC_TIMEOUT_NV: [0x4005, 'bool'],
  INTEGRATED_MEMORY_NV: [0x4006, 'bool'],
  TOPOLOGY_AMD: [0x4037, 'bytes'],
  BOARD_NAME_AMD: [0x4038, 'string'],
  PCI_BUS_INFO_KHR: [0x410f, 'bytes'],
} as const;
export type DeviceInfo = keyof typeof DeviceInfo;

export const ContextInfo = {
  REFERENCE_COUNT: [0x1080, 'uint'],
  DEVICES: [0x1081, 'handles'],
  PROPERTIES: [0x1082, 'properties'],
  NUM_DEVICES: [0x1083, 'uint'],
} as const;
export type ContextInfo = keyof typeof ContextInfo;

export const QueueInfo = {
  CONTEXT: [0x1090, 'handle'],
  DEVICE: [0x1091, 'handle'],
  REFERENCE_COUNT: [0x1092, 'uint'],
  PROPERTIES: [0x1093, 'ulong'],
  SIZE: [0x1094, 'uint'],
  DEVICE_DEFAULT: [0x1095, 'handle'],
  PROPERTIES_ARRAY: [0x1098, 'properties'],
} as const;
export type QueueInfo = keyof typeof QueueInfo;

export const MemInfo = {
  TYPE: [0x1100, 'uint'],
  FLAGS: [0x1101, 'ulong'],
  SIZE: [0x1102, 'size'],
  HOST_PTR: [0x1103, 'handle'],
  MAP_COUNT: [0x1104, 'uint'],
  REFERENCE_COUNT: [0x1105, 'uint'],
  CONTEXT: [0x1106, 'handle'],
  ASSOCIATED_MEMOBJECT: [0x1107, 'handle'],
  OFFSET: [0x1108, 'size'],
  USES_SVM_POINTER: [0x1109, 'bool'],
  PROPERTIES: [0x110a, 'properties'],
} as const;
export type MemInfo = keyof typeof MemInfo;

export const ImageInfo = {
  FORMAT: [0x1110, 'bytes'],
  ELEMENT_SIZE: [0x1111, 'size'],
  ROW_PITCH: [0x1112, 'size'],
  SLICE_PITCH: [0x1113, 'size'],
  WIDTH: [0x1114, 'size'],
  HEIGHT: [0x1115, 'size'],
  DEPTH: [0x1116, 'size'],
  ARRAY_SIZE: [0x1117, 'size'],
  BUFFER: [0x1118, 'handle'],
  NUM_MIP_LEVELS: [0x1119, 'uint'],
  NUM_SAMPLES: [0x111a, 'uint'],
} as const;
export type ImageInfo = keyof typeof ImageInfo;

export const SamplerInfo = {
  REFERENCE_COUNT: [0x1150, 'uint'],
  CONTEXT: [0x1151, 'handle'],
  NORMALIZED_COORDS: [0x1152, 'bool'],
  ADDRESSING_MODE: [0x1153, 'uint'],
  FILTER_MODE: [0x1154, 'uint'],
  PROPERTIES: [0x1158, 'properties'],
} as const;
export type SamplerInfo = keyof typeof SamplerInfo;

export const PipeInfo = {
  PACKET_SIZE: [0x1120, 'uint'],
  MAX_PACKETS: [0x1121, 'uint'],
  PROPERTIES: [0x1122, 'properties'],
} as const;
export type PipeInfo = keyof typeof PipeInfo;

export const ProgramInfo = {
  REFERENCE_COUNT: [0x1160, 'uint'],
  CONTEXT: [0x1161, 'handle'],
  NUM_DEVICES: [0x1162, 'uint'],
  DEVICES: [0x1163, 'handles'],
  SOURCE: [0x1164, 'string'],
  BINARY_SIZES: [0x1165, 'sizes'],
  BINARIES: [0x1166, 'blocks'],
  NUM_KERNELS: [0x1167, 'size'],
  KERNEL_NAMES: [0x1168, 'string'],
  IL: [0x1169, 'bytes'],
  SCOPE_GLOBAL_CTORS_PRESENT: [0x116a, 'bool'],
  SCOPE_GLOBAL_DTORS_PRESENT: [0x116b, 'bool'],
} as const;
export type ProgramInfo = keyof typeof ProgramInfo;

export const ProgramBuildInfo = {
  STATUS: [0x1181, 'int'],
  OPTIONS: [0x1182, 'string'],
  LOG: [0x1183, 'string'],
  BINARY_TYPE: [0x1184, 'uint'],
  GLOBAL_VARIABLE_TOTAL_SIZE: [0x1185, 'size'],
} as const;
export type ProgramBuildInfo = keyof typeof ProgramBuildInfo;

export const KernelInfo = {
  FUNCTION_NAME: [0x1190, 'string'],
  NUM_ARGS: [0x1191, 'uint'],
  REFERENCE_COUNT: [0x1192, 'uint'],
  CONTEXT: [0x1193, 'handle'],
  PROGRAM: [0x1194, 'handle'],
  ATTRIBUTES: [0x1195, 'string'],
} as const;
export type KernelInfo = keyof typeof KernelInfo;

export const KernelArgInfo = {
  ADDRESS_QUALIFIER: [0x1196, 'uint'],
  ACCESS_QUALIFIER: [0x1197, 'uint'],
  TYPE_NAME: [0x1198, 'string'],
  TYPE_QUALIFIER: [0x1199, 'ulong'],
  NAME: [0x119a, 'string'],
} as const;
export type KernelArgInfo = keyof typeof KernelArgInfo;

export const KernelWorkGroupInfo = {
  WORK_GROUP_SIZE: [0x11b0, 'size'],
  COMPILE_WORK_GROUP_SIZE: [0x11b1, 'sizes'],
  LOCAL_MEM_SIZE: [0x11b2, 'ulong'],
  PREFERRED_WORK_GROUP_SIZE_MULTIPLE: [0x11b3, 'size'],
  PRIVATE_MEM_SIZE: [0x11b4, 'ulong'],
  GLOBAL_WORK_SIZE: [0x11b5, 'sizes'],
} as const;
export type KernelWorkGroupInfo = keyof typeof KernelWorkGroupInfo;

export const KernelSubGroupInfo = {
  MAX_SUB_GROUP_SIZE_FOR_NDRANGE: [0x2033, 'size'],
  SUB_GROUP_COUNT_FOR_NDRANGE: [0x2034, 'size'],
  LOCAL_SIZE_FOR_SUB_GROUP_COUNT: [0x11b8, 'sizes'],
  MAX_NUM_SUB_GROUPS: [0x11b9, 'size'],
  COMPILE_NUM_SUB_GROUPS: [0x11ba, 'size'],
} as const;
export type KernelSubGroupInfo = keyof typeof KernelSubGroupInfo;

export const KernelExecInfo = {
  SVM_PTRS: 0x11b6,
  SVM_FINE_GRAIN_SYSTEM: 0x11b7,
} as const;
export type KernelExecInfo = (typeof KernelExecInfo)[keyof typeof KernelExecInfo];

export const EventInfo = {
  COMMAND_QUEUE: [0x11d0, 'handle'],
  COMMAND_TYPE: [0x11d1, 'uint'],
  REFERENCE_COUNT: [0x11d2, 'uint'],
  COMMAND_EXECUTION_STATUS: [0x11d3, 'int'],
  CONTEXT: [0x11d4, 'handle'],
} as const;
export type EventInfo = keyof typeof EventInfo;

export const ProfilingInfo = {
  QUEUED: [0x1280, 'ulong'],
  SUBMIT: [0x1281, 'ulong'],
  START: [0x1282, 'ulong'],
  END: [0x1283, 'ulong'],
  COMPLETE: [0x1284, 'ulong'],
} as const;
export type ProfilingInfo = keyof typeof ProfilingInfo;

export const DeviceType = {
  DEFAULT: 0x1,
  CPU: 0x2,
  GPU: 0x4,
  ACCELERATOR: 0x8,
  CUSTOM: 0x10,
  ALL: 0xffffffff,
} as const;
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType];

export const MemFlags = {
  READ_WRITE: 0x1,
  WRITE_ONLY: 0x2,
  READ_ONLY: 0x4,
  USE_HOST_PTR: 0x8,
  ALLOC_HOST_PTR: 0x10,
  COPY_HOST_PTR: 0x20,
  HOST_WRITE_ONLY: 0x80,
  HOST_READ_ONLY: 0x100,
  HOST_NO_ACCESS: 0x200,
  KERNEL_READ_AND_WRITE: 0x1000,
} as const;
export type MemFlags = (typeof MemFlags)[keyof typeof MemFlags];

export const SvmMemFlags = {
  READ_WRITE: 0x1,
  WRITE_ONLY: 0x2,
  READ_ONLY: 0x4,
  SVM_FINE_GRAIN_BUFFER: 0x400,
  SVM_ATOMICS: 0x800,
} as const;
export type SvmMemFlags = (typeof SvmMemFlags)[keyof typeof SvmMemFlags];

export const MapFlags = {
  READ: 0x1,
  WRITE: 0x2,
  WRITE_INVALIDATE_REGION: 0x4,
} as const;
export type MapFlags = (typeof MapFlags)[keyof typeof MapFlags];

export const MigrationFlags = {
  HOST: 0x1,
  CONTENT_UNDEFINED: 0x2,
} as const;
export type MigrationFlags = (typeof MigrationFlags)[keyof typeof MigrationFlags];

export const QueueProperties = {
  OUT_OF_ORDER_EXEC_MODE_ENABLE: 0x1,
  PROFILING_ENABLE: 0x2,
  ON_DEVICE: 0x4,
  ON_DEVICE_DEFAULT: 0x8,
} as const;
export type QueueProperties = (typeof QueueProperties)[keyof typeof QueueProperties];

export const QueuePropertyName = {
  PROPERTIES: 0x1093,
  SIZE: 0x1094,
  PRIORITY_KHR: 0x1096,
  THROTTLE_KHR: 0x1097,
} as const;
export type QueuePropertyName = (typeof QueuePropertyName)[keyof typeof QueuePropertyName];

export const ContextProperty = {
  PLATFORM: 0x1084,
  INTEROP_USER_SYNC: 0x1085,
} as const;
export type ContextProperty = (typeof ContextProperty)[keyof typeof ContextProperty];

export const CommandExecutionStatus = {
  COMPLETE: 0x0,
  RUNNING: 0x1,
  SUBMITTED: 0x2,
  QUEUED: 0x3,
} as const;
export type CommandExecutionStatus = (typeof CommandExecutionStatus)[keyof typeof CommandExecutionStatus];

export const CommandType = {
  NDRANGE_KERNEL: 0x11f0,
  TASK: 0x11f1,
  NATIVE_KERNEL: 0x11f2,
  READ_BUFFER: 0x11f3,
  WRITE_BUFFER: 0x11f4,
  COPY_BUFFER: 0x11f5,
  READ_IMAGE: 0x11f6,
  WRITE_IMAGE: 0x11f7,
  COPY_IMAGE: 0x11f8,
  COPY_IMAGE_TO_BUFFER: 0x11f9,
  COPY_BUFFER_TO_IMAGE: 0x11fa,
  MAP_BUFFER: 0x11fb,
  MAP_IMAGE: 0x11fc,
  UNMAP_MEM_OBJECT: 0x11fd,
  MARKER: 0x11fe,
  ACQUIRE_GL_OBJECTS: 0x11ff,
  RELEASE_GL_OBJECTS: 0x1200,
  READ_BUFFER_RECT: 0x1201,
  WRITE_BUFFER_RECT: 0x1202,
  COPY_BUFFER_RECT: 0x1203,
  USER: 0x1204,
  BARRIER: 0x1205,
  MIGRATE_MEM_OBJECTS: 0x1206,
  FILL_BUFFER: 0x1207,
  FILL_IMAGE: 0x1208,
  SVM_FREE: 0x1209,
  SVM_MEMCPY: 0x120a,
  SVM_MEMFILL: 0x120b,
  SVM_MAP: 0x120c,
  SVM_UNMAP: 0x120d,
  SVM_MIGRATE_MEM: 0x120e,
  COMMAND_BUFFER_KHR: 0x12a8,
  SEMAPHORE_WAIT_KHR: 0x2042,
  SEMAPHORE_SIGNAL_KHR: 0x2043,
  ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR: 0x2047,
  RELEASE_EXTERNAL_MEM_OBJECTS_KHR: 0x2048,
} as const;
export type CommandType = (typeof CommandType)[keyof typeof CommandType];

export const MemObjectType = {
  BUFFER: 0x10f0,
  IMAGE2D: 0x10f1,
  IMAGE3D: 0x10f2,
  IMAGE2D_ARRAY: 0x10f3,
  IMAGE1D: 0x10f4,
  IMAGE1D_ARRAY: 0x10f5,
  IMAGE1D_BUFFER: 0x10f6,
  PIPE: 0x10f7,
} as const;
export type MemObjectType = (typeof MemObjectType)[keyof typeof MemObjectType];

export const BufferCreateType = {
  REGION: 0x1220,
} as const;
export type BufferCreateType = (typeof BufferCreateType)[keyof typeof BufferCreateType];

export const BuildStatus = {
  SUCCESS: 0,
  NONE: -1,
  ERROR: -2,
  IN_PROGRESS: -3,
} as const;
export type BuildStatus = (typeof BuildStatus)[keyof typeof BuildStatus];

export const ProgramBinaryType = {
  NONE: 0x0,
  COMPILED_OBJECT: 0x1,
  LIBRARY: 0x2,
  EXECUTABLE: 0x4,
} as const;
export type ProgramBinaryType = (typeof ProgramBinaryType)[keyof typeof ProgramBinaryType];

export const KernelArgAddressQualifier = {
  GLOBAL: 0x119b,
  LOCAL: 0x119c,
  CONSTANT: 0x119d,
  PRIVATE: 0x119e,
} as const;
export type KernelArgAddressQualifier = (typeof KernelArgAddressQualifier)[keyof typeof KernelArgAddressQualifier];

export const KernelArgAccessQualifier = {
  READ_ONLY: 0x11a0,
  WRITE_ONLY: 0x11a1,
  READ_WRITE: 0x11a2,
  NONE: 0x11a3,
} as const;
export type KernelArgAccessQualifier = (typeof KernelArgAccessQualifier)[keyof typeof KernelArgAccessQualifier];

export const KernelArgTypeQualifier = {
  NONE: 0,
  CONST: 0x1,
  RESTRICT: 0x2,
  VOLATILE: 0x4,
  PIPE: 0x8,
} as const;
export type KernelArgTypeQualifier = (typeof KernelArgTypeQualifier)[keyof typeof KernelArgTypeQualifier];

export const DeviceFpConfig = {
  DENORM: 0x1,
  INF_NAN: 0x2,
  ROUND_TO_NEAREST: 0x4,
  ROUND_TO_ZERO: 0x8,
  ROUND_TO_INF: 0x10,
  FMA: 0x20,
  SOFT_FLOAT: 0x40,
  CORRECTLY_ROUNDED_DIVIDE_SQRT: 0x80,
} as const;
export type DeviceFpConfig = (typeof DeviceFpConfig)[keyof typeof DeviceFpConfig];

export const DeviceLocalMemType = {
  NONE: 0x0,
  LOCAL: 0x1,
  GLOBAL: 0x2,
} as const;
export type DeviceLocalMemType = (typeof DeviceLocalMemType)[keyof typeof DeviceLocalMemType];

export const DeviceMemCacheType = {
  NONE: 0x0,
  READ_ONLY_CACHE: 0x1,
  READ_WRITE_CACHE: 0x2,
} as const;
export type DeviceMemCacheType = (typeof DeviceMemCacheType)[keyof typeof DeviceMemCacheType];

export const DeviceExecCapabilities = {
  KERNEL: 0x1,
  NATIVE_KERNEL: 0x2,
} as const;
export type DeviceExecCapabilities = (typeof DeviceExecCapabilities)[keyof typeof DeviceExecCapabilities];

export const DeviceSvmCapabilities = {
  COARSE_GRAIN_BUFFER: 0x1,
  FINE_GRAIN_BUFFER: 0x2,
  FINE_GRAIN_SYSTEM: 0x4,
  ATOMICS: 0x8,
} as const;
export type DeviceSvmCapabilities = (typeof DeviceSvmCapabilities)[keyof typeof DeviceSvmCapabilities];

export const ChannelOrder = {
  R: 0x10b0,
  A: 0x10b1,
  RG: 0x10b2,
  RA: 0x10b3,
  RGB: 0x10b4,
  RGBA: 0x10b5,
  BGRA: 0x10b6,
  ARGB: 0x10b7,
  INTENSITY: 0x10b8,
  LUMINANCE: 0x10b9,
  Rx: 0x10ba,
  RGx: 0x10bb,
  RGBx: 0x10bc,
  DEPTH: 0x10bd,
  sRGB: 0x10bf,
  sRGBx: 0x10c0,
  sRGBA: 0x10c1,
  sBGRA: 0x10c2,
  ABGR: 0x10c3,
} as const;
export type ChannelOrder = (typeof ChannelOrder)[keyof typeof ChannelOrder];

export const ChannelType = {
  SNORM_INT8: 0x10d0,
  SNORM_INT16: 0x10d1,
  UNORM_INT8: 0x10d2,
  UNORM_INT16: 0x10d3,
  UNORM_SHORT_565: 0x10d4,
  UNORM_SHORT_555: 0x10d5,
  UNORM_INT_101010: 0x10d6,
  UNORM_INT_101010_2: 0x10e0,
  SIGNED_INT8: 0x10d7,
  SIGNED_INT16: 0x10d8,
  SIGNED_INT32: 0x10d9,
  UNSIGNED_INT8: 0x10da,
  UNSIGNED_INT16: 0x10db,
  UNSIGNED_INT32: 0x10dc,
  HALF_FLOAT: 0x10dd,
  FLOAT: 0x10de,
} as const;
export type ChannelType = (typeof ChannelType)[keyof typeof ChannelType];

export const AddressingMode = {
  NONE: 0x1130,
  CLAMP_TO_EDGE: 0x1131,
  CLAMP: 0x1132,
  REPEAT: 0x1133,
  MIRRORED_REPEAT: 0x1134,
} as const;
export type AddressingMode = (typeof AddressingMode)[keyof typeof AddressingMode];

export const FilterMode = {
  NEAREST: 0x1140,
  LINEAR: 0x1141,
} as const;
export type FilterMode = (typeof FilterMode)[keyof typeof FilterMode];

export const SamplerProperty = {
  NORMALIZED_COORDS: 0x1152,
  ADDRESSING_MODE: 0x1153,
  FILTER_MODE: 0x1154,
  MIP_FILTER_MODE_KHR: 0x1155,
  LOD_MIN_KHR: 0x1156,
  LOD_MAX_KHR: 0x1157,
} as const;
export type SamplerProperty = (typeof SamplerProperty)[keyof typeof SamplerProperty];

export const PartitionProperty = {
  EQUALLY: 0x1086,
  BY_COUNTS: 0x1087,
  BY_COUNTS_LIST_END: 0x0,
  BY_AFFINITY_DOMAIN: 0x1088,
} as const;
export type PartitionProperty = (typeof PartitionProperty)[keyof typeof PartitionProperty];

export const AffinityDomain = {
  NUMA: 0x1,
  L4_CACHE: 0x2,
  L3_CACHE: 0x4,
  L2_CACHE: 0x8,
  L1_CACHE: 0x10,
  NEXT_PARTITIONABLE: 0x20,
} as const;
export type AffinityDomain = (typeof AffinityDomain)[keyof typeof AffinityDomain];

export const QueuePriority = {
  HIGH_KHR: 0x1,
  MED_KHR: 0x2,
  LOW_KHR: 0x4,
} as const;
export type QueuePriority = (typeof QueuePriority)[keyof typeof QueuePriority];

export const QueueThrottle = {
  HIGH_KHR: 0x1,
  MED_KHR: 0x2,
  LOW_KHR: 0x4,
} as const;
export type QueueThrottle = (typeof QueueThrottle)[keyof typeof QueueThrottle];

export const CommandBufferInfo = {
  QUEUES: [0x1294, 'handles'],
  NUM_QUEUES: [0x1295, 'uint'],
  REFERENCE_COUNT: [0x1296, 'uint'],
  STATE: [0x1297, 'uint'],
  PROPERTIES_ARRAY: [0x1298, 'properties'],
} as const;
export type CommandBufferInfo = keyof typeof CommandBufferInfo;

export const CommandBufferState = {
  RECORDING: 0,
  EXECUTABLE: 1,
  PENDING: 2,
  INVALID: 3,
} as const;
export type CommandBufferState = (typeof CommandBufferState)[keyof typeof CommandBufferState];

export const CommandBufferCapability = {
  KERNEL_PRINTF: 0x1,
  DEVICE_SIDE_ENQUEUE: 0x2,
  SIMULTANEOUS_USE: 0x4,
  OUT_OF_ORDER: 0x8,
} as const;
export type CommandBufferCapability = (typeof CommandBufferCapability)[keyof typeof CommandBufferCapability];

export const CommandBufferProperty = {
  FLAGS: 0x1293,
} as const;
export type CommandBufferProperty = (typeof CommandBufferProperty)[keyof typeof CommandBufferProperty];

export const CommandBufferFlags = {
  SIMULTANEOUS_USE: 0x1,
} as const;
export type CommandBufferFlags = (typeof CommandBufferFlags)[keyof typeof CommandBufferFlags];

export const SemaphoreInfo = {
  CONTEXT: [0x2039, 'handle'],
  REFERENCE_COUNT: [0x203a, 'uint'],
  PROPERTIES: [0x203b, 'properties'],
  PAYLOAD: [0x203c, 'ulong'],
  TYPE: [0x203d, 'uint'],
} as const;
export type SemaphoreInfo = keyof typeof SemaphoreInfo;

export const SemaphoreProperty = {
  TYPE: 0x203d,
  EXPORT_HANDLE_TYPES: 0x203f,
  DEVICE_HANDLE_LIST: 0x2051,
} as const;
export type SemaphoreProperty = (typeof SemaphoreProperty)[keyof typeof SemaphoreProperty];

export const SemaphoreType = {
  BINARY: 1,
} as const;
export type SemaphoreType = (typeof SemaphoreType)[keyof typeof SemaphoreType];

export const SemaphoreHandle = {
  OPAQUE_FD: 0x2055,
  SYNC_FD: 0x2058,
} as const;
export type SemaphoreHandle = (typeof SemaphoreHandle)[keyof typeof SemaphoreHandle];

export const ExternalMemoryHandle = {
  OPAQUE_FD: 0x2060,
  DMA_BUF: 0x2067,
} as const;
export type ExternalMemoryHandle = (typeof ExternalMemoryHandle)[keyof typeof ExternalMemoryHandle];
