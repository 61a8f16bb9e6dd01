// The columns: value, whose fault it is, and what to do about it.
export const status = {
  CUDA_SUCCESS: [0, 'none', ''],
  CUDA_ERROR_INVALID_VALUE: [1, 'logic', 'Check sizes, alignment and null pointers against what the function accepts'],
  CUDA_ERROR_OUT_OF_MEMORY: [2, 'memory', 'Free allocations or ask for less; memGetInfo() says how much is left'],
  CUDA_ERROR_NOT_INITIALIZED: [3, 'logic', 'Call cuInit before anything else'],
  CUDA_ERROR_DEINITIALIZED: [4, 'runtime', 'Finish GPU work before the process starts to exit'],
  CUDA_ERROR_PROFILER_DISABLED: [5, 'runtime', 'Run without an outer profiler attached'],
  CUDA_ERROR_PROFILER_NOT_INITIALIZED: [6, 'runtime', ''],
  CUDA_ERROR_PROFILER_ALREADY_STARTED: [7, 'logic', ''],
  CUDA_ERROR_PROFILER_ALREADY_STOPPED: [8, 'logic', ''],
  CUDA_ERROR_STUB_LIBRARY: [
    34,
    'runtime',
    "Put the real libcuda before the toolkit's stubs folder in the library path",
  ],
  CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER: [36, 'runtime', 'Update the NVIDIA driver'],
  CUDA_ERROR_DEVICE_UNAVAILABLE: [
    46,
    'runtime',
    'Wait for the process that holds the GPU, or change its compute mode with nvidia-smi',
  ],
  CUDA_ERROR_NO_DEVICE: [100, 'runtime', 'Check nvidia-smi and CUDA_VISIBLE_DEVICES; the driver sees no GPU'],
  CUDA_ERROR_INVALID_DEVICE: [101, 'logic', 'Use an ordinal below the device count'],
  CUDA_ERROR_DEVICE_NOT_LICENSED: [102, 'runtime', 'Apply the vGPU licence'],
  CUDA_ERROR_INVALID_IMAGE: [200, 'logic', 'Pass a whole cubin, fatbin or zero-terminated PTX text'],
  CUDA_ERROR_INVALID_CONTEXT: [201, 'logic', 'Make a live context current on this thread first'],
  CUDA_ERROR_CONTEXT_ALREADY_CURRENT: [202, 'logic', ''],
  CUDA_ERROR_MAP_FAILED: [205, 'runtime', ''],
  CUDA_ERROR_UNMAP_FAILED: [206, 'runtime', ''],
  CUDA_ERROR_ARRAY_IS_MAPPED: [207, 'logic', 'Unmap the array before destroying it'],
  CUDA_ERROR_ALREADY_MAPPED: [208, 'logic', 'Unmap the resource before mapping it again'],
  CUDA_ERROR_NO_BINARY_FOR_GPU: [209, 'runtime', "Build for this GPU's architecture, or ship PTX as well"],
  CUDA_ERROR_ALREADY_ACQUIRED: [210, 'logic', 'Release the resource before acquiring it again'],
  CUDA_ERROR_NOT_MAPPED: [211, 'logic', 'Map the resource first'],
  CUDA_ERROR_NOT_MAPPED_AS_ARRAY: [212, 'logic', 'Map the resource as an array'],
  CUDA_ERROR_NOT_MAPPED_AS_POINTER: [213, 'logic', 'Map the resource as a pointer'],
  CUDA_ERROR_ECC_UNCORRECTABLE: [
    214,
    'runtime',
    "Restart the process and look at the GPU's ECC counters in nvidia-smi",
  ],
  CUDA_ERROR_UNSUPPORTED_LIMIT: [215, 'logic', 'Leave this limit alone; the device has no such setting'],
  CUDA_ERROR_CONTEXT_ALREADY_IN_USE: [216, 'logic', 'Pop the context on the thread that holds it'],
  CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: [217, 'runtime', 'Copy through host memory; ask cuDeviceCanAccessPeer first'],
  CUDA_ERROR_INVALID_PTX: [218, 'logic', 'Read the JIT error log; the PTX text does not assemble'],
  CUDA_ERROR_INVALID_GRAPHICS_CONTEXT: [219, 'logic', 'Make the OpenGL or DirectX context current'],
  CUDA_ERROR_NVLINK_UNCORRECTABLE: [220, 'runtime', 'Restart the process and check the NVLink state in nvidia-smi'],
  CUDA_ERROR_JIT_COMPILER_NOT_FOUND: [221, 'runtime', 'Install libnvidia-ptxjitcompiler, which belongs to the driver'],
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION: [222, 'runtime', 'Update the driver, or compile with an older NVRTC'],
  CUDA_ERROR_JIT_COMPILATION_DISABLED: [223, 'runtime', 'Unset CUDA_DISABLE_PTX_JIT, or load a cubin'],
  CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY: [224, 'logic', ''],
  CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC: [225, 'logic', 'Drop cudaDeviceSynchronize from the kernel source'],
  CUDA_ERROR_CONTAINED: [226, 'launch', 'Restart the process; a fault on the GPU or a peer was contained'],
  CUDA_ERROR_INVALID_SOURCE: [300, 'logic', 'Fix the device code; the log has the first error'],
  CUDA_ERROR_FILE_NOT_FOUND: [301, 'runtime', 'Check the path'],
  CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND: [
    302,
    'runtime',
    'Check that the driver and its libraries are of one version',
  ],
  CUDA_ERROR_SHARED_OBJECT_INIT_FAILED: [303, 'runtime', 'Check that the driver and its libraries are of one version'],
  CUDA_ERROR_OPERATING_SYSTEM: [304, 'runtime', 'Check limits and permissions of the process, and the system log'],
  CUDA_ERROR_INVALID_HANDLE: [400, 'logic', 'Use a handle that is alive and belongs to the current context'],
  CUDA_ERROR_ILLEGAL_STATE: [
    401,
    'logic',
    'Check what the object is doing: endCapture(), for instance, comes after beginCapture()',
  ],
  CUDA_ERROR_LOSSY_QUERY: [402, 'logic', 'Ask with a newer version of the query, or for every result'],
  CUDA_ERROR_NOT_FOUND: [500, 'logic', 'Check the spelling; C++ names are mangled unless declared extern "C"'],
  CUDA_ERROR_NOT_READY: [600, 'runtime', 'Ask again later, or synchronize'],
  CUDA_ERROR_ILLEGAL_ADDRESS: [
    700,
    'launch',
    'Check index bounds and that every pointer is device memory still allocated',
  ],
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: [
    701,
    'launch',
    'Use fewer threads a block, less shared memory or fewer registers',
  ],
  CUDA_ERROR_LAUNCH_TIMEOUT: [702, 'launch', 'Split the kernel into shorter launches; this GPU has a watchdog'],
  CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING: [703, 'launch', ''],
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED: [704, 'logic', ''],
  CUDA_ERROR_PEER_ACCESS_NOT_ENABLED: [705, 'logic', 'Enable peer access first'],
  CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE: [708, 'logic', 'Set the flags before the primary context is first retained'],
  CUDA_ERROR_CONTEXT_IS_DESTROYED: [709, 'logic', 'Make a live context current on this thread first'],
  CUDA_ERROR_ASSERT: [710, 'launch', 'See the failed assert() that the kernel printed'],
  CUDA_ERROR_TOO_MANY_PEERS: [711, 'runtime', 'Disable peer access to a device that no longer needs it'],
  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: [712, 'logic', ''],
  CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED: [713, 'logic', 'Register the memory first'],
  CUDA_ERROR_HARDWARE_STACK_ERROR: [
    714,
    'launch',
    'Raise Limit.STACK_SIZE or cut the recursion; the device stack broke',
  ],
  CUDA_ERROR_ILLEGAL_INSTRUCTION: [715, 'launch', "Rebuild for this GPU's architecture"],
  CUDA_ERROR_MISALIGNED_ADDRESS: [
    716,
    'launch',
    'Align the pointer to the size of what it points at, vector types above all',
  ],
  CUDA_ERROR_INVALID_ADDRESS_SPACE: [717, 'launch', 'Pass a pointer of the address space that the instruction wants'],
  CUDA_ERROR_INVALID_PC: [718, 'launch', 'Check function pointers and stack arrays in the kernel'],
  CUDA_ERROR_LAUNCH_FAILED: [719, 'launch', 'Run under compute-sanitizer to find the bad access'],
  CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: [720, 'launch', 'Use a grid whose blocks all fit on the device at once'],
  CUDA_ERROR_TENSOR_MEMORY_LEAK: [721, 'launch', 'Free all tensor memory before the kernel returns'],
  CUDA_ERROR_NOT_PERMITTED: [800, 'logic', ''],
  CUDA_ERROR_NOT_SUPPORTED: [801, 'logic', 'Check the device attribute for this feature first'],
  CUDA_ERROR_SYSTEM_NOT_READY: [802, 'runtime', "Start the driver's daemons (fabric manager, persistence) and retry"],
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: [803, 'runtime', 'Reboot after a driver update; kernel module and libcuda differ'],
  CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: [804, 'runtime', 'Remove the cuda-compat libraries from the library path'],
  CUDA_ERROR_MPS_CONNECTION_FAILED: [805, 'runtime', 'Start the MPS control daemon'],
  CUDA_ERROR_MPS_RPC_FAILURE: [806, 'runtime', 'Restart the MPS server'],
  CUDA_ERROR_MPS_SERVER_NOT_READY: [807, 'runtime', 'Retry; the MPS server is recovering'],
  CUDA_ERROR_MPS_MAX_CLIENTS_REACHED: [808, 'runtime', 'Close other MPS clients'],
  CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED: [809, 'runtime', 'Close other MPS clients'],
  CUDA_ERROR_MPS_CLIENT_TERMINATED: [810, 'runtime', 'Restart the process; the MPS server ended this client'],
  CUDA_ERROR_CDP_NOT_SUPPORTED: [811, 'runtime', 'Run without MPS, or without launches from device code'],
  CUDA_ERROR_CDP_VERSION_MISMATCH: [812, 'runtime', 'Build every object of the module with one toolkit'],
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: [900, 'logic', 'Move the call out of the capture'],
  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: [901, 'logic', 'End the capture and start over; an earlier call broke it'],
  CUDA_ERROR_STREAM_CAPTURE_MERGE: [902, 'logic', 'Wait only on events of the same capture'],
  CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: [903, 'logic', 'End the capture on the stream that began it'],
  CUDA_ERROR_STREAM_CAPTURE_UNJOINED: [
    904,
    'logic',
    'Let the first stream wait for every forked one before ending the capture',
  ],
  CUDA_ERROR_STREAM_CAPTURE_ISOLATION: [905, 'logic', 'Wait only on events of the same capture'],
  CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: [
    906,
    'logic',
    'Use a non-blocking stream, or keep the default stream out of the capture',
  ],
  CUDA_ERROR_CAPTURED_EVENT: [907, 'logic', 'Record the event outside the capture before querying it'],
  CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: [908, 'logic', 'End the capture on the thread that began it'],
  CUDA_ERROR_TIMEOUT: [909, 'runtime', ''],
  CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: [910, 'logic', 'Instantiate the graph again; its shape changed'],
  CUDA_ERROR_EXTERNAL_DEVICE: [911, 'runtime', 'Restart the process; a device outside CUDA signalled a fault'],
  CUDA_ERROR_INVALID_CLUSTER_SIZE: [912, 'launch', 'Use a cluster that divides the grid and that the device can hold'],
  CUDA_ERROR_FUNCTION_NOT_LOADED: [913, 'logic', 'Load the function before asking about it'],
  CUDA_ERROR_INVALID_RESOURCE_TYPE: [914, 'logic', ''],
  CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION: [915, 'logic', ''],
  CUDA_ERROR_KEY_ROTATION: [916, 'runtime', ''],
  CUDA_ERROR_UNKNOWN: [999, 'other', "Look for the driver's own message in the system log"],
} as const;

