import {
  PlatformInfo,
  DeviceType,
  DeviceInfo,
  DeviceFpConfig,
  DeviceLocalMemType,
  DeviceMemCacheType,
  DeviceExecCapabilities,
  PartitionProperty,
  AffinityDomain,
  status,
} from '../../opencl/sys/enums.ts';

// Of platforms and devices, named as in the header but for its CL_. Negative numbers have no sign, as in
// node-opencl. A test compares every value with the header.

export const PLATFORM_PROFILE: (typeof PlatformInfo.PROFILE)[0] = PlatformInfo.PROFILE[0];
export const PLATFORM_VERSION: (typeof PlatformInfo.VERSION)[0] = PlatformInfo.VERSION[0];
export const PLATFORM_NAME: (typeof PlatformInfo.NAME)[0] = PlatformInfo.NAME[0];
export const PLATFORM_VENDOR: (typeof PlatformInfo.VENDOR)[0] = PlatformInfo.VENDOR[0];
export const PLATFORM_EXTENSIONS: (typeof PlatformInfo.EXTENSIONS)[0] = PlatformInfo.EXTENSIONS[0];
export const DEVICE_TYPE_DEFAULT: typeof DeviceType.DEFAULT = DeviceType.DEFAULT;
export const DEVICE_TYPE_CPU: typeof DeviceType.CPU = DeviceType.CPU;
export const DEVICE_TYPE_GPU: typeof DeviceType.GPU = DeviceType.GPU;
export const DEVICE_TYPE_ACCELERATOR: typeof DeviceType.ACCELERATOR = DeviceType.ACCELERATOR;
export const DEVICE_TYPE_CUSTOM: typeof DeviceType.CUSTOM = DeviceType.CUSTOM;
export const DEVICE_TYPE_ALL: typeof DeviceType.ALL = DeviceType.ALL;
export const DEVICE_TYPE: (typeof DeviceInfo.TYPE)[0] = DeviceInfo.TYPE[0];
export const DEVICE_VENDOR_ID: (typeof DeviceInfo.VENDOR_ID)[0] = DeviceInfo.VENDOR_ID[0];
export const DEVICE_MAX_COMPUTE_UNITS: (typeof DeviceInfo.MAX_COMPUTE_UNITS)[0] = DeviceInfo.MAX_COMPUTE_UNITS[0];
export const DEVICE_MAX_WORK_ITEM_DIMENSIONS: (typeof DeviceInfo.MAX_WORK_ITEM_DIMENSIONS)[0] =
  DeviceInfo.MAX_WORK_ITEM_DIMENSIONS[0];
export const DEVICE_MAX_WORK_GROUP_SIZE: (typeof DeviceInfo.MAX_WORK_GROUP_SIZE)[0] = DeviceInfo.MAX_WORK_GROUP_SIZE[0];
export const DEVICE_MAX_WORK_ITEM_SIZES: (typeof DeviceInfo.MAX_WORK_ITEM_SIZES)[0] = DeviceInfo.MAX_WORK_ITEM_SIZES[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_CHAR: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_CHAR)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_CHAR[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_SHORT: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_SHORT)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_SHORT[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_INT: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_INT)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_INT[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_LONG: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_LONG)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_LONG[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_FLOAT)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_FLOAT[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_DOUBLE)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_DOUBLE[0];
export const DEVICE_MAX_CLOCK_FREQUENCY: (typeof DeviceInfo.MAX_CLOCK_FREQUENCY)[0] = DeviceInfo.MAX_CLOCK_FREQUENCY[0];
export const DEVICE_ADDRESS_BITS: (typeof DeviceInfo.ADDRESS_BITS)[0] = DeviceInfo.ADDRESS_BITS[0];
export const DEVICE_MAX_READ_IMAGE_ARGS: (typeof DeviceInfo.MAX_READ_IMAGE_ARGS)[0] = DeviceInfo.MAX_READ_IMAGE_ARGS[0];
export const DEVICE_MAX_WRITE_IMAGE_ARGS: (typeof DeviceInfo.MAX_WRITE_IMAGE_ARGS)[0] =
  DeviceInfo.MAX_WRITE_IMAGE_ARGS[0];
