import { cpus } from 'node:os';
import {
  CommandBufferCapability,
  DeviceExecCapabilities,
  DeviceFpConfig,
  DeviceInfo,
  DeviceLocalMemType,
  DeviceMemCacheType,
  DeviceSvmCapabilities,
  DeviceType,
  QueueProperties,
  SemaphoreType,
} from '../../opencl/sys/enums.ts';
import { processorName } from '../abi/processor.ts';
import { infoQuery, type Ask } from './answer.ts';
import { versioned } from './compiler.ts';
import { Partition, type ClDevice } from './device.ts';
import { VENDOR, VERSION } from './identity.ts';
import { allExtensions } from './host-extensions.ts';
import { Limits, packVersion } from './limits.ts';
import type { OpenCLState } from './state.ts';

const { DENORM, INF_NAN, ROUND_TO_NEAREST, ROUND_TO_ZERO, ROUND_TO_INF, FMA } = DeviceFpConfig;
const { KERNEL_PRINTF, SIMULTANEOUS_USE, OUT_OF_ORDER } = CommandBufferCapability;
const { CORRECTLY_ROUNDED_DIVIDE_SQRT } = DeviceFpConfig;
const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER, ATOMICS } = DeviceSvmCapabilities;

/** Every order and scope of the header: all memory is the host's. */
const ATOMIC_MEMORY = 0x7f;
const ATOMIC_FENCES = 0x7f;
const PRINT_BYTES = 1 << 20;
/** SIMD registers have 128 bits. */
const REGISTER_BYTES = 16;
const GLOBAL_VARIABLES = 1 << 26;
const CACHE_LINE = 64;
const CACHE_BYTES = 1 << 20;
const VENDOR_ID = 0x7277_6b00;
const C_VERSIONS = [
  [1, 0],
  [1, 1],
  [1, 2],
  [2, 0],
  [3, 0],
] as const;

/** Queries of cl_ext_float_atomics. */
const FloatAtomics = {
  SINGLE_FP_ATOMIC_CAPABILITIES: [0x4231, 'ulong'],
  DOUBLE_FP_ATOMIC_CAPABILITIES: [0x4232, 'ulong'],
  HALF_FP_ATOMIC_CAPABILITIES: [0x4233, 'ulong'],
} as const;
/** Load and store, add, min and max, on global and on local memory. */
const ALL_FLOAT_ATOMICS = 0x7_0007;
const Info: typeof DeviceInfo & typeof FloatAtomics = { ...DeviceInfo, ...FloatAtomics };

/** The subject of a query. */
interface DeviceSubject {
  readonly state: OpenCLState;
  readonly device: ClDevice;
}

const width = (bytes: number) => (): number => REGISTER_BYTES / bytes;
const none = (): number => 0;
const yes = (): boolean => true;
const no = (): boolean => false;

function hasHalf({ compiler }: OpenCLState): boolean {
  return compiler.extensions.includes('cl_khr_fp16');
}