/** After one of these, every later call in that context fails with it. */
export const stickyStatuses: readonly number[] = [
  status.CUDA_ERROR_CONTAINED[0],
  status.CUDA_ERROR_ILLEGAL_ADDRESS[0],
  status.CUDA_ERROR_LAUNCH_TIMEOUT[0],
  status.CUDA_ERROR_ASSERT[0],
  status.CUDA_ERROR_HARDWARE_STACK_ERROR[0],
  status.CUDA_ERROR_ILLEGAL_INSTRUCTION[0],
  status.CUDA_ERROR_MISALIGNED_ADDRESS[0],
  status.CUDA_ERROR_INVALID_ADDRESS_SPACE[0],
  status.CUDA_ERROR_INVALID_PC[0],
  status.CUDA_ERROR_LAUNCH_FAILED[0],
  status.CUDA_ERROR_TENSOR_MEMORY_LEAK[0],
  status.CUDA_ERROR_EXTERNAL_DEVICE[0],
];

export const nvrtcStatus = {
  NVRTC_SUCCESS: [0, 'none', ''],
  NVRTC_ERROR_OUT_OF_MEMORY: [1, 'memory', ''],
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE: [2, 'runtime', ''],
  NVRTC_ERROR_INVALID_INPUT: [3, 'logic', 'Check counts, names and null pointers'],
  NVRTC_ERROR_INVALID_PROGRAM: [4, 'logic', 'Use a program that is not destroyed yet'],
  NVRTC_ERROR_INVALID_OPTION: [5, 'logic', 'Check the compiler options; the log names the one it rejects'],
  NVRTC_ERROR_COMPILATION: [6, 'logic', 'Fix the source; the log has the first error'],
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE: [7, 'runtime', 'Put libnvrtc-builtins of the same version beside libnvrtc'],
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION: [8, 'logic', 'Add name expressions before compiling'],
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: [9, 'logic', 'Compile before asking for lowered names'],
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID: [10, 'logic', 'Ask for the expression with the very text that was added'],
  NVRTC_ERROR_INTERNAL_ERROR: [11, 'other', ''],
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED: [12, 'runtime', 'Check that the -time file can be written'],
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED: [13, 'logic', 'Compile with a precompiled-header option first'],
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED: [14, 'runtime', 'Raise the precompiled-header heap size and compile again'],
  NVRTC_ERROR_PCH_CREATE: [15, 'runtime', ''],
  NVRTC_ERROR_CANCELLED: [16, 'other', ''],
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED: [17, 'runtime', 'Check that the time trace file can be written'],
} as const;