export const DEVICE_MAX_MEM_ALLOC_SIZE: (typeof DeviceInfo.MAX_MEM_ALLOC_SIZE)[0] = DeviceInfo.MAX_MEM_ALLOC_SIZE[0];
export const DEVICE_IMAGE2D_MAX_WIDTH: (typeof DeviceInfo.IMAGE2D_MAX_WIDTH)[0] = DeviceInfo.IMAGE2D_MAX_WIDTH[0];
export const DEVICE_IMAGE2D_MAX_HEIGHT: (typeof DeviceInfo.IMAGE2D_MAX_HEIGHT)[0] = DeviceInfo.IMAGE2D_MAX_HEIGHT[0];
export const DEVICE_IMAGE3D_MAX_WIDTH: (typeof DeviceInfo.IMAGE3D_MAX_WIDTH)[0] = DeviceInfo.IMAGE3D_MAX_WIDTH[0];
export const DEVICE_IMAGE3D_MAX_HEIGHT: (typeof DeviceInfo.IMAGE3D_MAX_HEIGHT)[0] = DeviceInfo.IMAGE3D_MAX_HEIGHT[0];
export const DEVICE_IMAGE3D_MAX_DEPTH: (typeof DeviceInfo.IMAGE3D_MAX_DEPTH)[0] = DeviceInfo.IMAGE3D_MAX_DEPTH[0];
export const DEVICE_IMAGE_SUPPORT: (typeof DeviceInfo.IMAGE_SUPPORT)[0] = DeviceInfo.IMAGE_SUPPORT[0];
export const DEVICE_MAX_PARAMETER_SIZE: (typeof DeviceInfo.MAX_PARAMETER_SIZE)[0] = DeviceInfo.MAX_PARAMETER_SIZE[0];
export const DEVICE_MAX_SAMPLERS: (typeof DeviceInfo.MAX_SAMPLERS)[0] = DeviceInfo.MAX_SAMPLERS[0];
export const DEVICE_MEM_BASE_ADDR_ALIGN: (typeof DeviceInfo.MEM_BASE_ADDR_ALIGN)[0] = DeviceInfo.MEM_BASE_ADDR_ALIGN[0];
export const DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: (typeof DeviceInfo.MIN_DATA_TYPE_ALIGN_SIZE)[0] =
  DeviceInfo.MIN_DATA_TYPE_ALIGN_SIZE[0];
export const DEVICE_SINGLE_FP_CONFIG: (typeof DeviceInfo.SINGLE_FP_CONFIG)[0] = DeviceInfo.SINGLE_FP_CONFIG[0];
export const DEVICE_GLOBAL_MEM_CACHE_TYPE: (typeof DeviceInfo.GLOBAL_MEM_CACHE_TYPE)[0] =
  DeviceInfo.GLOBAL_MEM_CACHE_TYPE[0];
export const DEVICE_GLOBAL_MEM_CACHELINE_SIZE: (typeof DeviceInfo.GLOBAL_MEM_CACHELINE_SIZE)[0] =
  DeviceInfo.GLOBAL_MEM_CACHELINE_SIZE[0];
export const DEVICE_GLOBAL_MEM_CACHE_SIZE: (typeof DeviceInfo.GLOBAL_MEM_CACHE_SIZE)[0] =
  DeviceInfo.GLOBAL_MEM_CACHE_SIZE[0];
export const DEVICE_GLOBAL_MEM_SIZE: (typeof DeviceInfo.GLOBAL_MEM_SIZE)[0] = DeviceInfo.GLOBAL_MEM_SIZE[0];
export const DEVICE_MAX_CONSTANT_BUFFER_SIZE: (typeof DeviceInfo.MAX_CONSTANT_BUFFER_SIZE)[0] =
  DeviceInfo.MAX_CONSTANT_BUFFER_SIZE[0];
export const DEVICE_MAX_CONSTANT_ARGS: (typeof DeviceInfo.MAX_CONSTANT_ARGS)[0] = DeviceInfo.MAX_CONSTANT_ARGS[0];
export const DEVICE_LOCAL_MEM_TYPE: (typeof DeviceInfo.LOCAL_MEM_TYPE)[0] = DeviceInfo.LOCAL_MEM_TYPE[0];
export const DEVICE_LOCAL_MEM_SIZE: (typeof DeviceInfo.LOCAL_MEM_SIZE)[0] = DeviceInfo.LOCAL_MEM_SIZE[0];
export const DEVICE_ERROR_CORRECTION_SUPPORT: (typeof DeviceInfo.ERROR_CORRECTION_SUPPORT)[0] =
  DeviceInfo.ERROR_CORRECTION_SUPPORT[0];