/** Every query of a device. */
export const askDevice: Ask<DeviceSubject> = infoQuery<typeof Info, DeviceSubject>(Info, {
  TYPE: () => DeviceType.CPU,
  VENDOR_ID: () => VENDOR_ID,
  MAX_COMPUTE_UNITS: ({ device: { units } }) => units,
  MAX_WORK_ITEM_DIMENSIONS: () => 3,
  MAX_WORK_GROUP_SIZE: () => Limits.GROUP,
  MAX_WORK_ITEM_SIZES: () => Limits.ITEMS,
  PREFERRED_VECTOR_WIDTH_CHAR: width(1),
  PREFERRED_VECTOR_WIDTH_SHORT: width(2),
  PREFERRED_VECTOR_WIDTH_INT: width(4),
  PREFERRED_VECTOR_WIDTH_LONG: width(8),
  PREFERRED_VECTOR_WIDTH_FLOAT: width(4),
  PREFERRED_VECTOR_WIDTH_DOUBLE: width(8),
  PREFERRED_VECTOR_WIDTH_HALF: ({ state }) => (hasHalf(state) ? 1 : 0),
  NATIVE_VECTOR_WIDTH_CHAR: width(1),
  NATIVE_VECTOR_WIDTH_SHORT: width(2),
  NATIVE_VECTOR_WIDTH_INT: width(4),
  NATIVE_VECTOR_WIDTH_LONG: width(8),
  NATIVE_VECTOR_WIDTH_FLOAT: width(4),
  NATIVE_VECTOR_WIDTH_DOUBLE: width(8),
  NATIVE_VECTOR_WIDTH_HALF: ({ state }) => (hasHalf(state) ? 1 : 0),
  MAX_CLOCK_FREQUENCY: () => Math.max(1, cpus()[0]?.speed ?? 1),
  ADDRESS_BITS: () => 64,
  MAX_READ_IMAGE_ARGS: () => Limits.IMAGE_ARGUMENTS,
  MAX_WRITE_IMAGE_ARGS: () => Limits.IMAGE_ARGUMENTS,
  MAX_READ_WRITE_IMAGE_ARGS: () => Limits.IMAGE_ARGUMENTS,
  MAX_MEM_ALLOC_SIZE: ({ state }) => largestBuffer(state),
  IMAGE2D_MAX_WIDTH: () => Limits.IMAGE_2D,
  IMAGE2D_MAX_HEIGHT: () => Limits.IMAGE_2D,
  IMAGE3D_MAX_WIDTH: () => Limits.IMAGE_3D,
  IMAGE3D_MAX_HEIGHT: () => Limits.IMAGE_3D,
  IMAGE3D_MAX_DEPTH: () => Limits.IMAGE_3D,
  IMAGE_MAX_BUFFER_SIZE: () => Limits.IMAGE_BUFFER,
  IMAGE_MAX_ARRAY_SIZE: () => Limits.IMAGE_LAYERS,
  IMAGE_SUPPORT: yes,
  IMAGE_PITCH_ALIGNMENT: () => 1,
  IMAGE_BASE_ADDRESS_ALIGNMENT: () => 1,
  MAX_PARAMETER_SIZE: () => Limits.PARAMETERS,
  MAX_SAMPLERS: () => Limits.SAMPLERS,
  MEM_BASE_ADDR_ALIGN: () => 8 * Limits.ALIGNMENT,
  MIN_DATA_TYPE_ALIGN_SIZE: () => Limits.ALIGNMENT,
  SINGLE_FP_CONFIG: () => DENORM | INF_NAN | ROUND_TO_NEAREST | CORRECTLY_ROUNDED_DIVIDE_SQRT,
  DOUBLE_FP_CONFIG: () => DENORM | INF_NAN | ROUND_TO_NEAREST | ROUND_TO_ZERO | ROUND_TO_INF | FMA,
  HALF_FP_CONFIG: ({ state }) => (hasHalf(state) ? DENORM | INF_NAN | ROUND_TO_NEAREST : 0),
  GLOBAL_MEM_CACHE_TYPE: () => DeviceMemCacheType.READ_WRITE_CACHE,
  GLOBAL_MEM_CACHELINE_SIZE: () => CACHE_LINE,
  GLOBAL_MEM_CACHE_SIZE: () => CACHE_BYTES,
  GLOBAL_MEM_SIZE: ({ state }) => state.memory.total,
  MAX_CONSTANT_BUFFER_SIZE: ({ state }) => largestBuffer(state),
  MAX_CONSTANT_ARGS: () => 64,
  MAX_GLOBAL_VARIABLE_SIZE: () => GLOBAL_VARIABLES,
  GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: () => GLOBAL_VARIABLES,
  LOCAL_MEM_TYPE: () => DeviceLocalMemType.GLOBAL,
  LOCAL_MEM_SIZE: () => Limits.LOCAL,
  ERROR_CORRECTION_SUPPORT: no,
  PROFILING_TIMER_RESOLUTION: () => 1,
  ENDIAN_LITTLE: yes,
  AVAILABLE: yes,
  COMPILER_AVAILABLE: ({ state }) => state.compiler.available(),
  LINKER_AVAILABLE: ({ state }) => state.compiler.available(),
  EXECUTION_CAPABILITIES: () => DeviceExecCapabilities.KERNEL,
  QUEUE_ON_HOST_PROPERTIES: () => QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueProperties.PROFILING_ENABLE,
  QUEUE_ON_DEVICE_PROPERTIES: none,
  QUEUE_ON_DEVICE_PREFERRED_SIZE: none,
  QUEUE_ON_DEVICE_MAX_SIZE: none,
  MAX_ON_DEVICE_QUEUES: none,
  MAX_ON_DEVICE_EVENTS: none,
  DEVICE_ENQUEUE_CAPABILITIES: none,
  NAME: () => `rawkernel CPU (${processorName()})`,
  VENDOR: () => VENDOR,
  DRIVER_VERSION: ({ state }) => state.compiler.version(),
  PROFILE: () => 'FULL_PROFILE',
  VERSION: () => VERSION,
  NUMERIC_VERSION: () => packVersion(3, 0),
  OPENCL_C_VERSION: () => 'OpenCL C 1.2 rawkernel',
  OPENCL_C_ALL_VERSIONS: () =>
    C_VERSIONS.map(([major, minor]) => ({ name: 'OpenCL C', version: packVersion(major, minor) })),
  OPENCL_C_FEATURES: ({ state }) => versioned(state.compiler.features, packVersion(3, 0)),
  EXTENSIONS: ({ state }) =>
    allExtensions(state.compiler.extensions)
      .map(({ name }) => name)
      .join(' '),
  EXTENSIONS_WITH_VERSION: ({ state }) => allExtensions(state.compiler.extensions),
  PLATFORM: ({ state }) => state.platform,
  HOST_UNIFIED_MEMORY: yes,
  BUILT_IN_KERNELS: () => '',
  BUILT_IN_KERNELS_WITH_VERSION: () => [],
  IL_VERSION: () => '',
  ILS_WITH_VERSION: () => [],
  PARENT_DEVICE: ({ device: { parent } }) => parent?.handle ?? 0n,
  PARTITION_MAX_SUB_DEVICES: ({ device: { units } }) => units,
  PARTITION_PROPERTIES: () => [Partition.EQUALLY, Partition.BY_COUNTS],
  PARTITION_AFFINITY_DOMAIN: none,
  PARTITION_TYPE: ({ device: { partition } }) => (partition.length === 0 ? [0n] : partition),
  REFERENCE_COUNT: ({ device: { references } }) => references,
  PREFERRED_INTEROP_USER_SYNC: yes,
  PRINTF_BUFFER_SIZE: () => PRINT_BYTES,
  SVM_CAPABILITIES: () => COARSE_GRAIN_BUFFER | FINE_GRAIN_BUFFER | ATOMICS,
  MAX_PIPE_ARGS: none,
  PIPE_MAX_ACTIVE_RESERVATIONS: none,
  PIPE_MAX_PACKET_SIZE: none,
  PIPE_SUPPORT: no,
  PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: none,
  PREFERRED_GLOBAL_ATOMIC_ALIGNMENT: none,
  PREFERRED_LOCAL_ATOMIC_ALIGNMENT: none,
  MAX_NUM_SUB_GROUPS: () => Limits.GROUP / Limits.SUB_GROUP,
  SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: no,
  ATOMIC_MEMORY_CAPABILITIES: () => ATOMIC_MEMORY,
  ATOMIC_FENCE_CAPABILITIES: () => ATOMIC_FENCES,
  NON_UNIFORM_WORK_GROUP_SUPPORT: yes,
  PREFERRED_WORK_GROUP_SIZE_MULTIPLE: () => Limits.SUB_GROUP,
  WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: yes,
  GENERIC_ADDRESS_SPACE_SUPPORT: yes,
  LATEST_CONFORMANCE_VERSION_PASSED: () => '',
  COMMAND_BUFFER_CAPABILITIES_KHR: () => KERNEL_PRINTF | SIMULTANEOUS_USE | OUT_OF_ORDER,
  SEMAPHORE_TYPES_KHR: () => [SemaphoreType.BINARY],
  COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: none,
  SINGLE_FP_ATOMIC_CAPABILITIES: () => ALL_FLOAT_ATOMICS,
  DOUBLE_FP_ATOMIC_CAPABILITIES: () => ALL_FLOAT_ATOMICS,
  HALF_FP_ATOMIC_CAPABILITIES: none,
});

/** The largest buffer in bytes: half of the memory, so that two buffers fit. */
export function largestBuffer(state: OpenCLState): number {
  return Math.floor(state.memory.total / 2 / 256) * 256;
}