export const DeviceAttribute = {
  MAX_THREADS_PER_BLOCK: 1,
  MAX_BLOCK_DIM_X: 2,
  MAX_BLOCK_DIM_Y: 3,
  MAX_BLOCK_DIM_Z: 4,
  MAX_GRID_DIM_X: 5,
  MAX_GRID_DIM_Y: 6,
  MAX_GRID_DIM_Z: 7,
  MAX_SHARED_MEMORY_PER_BLOCK: 8,
  TOTAL_CONSTANT_MEMORY: 9,
  WARP_SIZE: 10,
  MAX_PITCH: 11,
  MAX_REGISTERS_PER_BLOCK: 12,
  CLOCK_RATE: 13,
  TEXTURE_ALIGNMENT: 14,
  GPU_OVERLAP: 15,
  MULTIPROCESSOR_COUNT: 16,
  KERNEL_EXEC_TIMEOUT: 17,
  INTEGRATED: 18,
  CAN_MAP_HOST_MEMORY: 19,
  COMPUTE_MODE: 20,
  MAXIMUM_TEXTURE1D_WIDTH: 21,
  MAXIMUM_TEXTURE2D_WIDTH: 22,
  MAXIMUM_TEXTURE2D_HEIGHT: 23,
  MAXIMUM_TEXTURE3D_WIDTH: 24,
  MAXIMUM_TEXTURE3D_HEIGHT: 25,
  MAXIMUM_TEXTURE3D_DEPTH: 26,
  MAXIMUM_TEXTURE2D_LAYERED_WIDTH: 27,
  MAXIMUM_TEXTURE2D_LAYERED_HEIGHT: 28,
  MAXIMUM_TEXTURE2D_LAYERED_LAYERS: 29,
  SURFACE_ALIGNMENT: 30,
  CONCURRENT_KERNELS: 31,
  ECC_ENABLED: 32,
  PCI_BUS_ID: 33,
  PCI_DEVICE_ID: 34,
  TCC_DRIVER: 35,
  MEMORY_CLOCK_RATE: 36,
  GLOBAL_MEMORY_BUS_WIDTH: 37,
  L2_CACHE_SIZE: 38,
  MAX_THREADS_PER_MULTIPROCESSOR: 39,
  ASYNC_ENGINE_COUNT: 40,
  UNIFIED_ADDRESSING: 41,
  MAXIMUM_TEXTURE1D_LAYERED_WIDTH: 42,
  MAXIMUM_TEXTURE1D_LAYERED_LAYERS: 43,
  CAN_TEX2D_GATHER: 44,
  MAXIMUM_TEXTURE2D_GATHER_WIDTH: 45,
  MAXIMUM_TEXTURE2D_GATHER_HEIGHT: 46,
  MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE: 47,
  MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE: 48,
  MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE: 49,
  PCI_DOMAIN_ID: 50,
  TEXTURE_PITCH_ALIGNMENT: 51,
  MAXIMUM_TEXTURECUBEMAP_WIDTH: 52,
  MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH: 53,
  MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS: 54,
  MAXIMUM_SURFACE1D_WIDTH: 55,
  MAXIMUM_SURFACE2D_WIDTH: 56,
  MAXIMUM_SURFACE2D_HEIGHT: 57,
  MAXIMUM_SURFACE3D_WIDTH: 58,
  MAXIMUM_SURFACE3D_HEIGHT: 59,
  MAXIMUM_SURFACE3D_DEPTH: 60,
  MAXIMUM_SURFACE1D_LAYERED_WIDTH: 61,
  MAXIMUM_SURFACE1D_LAYERED_LAYERS: 62,
  MAXIMUM_SURFACE2D_LAYERED_WIDTH: 63,
  MAXIMUM_SURFACE2D_LAYERED_HEIGHT: 64,
  MAXIMUM_SURFACE2D_LAYERED_LAYERS: 65,
  MAXIMUM_SURFACECUBEMAP_WIDTH: 66,
  MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH: 67,
  MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS: 68,
  MAXIMUM_TEXTURE1D_LINEAR_WIDTH: 69,
  MAXIMUM_TEXTURE2D_LINEAR_WIDTH: 70,
  MAXIMUM_TEXTURE2D_LINEAR_HEIGHT: 71,
  MAXIMUM_TEXTURE2D_LINEAR_PITCH: 72,
  MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH: 73,
  MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT: 74,
  COMPUTE_CAPABILITY_MAJOR: 75,
  COMPUTE_CAPABILITY_MINOR: 76,
  MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH: 77,
  STREAM_PRIORITIES_SUPPORTED: 78,
  GLOBAL_L1_CACHE_SUPPORTED: 79,
  LOCAL_L1_CACHE_SUPPORTED: 80,
  MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: 81,
  MAX_REGISTERS_PER_MULTIPROCESSOR: 82,
  MANAGED_MEMORY: 83,
  MULTI_GPU_BOARD: 84,
  MULTI_GPU_BOARD_GROUP_ID: 85,
  HOST_NATIVE_ATOMIC_SUPPORTED: 86,
  SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: 87,
  PAGEABLE_MEMORY_ACCESS: 88,
  CONCURRENT_MANAGED_ACCESS: 89,
  COMPUTE_PREEMPTION_SUPPORTED: 90,
  CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: 91,
  CAN_USE_STREAM_MEM_OPS_V1: 92,
  CAN_USE_64_BIT_STREAM_MEM_OPS_V1: 93,
  CAN_USE_STREAM_WAIT_VALUE_NOR_V1: 94,
  COOPERATIVE_LAUNCH: 95,
  COOPERATIVE_MULTI_DEVICE_LAUNCH: 96,
  MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: 97,
  CAN_FLUSH_REMOTE_WRITES: 98,
  HOST_REGISTER_SUPPORTED: 99,
  PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES: 100,
  DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: 101,
  VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: 102,
  HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: 103,
  HANDLE_TYPE_WIN32_HANDLE_SUPPORTED: 104,
  HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED: 105,
  MAX_BLOCKS_PER_MULTIPROCESSOR: 106,
  GENERIC_COMPRESSION_SUPPORTED: 107,
  MAX_PERSISTING_L2_CACHE_SIZE: 108,
  MAX_ACCESS_POLICY_WINDOW_SIZE: 109,
  GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED: 110,
  RESERVED_SHARED_MEMORY_PER_BLOCK: 111,
  SPARSE_CUDA_ARRAY_SUPPORTED: 112,
  READ_ONLY_HOST_REGISTER_SUPPORTED: 113,
  TIMELINE_SEMAPHORE_INTEROP_SUPPORTED: 114,
  MEMORY_POOLS_SUPPORTED: 115,
  GPU_DIRECT_RDMA_SUPPORTED: 116,
  GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS: 117,
  GPU_DIRECT_RDMA_WRITES_ORDERING: 118,
  MEMPOOL_SUPPORTED_HANDLE_TYPES: 119,
  CLUSTER_LAUNCH: 120,
  DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED: 121,
  CAN_USE_64_BIT_STREAM_MEM_OPS: 122,
  CAN_USE_STREAM_WAIT_VALUE_NOR: 123,
  DMA_BUF_SUPPORTED: 124,
  IPC_EVENT_SUPPORTED: 125,
  MEM_SYNC_DOMAIN_COUNT: 126,
  TENSOR_MAP_ACCESS_SUPPORTED: 127,
  HANDLE_TYPE_FABRIC_SUPPORTED: 128,
  UNIFIED_FUNCTION_POINTERS: 129,
  NUMA_CONFIG: 130,
  NUMA_ID: 131,
  MULTICAST_SUPPORTED: 132,
  MPS_ENABLED: 133,
  HOST_NUMA_ID: 134,
  D3D12_CIG_SUPPORTED: 135,
  MEM_DECOMPRESS_ALGORITHM_MASK: 136,
  MEM_DECOMPRESS_MAXIMUM_LENGTH: 137,
  VULKAN_CIG_SUPPORTED: 138,
  GPU_PCI_DEVICE_ID: 139,
  GPU_PCI_SUBSYSTEM_ID: 140,
  HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: 141,
  HOST_NUMA_MEMORY_POOLS_SUPPORTED: 142,
  HOST_NUMA_MULTINODE_IPC_SUPPORTED: 143,
  HOST_MEMORY_POOLS_SUPPORTED: 144,
  HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: 145,
  HOST_ALLOC_DMA_BUF_SUPPORTED: 146,
  ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED: 147,
} as const;
export type DeviceAttribute = (typeof DeviceAttribute)[keyof typeof DeviceAttribute];