export const DEVICE_PROFILING_TIMER_RESOLUTION: (typeof DeviceInfo.PROFILING_TIMER_RESOLUTION)[0] =
  DeviceInfo.PROFILING_TIMER_RESOLUTION[0];
export const DEVICE_ENDIAN_LITTLE: (typeof DeviceInfo.ENDIAN_LITTLE)[0] = DeviceInfo.ENDIAN_LITTLE[0];
export const DEVICE_AVAILABLE: (typeof DeviceInfo.AVAILABLE)[0] = DeviceInfo.AVAILABLE[0];
export const DEVICE_COMPILER_AVAILABLE: (typeof DeviceInfo.COMPILER_AVAILABLE)[0] = DeviceInfo.COMPILER_AVAILABLE[0];
export const DEVICE_EXECUTION_CAPABILITIES: (typeof DeviceInfo.EXECUTION_CAPABILITIES)[0] =
  DeviceInfo.EXECUTION_CAPABILITIES[0];
export const DEVICE_QUEUE_PROPERTIES: (typeof DeviceInfo.QUEUE_PROPERTIES)[0] = DeviceInfo.QUEUE_PROPERTIES[0];
export const DEVICE_NAME: (typeof DeviceInfo.NAME)[0] = DeviceInfo.NAME[0];
export const DEVICE_VENDOR: (typeof DeviceInfo.VENDOR)[0] = DeviceInfo.VENDOR[0];
export const DRIVER_VERSION: (typeof DeviceInfo.DRIVER_VERSION)[0] = DeviceInfo.DRIVER_VERSION[0];
export const DEVICE_PROFILE: (typeof DeviceInfo.PROFILE)[0] = DeviceInfo.PROFILE[0];
export const DEVICE_VERSION: (typeof DeviceInfo.VERSION)[0] = DeviceInfo.VERSION[0];
export const DEVICE_EXTENSIONS: (typeof DeviceInfo.EXTENSIONS)[0] = DeviceInfo.EXTENSIONS[0];
export const DEVICE_PLATFORM: (typeof DeviceInfo.PLATFORM)[0] = DeviceInfo.PLATFORM[0];
export const DEVICE_DOUBLE_FP_CONFIG: (typeof DeviceInfo.DOUBLE_FP_CONFIG)[0] = DeviceInfo.DOUBLE_FP_CONFIG[0];
export const DEVICE_HALF_FP_CONFIG: (typeof DeviceInfo.HALF_FP_CONFIG)[0] = DeviceInfo.HALF_FP_CONFIG[0];
export const DEVICE_PREFERRED_VECTOR_WIDTH_HALF: (typeof DeviceInfo.PREFERRED_VECTOR_WIDTH_HALF)[0] =
  DeviceInfo.PREFERRED_VECTOR_WIDTH_HALF[0];
export const DEVICE_HOST_UNIFIED_MEMORY: (typeof DeviceInfo.HOST_UNIFIED_MEMORY)[0] = DeviceInfo.HOST_UNIFIED_MEMORY[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_CHAR: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_CHAR)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_CHAR[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_SHORT: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_SHORT)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_SHORT[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_INT: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_INT)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_INT[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_LONG: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_LONG)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_LONG[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_FLOAT)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_FLOAT[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_DOUBLE)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_DOUBLE[0];
export const DEVICE_NATIVE_VECTOR_WIDTH_HALF: (typeof DeviceInfo.NATIVE_VECTOR_WIDTH_HALF)[0] =
  DeviceInfo.NATIVE_VECTOR_WIDTH_HALF[0];