export const FunctionAttribute = {
  MAX_THREADS_PER_BLOCK: 0,
  SHARED_SIZE_BYTES: 1,
  CONST_SIZE_BYTES: 2,
  LOCAL_SIZE_BYTES: 3,
  NUM_REGS: 4,
  PTX_VERSION: 5,
  BINARY_VERSION: 6,
  CACHE_MODE_CA: 7,
  MAX_DYNAMIC_SHARED_SIZE_BYTES: 8,
  PREFERRED_SHARED_MEMORY_CARVEOUT: 9,
  CLUSTER_SIZE_MUST_BE_SET: 10,
  REQUIRED_CLUSTER_WIDTH: 11,
  REQUIRED_CLUSTER_HEIGHT: 12,
  REQUIRED_CLUSTER_DEPTH: 13,
  NON_PORTABLE_CLUSTER_SIZE_ALLOWED: 14,
  CLUSTER_SCHEDULING_POLICY_PREFERENCE: 15,
} as const;
export type FunctionAttribute = (typeof FunctionAttribute)[keyof typeof FunctionAttribute];

export const Limit = {
  STACK_SIZE: 0,
  PRINTF_FIFO_SIZE: 1,
  MALLOC_HEAP_SIZE: 2,
  DEV_RUNTIME_SYNC_DEPTH: 3,
  DEV_RUNTIME_PENDING_LAUNCH_COUNT: 4,
  MAX_L2_FETCH_GRANULARITY: 5,
  PERSISTING_L2_CACHE_SIZE: 6,
  SHMEM_SIZE: 7,
  CIG_ENABLED: 8,
  CIG_SHMEM_FALLBACK_ENABLED: 9,
} as const;
export type Limit = (typeof Limit)[keyof typeof Limit];