export const DEVICE_OPENCL_C_VERSION: (typeof DeviceInfo.OPENCL_C_VERSION)[0] = DeviceInfo.OPENCL_C_VERSION[0];
export const DEVICE_LINKER_AVAILABLE: (typeof DeviceInfo.LINKER_AVAILABLE)[0] = DeviceInfo.LINKER_AVAILABLE[0];
export const DEVICE_BUILT_IN_KERNELS: (typeof DeviceInfo.BUILT_IN_KERNELS)[0] = DeviceInfo.BUILT_IN_KERNELS[0];
export const DEVICE_IMAGE_MAX_BUFFER_SIZE: (typeof DeviceInfo.IMAGE_MAX_BUFFER_SIZE)[0] =
  DeviceInfo.IMAGE_MAX_BUFFER_SIZE[0];
export const DEVICE_IMAGE_MAX_ARRAY_SIZE: (typeof DeviceInfo.IMAGE_MAX_ARRAY_SIZE)[0] =
  DeviceInfo.IMAGE_MAX_ARRAY_SIZE[0];
export const DEVICE_PARENT_DEVICE: (typeof DeviceInfo.PARENT_DEVICE)[0] = DeviceInfo.PARENT_DEVICE[0];
export const DEVICE_PARTITION_MAX_SUB_DEVICES: (typeof DeviceInfo.PARTITION_MAX_SUB_DEVICES)[0] =
  DeviceInfo.PARTITION_MAX_SUB_DEVICES[0];
export const DEVICE_PARTITION_PROPERTIES: (typeof DeviceInfo.PARTITION_PROPERTIES)[0] =
  DeviceInfo.PARTITION_PROPERTIES[0];
export const DEVICE_PARTITION_AFFINITY_DOMAIN: (typeof DeviceInfo.PARTITION_AFFINITY_DOMAIN)[0] =
  DeviceInfo.PARTITION_AFFINITY_DOMAIN[0];
export const DEVICE_PARTITION_TYPE: (typeof DeviceInfo.PARTITION_TYPE)[0] = DeviceInfo.PARTITION_TYPE[0];
export const DEVICE_REFERENCE_COUNT: (typeof DeviceInfo.REFERENCE_COUNT)[0] = DeviceInfo.REFERENCE_COUNT[0];
export const DEVICE_PREFERRED_INTEROP_USER_SYNC: (typeof DeviceInfo.PREFERRED_INTEROP_USER_SYNC)[0] =
  DeviceInfo.PREFERRED_INTEROP_USER_SYNC[0];
export const DEVICE_PRINTF_BUFFER_SIZE: (typeof DeviceInfo.PRINTF_BUFFER_SIZE)[0] = DeviceInfo.PRINTF_BUFFER_SIZE[0];
export const FP_DENORM: typeof DeviceFpConfig.DENORM = DeviceFpConfig.DENORM;
export const FP_INF_NAN: typeof DeviceFpConfig.INF_NAN = DeviceFpConfig.INF_NAN;
export const FP_ROUND_TO_NEAREST: typeof DeviceFpConfig.ROUND_TO_NEAREST = DeviceFpConfig.ROUND_TO_NEAREST;
export const FP_ROUND_TO_ZERO: typeof DeviceFpConfig.ROUND_TO_ZERO = DeviceFpConfig.ROUND_TO_ZERO;
export const FP_ROUND_TO_INF: typeof DeviceFpConfig.ROUND_TO_INF = DeviceFpConfig.ROUND_TO_INF;
export const FP_FMA: typeof DeviceFpConfig.FMA = DeviceFpConfig.FMA;
export const FP_SOFT_FLOAT: typeof DeviceFpConfig.SOFT_FLOAT = DeviceFpConfig.SOFT_FLOAT;
export const FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: typeof DeviceFpConfig.CORRECTLY_ROUNDED_DIVIDE_SQRT =
  DeviceFpConfig.CORRECTLY_ROUNDED_DIVIDE_SQRT;