export const FuncCache = {
  PREFER_NONE: 0,
  PREFER_SHARED: 1,
  PREFER_L1: 2,
  PREFER_EQUAL: 3,
} as const;
export type FuncCache = (typeof FuncCache)[keyof typeof FuncCache];

export const ContextFlags = {
  SCHED_AUTO: 0x0,
  SCHED_SPIN: 0x1,
  SCHED_YIELD: 0x2,
  SCHED_BLOCKING_SYNC: 0x4,
  SCHED_MASK: 0x7,
  MAP_HOST: 0x8,
  LMEM_RESIZE_TO_MAX: 0x10,
  COREDUMP_ENABLE: 0x20,
  USER_COREDUMP_ENABLE: 0x40,
  SYNC_MEMOPS: 0x80,
  FLAGS_MASK: 0xff,
} as const;
export type ContextFlags = (typeof ContextFlags)[keyof typeof ContextFlags];

export const StreamFlags = {
  DEFAULT: 0,
  NON_BLOCKING: 1,
} as const;
export type StreamFlags = (typeof StreamFlags)[keyof typeof StreamFlags];

export const EventFlags = {
  DEFAULT: 0,
  BLOCKING_SYNC: 1,
  DISABLE_TIMING: 2,
  INTERPROCESS: 4,
} as const;
export type EventFlags = (typeof EventFlags)[keyof typeof EventFlags];

export const HostAllocFlags = {
  PORTABLE: 1,
  DEVICEMAP: 2,
  WRITECOMBINED: 4,
} as const;
export type HostAllocFlags = (typeof HostAllocFlags)[keyof typeof HostAllocFlags];

export const HostRegisterFlags = {
  PORTABLE: 1,
  DEVICEMAP: 2,
  IOMEMORY: 4,
  READ_ONLY: 8,
} as const;
export type HostRegisterFlags = (typeof HostRegisterFlags)[keyof typeof HostRegisterFlags];

export const MemAttachFlags = {
  GLOBAL: 1,
  HOST: 2,
  SINGLE: 4,
} as const;
export type MemAttachFlags = (typeof MemAttachFlags)[keyof typeof MemAttachFlags];

export const MemAdvise = {
  SET_READ_MOSTLY: 1,
  UNSET_READ_MOSTLY: 2,
  SET_PREFERRED_LOCATION: 3,
  UNSET_PREFERRED_LOCATION: 4,
  SET_ACCESSED_BY: 5,
  UNSET_ACCESSED_BY: 6,
} as const;
export type MemAdvise = (typeof MemAdvise)[keyof typeof MemAdvise];

export const MemRangeAttribute = {
  READ_MOSTLY: 1,
  PREFERRED_LOCATION: 2,
  ACCESSED_BY: 3,
  LAST_PREFETCH_LOCATION: 4,
  PREFERRED_LOCATION_TYPE: 5,
  PREFERRED_LOCATION_ID: 6,
  LAST_PREFETCH_LOCATION_TYPE: 7,
  LAST_PREFETCH_LOCATION_ID: 8,
} as const;
export type MemRangeAttribute = (typeof MemRangeAttribute)[keyof typeof MemRangeAttribute];

export const MemoryType = {
  HOST: 1,
  DEVICE: 2,
  ARRAY: 3,
  UNIFIED: 4,
} as const;
export type MemoryType = (typeof MemoryType)[keyof typeof MemoryType];

export const MemPoolAttribute = {
  REUSE_FOLLOW_EVENT_DEPENDENCIES: 1,
  REUSE_ALLOW_OPPORTUNISTIC: 2,
  REUSE_ALLOW_INTERNAL_DEPENDENCIES: 3,
  RELEASE_THRESHOLD: 4,
  RESERVED_MEM_CURRENT: 5,
  RESERVED_MEM_HIGH: 6,
  USED_MEM_CURRENT: 7,
  USED_MEM_HIGH: 8,
} as const;
export type MemPoolAttribute = (typeof MemPoolAttribute)[keyof typeof MemPoolAttribute];