export const NONE: typeof DeviceLocalMemType.NONE = DeviceLocalMemType.NONE;
export const READ_ONLY_CACHE: typeof DeviceMemCacheType.READ_ONLY_CACHE = DeviceMemCacheType.READ_ONLY_CACHE;
export const READ_WRITE_CACHE: typeof DeviceMemCacheType.READ_WRITE_CACHE = DeviceMemCacheType.READ_WRITE_CACHE;
export const LOCAL: typeof DeviceLocalMemType.LOCAL = DeviceLocalMemType.LOCAL;
export const GLOBAL: typeof DeviceLocalMemType.GLOBAL = DeviceLocalMemType.GLOBAL;
export const EXEC_KERNEL: typeof DeviceExecCapabilities.KERNEL = DeviceExecCapabilities.KERNEL;
export const EXEC_NATIVE_KERNEL: typeof DeviceExecCapabilities.NATIVE_KERNEL = DeviceExecCapabilities.NATIVE_KERNEL;
export const DEVICE_PARTITION_EQUALLY: typeof PartitionProperty.EQUALLY = PartitionProperty.EQUALLY;
export const DEVICE_PARTITION_BY_COUNTS: typeof PartitionProperty.BY_COUNTS = PartitionProperty.BY_COUNTS;
export const DEVICE_PARTITION_BY_COUNTS_LIST_END: typeof PartitionProperty.BY_COUNTS_LIST_END =
  PartitionProperty.BY_COUNTS_LIST_END;
export const DEVICE_PARTITION_BY_AFFINITY_DOMAIN: typeof PartitionProperty.BY_AFFINITY_DOMAIN =
  PartitionProperty.BY_AFFINITY_DOMAIN;
export const DEVICE_AFFINITY_DOMAIN_NUMA: typeof AffinityDomain.NUMA = AffinityDomain.NUMA;
export const DEVICE_AFFINITY_DOMAIN_L4_CACHE: typeof AffinityDomain.L4_CACHE = AffinityDomain.L4_CACHE;
export const DEVICE_AFFINITY_DOMAIN_L3_CACHE: typeof AffinityDomain.L3_CACHE = AffinityDomain.L3_CACHE;
export const DEVICE_AFFINITY_DOMAIN_L2_CACHE: typeof AffinityDomain.L2_CACHE = AffinityDomain.L2_CACHE;
export const DEVICE_AFFINITY_DOMAIN_L1_CACHE: typeof AffinityDomain.L1_CACHE = AffinityDomain.L1_CACHE;
export const DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE: typeof AffinityDomain.NEXT_PARTITIONABLE =
  AffinityDomain.NEXT_PARTITIONABLE;
export const PLATFORM_ICD_SUFFIX_KHR: (typeof PlatformInfo.ICD_SUFFIX_KHR)[0] = PlatformInfo.ICD_SUFFIX_KHR[0];
export const PLATFORM_NOT_FOUND_KHR: number = status.CL_PLATFORM_NOT_FOUND_KHR[0] >>> 0;
export const DEVICE_COMPUTE_CAPABILITY_MAJOR_NV: (typeof DeviceInfo.COMPUTE_CAPABILITY_MAJOR_NV)[0] =
  DeviceInfo.COMPUTE_CAPABILITY_MAJOR_NV[0];
export const DEVICE_COMPUTE_CAPABILITY_MINOR_NV: (typeof DeviceInfo.COMPUTE_CAPABILITY_MINOR_NV)[0] =
  DeviceInfo.COMPUTE_CAPABILITY_MINOR_NV[0];
export const DEVICE_REGISTERS_PER_BLOCK_NV: (typeof DeviceInfo.REGISTERS_PER_BLOCK_NV)[0] =
  DeviceInfo.REGISTERS_PER_BLOCK_NV[0];
export const DEVICE_WARP_SIZE_NV: (typeof DeviceInfo.WARP_SIZE_NV)[0] = DeviceInfo.WARP_SIZE_NV[0];
export const DEVICE_GPU_OVERLAP_NV: (typeof DeviceInfo.GPU_OVERLAP_NV)[0] = DeviceInfo.GPU_OVERLAP_NV[0];
export const DEVICE_KERNEL_EXEC_TIMEOUT_NV: (typeof DeviceInfo.KERNEL_EXEC_TIMEOUT_NV)[0] =
  DeviceInfo.KERNEL_EXEC_TIMEOUT_NV[0];
export const DEVICE_INTEGRATED_MEMORY_NV: (typeof DeviceInfo.INTEGRATED_MEMORY_NV)[0] =
  DeviceInfo.INTEGRATED_MEMORY_NV[0];
// Of an extension that OpenCL has dropped: no object above asks for it.
export const DEVICE_SPIR_VERSIONS = 0x40e0;