export const MemAccessFlags = {
  NONE: 0,
  READ: 1,
  READWRITE: 3,
} as const;
export type MemAccessFlags = (typeof MemAccessFlags)[keyof typeof MemAccessFlags];

export const MemLocationType = {
  INVALID: 0,
  DEVICE: 1,
  HOST: 2,
  HOST_NUMA: 3,
  HOST_NUMA_CURRENT: 4,
} as const;
export type MemLocationType = (typeof MemLocationType)[keyof typeof MemLocationType];

export const MemAllocationType = {
  INVALID: 0,
  PINNED: 1,
} as const;
export type MemAllocationType = (typeof MemAllocationType)[keyof typeof MemAllocationType];

export const MemHandleType = {
  NONE: 0,
  POSIX_FILE_DESCRIPTOR: 1,
  WIN32: 2,
  WIN32_KMT: 4,
  FABRIC: 8,
} as const;
export type MemHandleType = (typeof MemHandleType)[keyof typeof MemHandleType];

export const MemGranularity = {
  MINIMUM: 0,
  RECOMMENDED: 1,
} as const;
export type MemGranularity = (typeof MemGranularity)[keyof typeof MemGranularity];

export const MemcpySourceOrder = {
  STREAM: 1,
  DURING_API_CALL: 2,
  ANY: 3,
} as const;
export type MemcpySourceOrder = (typeof MemcpySourceOrder)[keyof typeof MemcpySourceOrder];

export const Memcpy3DOperandType = {
  POINTER: 1,
  ARRAY: 2,
} as const;
export type Memcpy3DOperandType = (typeof Memcpy3DOperandType)[keyof typeof Memcpy3DOperandType];

export const IpcMemFlags = {
  LAZY_ENABLE_PEER_ACCESS: 1,
} as const;
export type IpcMemFlags = (typeof IpcMemFlags)[keyof typeof IpcMemFlags];

export const P2PAttribute = {
  PERFORMANCE_RANK: 1,
  ACCESS_SUPPORTED: 2,
  NATIVE_ATOMIC_SUPPORTED: 3,
  CUDA_ARRAY_ACCESS_SUPPORTED: 4,
} as const;
export type P2PAttribute = (typeof P2PAttribute)[keyof typeof P2PAttribute];

export const JitOption = {
  MAX_REGISTERS: 0,
  THREADS_PER_BLOCK: 1,
  WALL_TIME: 2,
  INFO_LOG_BUFFER: 3,
  INFO_LOG_BUFFER_SIZE_BYTES: 4,
  ERROR_LOG_BUFFER: 5,
  ERROR_LOG_BUFFER_SIZE_BYTES: 6,
  OPTIMIZATION_LEVEL: 7,
  TARGET_FROM_CUCONTEXT: 8,
  TARGET: 9,
  FALLBACK_STRATEGY: 10,
  GENERATE_DEBUG_INFO: 11,
  LOG_VERBOSE: 12,
  GENERATE_LINE_INFO: 13,
  CACHE_MODE: 14,
  NEW_SM3X_OPT: 15,
  FAST_COMPILE: 16,
  GLOBAL_SYMBOL_NAMES: 17,
  GLOBAL_SYMBOL_ADDRESSES: 18,
  GLOBAL_SYMBOL_COUNT: 19,
  LTO: 20,
  FTZ: 21,
  PREC_DIV: 22,
  PREC_SQRT: 23,
  FMA: 24,
  REFERENCED_KERNEL_NAMES: 25,
  REFERENCED_KERNEL_COUNT: 26,
  REFERENCED_VARIABLE_NAMES: 27,
  REFERENCED_VARIABLE_COUNT: 28,
  OPTIMIZE_UNUSED_DEVICE_VARIABLES: 29,
  POSITION_INDEPENDENT_CODE: 30,
  MIN_CTA_PER_SM: 31,
  MAX_THREADS_PER_BLOCK: 32,
  OVERRIDE_DIRECTIVE_VALUES: 33,
  SPLIT_COMPILE: 34,
} as const;
export type JitOption = (typeof JitOption)[keyof typeof JitOption];

export const PointerAttribute = {
  CONTEXT: 1,
  MEMORY_TYPE: 2,
  DEVICE_POINTER: 3,
  HOST_POINTER: 4,
  P2P_TOKENS: 5,
  SYNC_MEMOPS: 6,
  BUFFER_ID: 7,
  IS_MANAGED: 8,
  DEVICE_ORDINAL: 9,
  IS_LEGACY_CUDA_IPC_CAPABLE: 10,
  RANGE_START_ADDR: 11,
  RANGE_SIZE: 12,
  MAPPED: 13,
  ALLOWED_HANDLE_TYPES: 14,
  IS_GPU_DIRECT_RDMA_CAPABLE: 15,
  ACCESS_FLAGS: 16,
  MEMPOOL_HANDLE: 17,
  MAPPING_SIZE: 18,
  MAPPING_BASE_ADDR: 19,
  MEMORY_BLOCK_ID: 20,
  IS_HW_DECOMPRESS_CAPABLE: 21,
} as const;
export type PointerAttribute = (typeof PointerAttribute)[keyof typeof PointerAttribute];

export const ComputeMode = {
  DEFAULT: 0,
  PROHIBITED: 2,
  EXCLUSIVE_PROCESS: 3,
} as const;
export type ComputeMode = (typeof ComputeMode)[keyof typeof ComputeMode];

export const SharedCarveout = {
  DEFAULT: -1,
  MAX_SHARED: 100,
  MAX_L1: 0,
} as const;
export type SharedCarveout = (typeof SharedCarveout)[keyof typeof SharedCarveout];

export const OccupancyFlags = {
  DEFAULT: 0,
  DISABLE_CACHING_OVERRIDE: 1,
} as const;
export type OccupancyFlags = (typeof OccupancyFlags)[keyof typeof OccupancyFlags];

export const LaunchAttributeId = {
  IGNORE: 0,
  ACCESS_POLICY_WINDOW: 1,
  COOPERATIVE: 2,
  SYNCHRONIZATION_POLICY: 3,
  CLUSTER_DIMENSION: 4,
  CLUSTER_SCHEDULING_POLICY_PREFERENCE: 5,
  PROGRAMMATIC_STREAM_SERIALIZATION: 6,
  PROGRAMMATIC_EVENT: 7,
  PRIORITY: 8,
  MEM_SYNC_DOMAIN_MAP: 9,
  MEM_SYNC_DOMAIN: 10,
  PREFERRED_CLUSTER_DIMENSION: 11,
  LAUNCH_COMPLETION_EVENT: 12,
  DEVICE_UPDATABLE_KERNEL_NODE: 13,
  PREFERRED_SHARED_MEMORY_CARVEOUT: 14,
  NVLINK_UTIL_CENTRIC_SCHEDULING: 16,
} as const;
export type LaunchAttributeId = (typeof LaunchAttributeId)[keyof typeof LaunchAttributeId];

export const ClusterSchedulingPolicy = {
  DEFAULT: 0,
  SPREAD: 1,
  LOAD_BALANCING: 2,
} as const;
export type ClusterSchedulingPolicy = (typeof ClusterSchedulingPolicy)[keyof typeof ClusterSchedulingPolicy];

export const FunctionLoadingState = {
  UNLOADED: 0,
  LOADED: 1,
} as const;
export type FunctionLoadingState = (typeof FunctionLoadingState)[keyof typeof FunctionLoadingState];

export const SynchronizationPolicy = {
  AUTO: 1,
  SPIN: 2,
  YIELD: 3,
  BLOCKING_SYNC: 4,
} as const;
export type SynchronizationPolicy = (typeof SynchronizationPolicy)[keyof typeof SynchronizationPolicy];

export const AccessProperty = {
  NORMAL: 0,
  STREAMING: 1,
  PERSISTING: 2,
} as const;
export type AccessProperty = (typeof AccessProperty)[keyof typeof AccessProperty];

export const MemSyncDomain = {
  DEFAULT: 0,
  REMOTE: 1,
} as const;
export type MemSyncDomain = (typeof MemSyncDomain)[keyof typeof MemSyncDomain];

export const CaptureMode = {
  GLOBAL: 0,
  THREAD_LOCAL: 1,
  RELAXED: 2,
} as const;
export type CaptureMode = (typeof CaptureMode)[keyof typeof CaptureMode];

export const CaptureStatus = {
  NONE: 0,
  ACTIVE: 1,
  INVALIDATED: 2,
} as const;
export type CaptureStatus = (typeof CaptureStatus)[keyof typeof CaptureStatus];

export const GraphNodeType = {
  KERNEL: 0,
  MEMCPY: 1,
  MEMSET: 2,
  HOST: 3,
  GRAPH: 4,
  EMPTY: 5,
  WAIT_EVENT: 6,
  EVENT_RECORD: 7,
  EXT_SEMAS_SIGNAL: 8,
  EXT_SEMAS_WAIT: 9,
  MEM_ALLOC: 10,
  MEM_FREE: 11,
  BATCH_MEM_OP: 12,
  CONDITIONAL: 13,
} as const;
export type GraphNodeType = (typeof GraphNodeType)[keyof typeof GraphNodeType];

export const ConditionalType = {
  IF: 0,
  WHILE: 1,
  SWITCH: 2,
} as const;
export type ConditionalType = (typeof ConditionalType)[keyof typeof ConditionalType];

export const GraphInstantiateFlags = {
  AUTO_FREE_ON_LAUNCH: 1,
  UPLOAD: 2,
  DEVICE_LAUNCH: 4,
  USE_NODE_PRIORITY: 8,
} as const;
export type GraphInstantiateFlags = (typeof GraphInstantiateFlags)[keyof typeof GraphInstantiateFlags];

export const GraphInstantiateResult = {
  SUCCESS: 0,
  ERROR: 1,
  INVALID_STRUCTURE: 2,
  NODE_OPERATION_NOT_SUPPORTED: 3,
  MULTIPLE_CTXS_NOT_SUPPORTED: 4,
  CONDITIONAL_HANDLE_UNUSED: 5,
} as const;
export type GraphInstantiateResult = (typeof GraphInstantiateResult)[keyof typeof GraphInstantiateResult];

export const GraphExecUpdateResult = {
  SUCCESS: 0,
  ERROR: 1,
  ERROR_TOPOLOGY_CHANGED: 2,
  ERROR_NODE_TYPE_CHANGED: 3,
  ERROR_FUNCTION_CHANGED: 4,
  ERROR_PARAMETERS_CHANGED: 5,
  ERROR_NOT_SUPPORTED: 6,
  ERROR_UNSUPPORTED_FUNCTION_CHANGE: 7,
  ERROR_ATTRIBUTES_CHANGED: 8,
} as const;
export type GraphExecUpdateResult = (typeof GraphExecUpdateResult)[keyof typeof GraphExecUpdateResult];

export const GraphDotFlags = {
  VERBOSE: 0x1,
  RUNTIME_TYPES: 0x2,
  KERNEL_NODE_PARAMS: 0x4,
  MEMCPY_NODE_PARAMS: 0x8,
  MEMSET_NODE_PARAMS: 0x10,
  HOST_NODE_PARAMS: 0x20,
  EVENT_NODE_PARAMS: 0x40,
  KERNEL_NODE_ATTRIBUTES: 0x200,
  HANDLES: 0x400,
  MEM_ALLOC_NODE_PARAMS: 0x800,
  MEM_FREE_NODE_PARAMS: 0x1000,
} as const;
export type GraphDotFlags = (typeof GraphDotFlags)[keyof typeof GraphDotFlags];

export const StreamWaitValue = {
  GEQ: 0,
  EQ: 1,
  AND: 2,
  NOR: 3,
  FLUSH: 0x4000_0000,
} as const;
export type StreamWaitValue = (typeof StreamWaitValue)[keyof typeof StreamWaitValue];

export const StreamWriteValue = {
  DEFAULT: 0,
  NO_MEMORY_BARRIER: 1,
} as const;
export type StreamWriteValue = (typeof StreamWriteValue)[keyof typeof StreamWriteValue];

export const StreamMemOp = {
  WAIT_VALUE_32: 1,
  WRITE_VALUE_32: 2,
  FLUSH_REMOTE_WRITES: 3,
  WAIT_VALUE_64: 4,
  WRITE_VALUE_64: 5,
  BARRIER: 6,
} as const;
export type StreamMemOp = (typeof StreamMemOp)[keyof typeof StreamMemOp];

export const DevResourceType = {
  INVALID: 0,
  SM: 1,
} as const;
export type DevResourceType = (typeof DevResourceType)[keyof typeof DevResourceType];

export const JitInputType = {
  CUBIN: 0,
  PTX: 1,
  FATBINARY: 2,
  OBJECT: 3,
  LIBRARY: 4,
} as const;
export type JitInputType = (typeof JitInputType)[keyof typeof JitInputType];

export const TensorMapDataType = {
  UINT8: 0,
  UINT16: 1,
  UINT32: 2,
  INT32: 3,
  UINT64: 4,
  INT64: 5,
  FLOAT16: 6,
  FLOAT32: 7,
  FLOAT64: 8,
  BFLOAT16: 9,
  FLOAT32_FTZ: 10,
  TFLOAT32: 11,
  TFLOAT32_FTZ: 12,
} as const;
export type TensorMapDataType = (typeof TensorMapDataType)[keyof typeof TensorMapDataType];

export const TensorMapInterleave = {
  NONE: 0,
  '16B': 1,
  '32B': 2,
} as const;
export type TensorMapInterleave = (typeof TensorMapInterleave)[keyof typeof TensorMapInterleave];

export const TensorMapSwizzle = {
  NONE: 0,
  '32B': 1,
  '64B': 2,
  '128B': 3,
} as const;
export type TensorMapSwizzle = (typeof TensorMapSwizzle)[keyof typeof TensorMapSwizzle];

export const TensorMapL2Promotion = {
  NONE: 0,
  L2_64B: 1,
  L2_128B: 2,
  L2_256B: 3,
} as const;
export type TensorMapL2Promotion = (typeof TensorMapL2Promotion)[keyof typeof TensorMapL2Promotion];

export const TensorMapOobFill = {
  NONE: 0,
  NAN_REQUEST_ZERO_FMA: 1,
} as const;
export type TensorMapOobFill = (typeof TensorMapOobFill)[keyof typeof TensorMapOobFill];

export const ArrayFormat = {
  UNSIGNED_INT8: 0x01,
  UNSIGNED_INT16: 0x02,
  UNSIGNED_INT32: 0x03,
  SIGNED_INT8: 0x08,
  SIGNED_INT16: 0x09,
  SIGNED_INT32: 0x0a,
  HALF: 0x10,
  FLOAT: 0x20,
} as const;
export type ArrayFormat = (typeof ArrayFormat)[keyof typeof ArrayFormat];

export const Array3DFlags = {
  LAYERED: 1,
  SURFACE_LDST: 2,
  CUBEMAP: 4,
  TEXTURE_GATHER: 8,
} as const;
export type Array3DFlags = (typeof Array3DFlags)[keyof typeof Array3DFlags];

export const ResourceType = {
  ARRAY: 0,
  MIPMAPPED_ARRAY: 1,
  LINEAR: 2,
  PITCH2D: 3,
} as const;
export type ResourceType = (typeof ResourceType)[keyof typeof ResourceType];

export const AddressMode = {
  WRAP: 0,
  CLAMP: 1,
  MIRROR: 2,
  BORDER: 3,
} as const;
export type AddressMode = (typeof AddressMode)[keyof typeof AddressMode];

export const FilterMode = {
  POINT: 0,
  LINEAR: 1,
} as const;
export type FilterMode = (typeof FilterMode)[keyof typeof FilterMode];

export const TextureFlags = {
  READ_AS_INTEGER: 0x01,
  NORMALIZED_COORDINATES: 0x02,
  SRGB: 0x10,
  DISABLE_TRILINEAR_OPTIMIZATION: 0x20,
  SEAMLESS_CUBEMAP: 0x40,
} as const;
export type TextureFlags = (typeof TextureFlags)[keyof typeof TextureFlags];

export const ResourceViewFormat = {
  NONE: 0,
  UINT_1X8: 1,
  UINT_2X8: 2,
  UINT_4X8: 3,
  SINT_1X8: 4,
  SINT_2X8: 5,
  SINT_4X8: 6,
  UINT_1X16: 7,
  UINT_2X16: 8,
  UINT_4X16: 9,
  SINT_1X16: 10,
  SINT_2X16: 11,
  SINT_4X16: 12,
  UINT_1X32: 13,
  UINT_2X32: 14,
  UINT_4X32: 15,
  SINT_1X32: 16,
  SINT_2X32: 17,
  SINT_4X32: 18,
  FLOAT_1X16: 19,
  FLOAT_2X16: 20,
  FLOAT_4X16: 21,
  FLOAT_1X32: 22,
  FLOAT_2X32: 23,
  FLOAT_4X32: 24,
} as const;
export type ResourceViewFormat = (typeof ResourceViewFormat)[keyof typeof ResourceViewFormat];
