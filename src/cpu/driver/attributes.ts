import { DeviceAttribute } from '../../cuda/sys/enums.ts';
import { textureAttributes } from './texture-limits.ts';

/** The PCI address that a device reports, by its ordinal: slots of one bus. */
export function busId(ordinal: number): string {
  return `0000:FF:${ordinal.toString(16).padStart(2, '0').toUpperCase()}.0`;
}

/** The compute capability that the device has, ten times major plus minor. */
export const CAPABILITY = 90;

/** Limits of a launch. */
export const Limits: {
  readonly THREADS: number;
  readonly BLOCK: readonly [number, number, number];
  readonly GRID: readonly [number, number, number];
  /** Static shared memory, and dynamic without opting in. */
  readonly SHARED: number;
  readonly SHARED_OPTIN: number;
  readonly SHARED_OF_MULTIPROCESSOR: number;
  readonly THREADS_OF_MULTIPROCESSOR: number;
  readonly BLOCKS_OF_MULTIPROCESSOR: number;
  readonly WARP: number;
  readonly REGISTERS: number;
  readonly PITCH: number;
} = {
  THREADS: 1024,
  BLOCK: [1024, 1024, 64],
  GRID: [0x7fff_ffff, 0xffff, 0xffff],
  SHARED: 48 * 1024,
  SHARED_OPTIN: 227 * 1024,
  SHARED_OF_MULTIPROCESSOR: 228 * 1024,
  THREADS_OF_MULTIPROCESSOR: 2048,
  BLOCKS_OF_MULTIPROCESSOR: 32,
  WARP: 32,
  REGISTERS: 65_536,
  PITCH: 512,
};

const A = DeviceAttribute;
const VALUES: ReadonlyMap<number, number> = new Map<number, number>([
  [A.MAX_THREADS_PER_BLOCK, Limits.THREADS],
  [A.MAX_BLOCK_DIM_X, Limits.BLOCK[0]],
  [A.MAX_BLOCK_DIM_Y, Limits.BLOCK[1]],
  [A.MAX_BLOCK_DIM_Z, Limits.BLOCK[2]],
  [A.MAX_GRID_DIM_X, Limits.GRID[0]],
  [A.MAX_GRID_DIM_Y, Limits.GRID[1]],
  [A.MAX_GRID_DIM_Z, Limits.GRID[2]],
  [A.MAX_SHARED_MEMORY_PER_BLOCK, Limits.SHARED],
  [A.TOTAL_CONSTANT_MEMORY, 65_536],
  [A.WARP_SIZE, Limits.WARP],
  [A.MAX_PITCH, 0x7fff_ffff],
  [A.MAX_REGISTERS_PER_BLOCK, Limits.REGISTERS],
  // The device's clock counts nanoseconds.
  [A.CLOCK_RATE, 1_000_000],
  [A.GPU_OVERLAP, 1],
  [A.INTEGRATED, 1],
  [A.CAN_MAP_HOST_MEMORY, 1],
  [A.PCI_BUS_ID, 0xff],
  [A.MEMORY_CLOCK_RATE, 1_000_000],
  [A.GLOBAL_MEMORY_BUS_WIDTH, 128],
  [A.L2_CACHE_SIZE, 1 << 20],
  [A.MAX_THREADS_PER_MULTIPROCESSOR, Limits.THREADS_OF_MULTIPROCESSOR],
  [A.UNIFIED_ADDRESSING, 0],
  [A.COMPUTE_CAPABILITY_MAJOR, Math.floor(CAPABILITY / 10)],
  [A.COMPUTE_CAPABILITY_MINOR, CAPABILITY % 10],
  [A.GLOBAL_L1_CACHE_SUPPORTED, 1],
  [A.LOCAL_L1_CACHE_SUPPORTED, 1],
  [A.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, Limits.SHARED_OF_MULTIPROCESSOR],
  [A.MAX_REGISTERS_PER_MULTIPROCESSOR, Limits.REGISTERS],
  [A.HOST_NATIVE_ATOMIC_SUPPORTED, 1],
  [A.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2],
  [A.COOPERATIVE_LAUNCH, 1],
  [A.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, Limits.SHARED_OPTIN],
  [A.MAX_BLOCKS_PER_MULTIPROCESSOR, Limits.BLOCKS_OF_MULTIPROCESSOR],
  [A.RESERVED_SHARED_MEMORY_PER_BLOCK, 1024],
  [A.NUMA_ID, -1],
  [A.HOST_NUMA_ID, -1],
  [A.MANAGED_MEMORY, 1],
  [A.CONCURRENT_MANAGED_ACCESS, 1],
  [A.HOST_REGISTER_SUPPORTED, 1],
  [A.IPC_EVENT_SUPPORTED, process.platform === 'linux' ? 1 : 0],
  [A.MEMORY_POOLS_SUPPORTED, 1],
  [A.HOST_MEMORY_POOLS_SUPPORTED, 1],
  [A.MEM_SYNC_DOMAIN_COUNT, 1],
  ...textureAttributes,
]);
const KNOWN: ReadonlySet<number> = new Set(Object.values(DeviceAttribute));

/** An attribute of a device, 0 for a missing capability; undefined for an attribute that CUDA does not know. */
export function deviceAttribute(attribute: number, workers: number, ordinal: number): number | undefined {
  if (attribute === A.PCI_DEVICE_ID) return ordinal;
  if (attribute === A.MULTIPROCESSOR_COUNT) return workers;
  return KNOWN.has(attribute) ? (VALUES.get(attribute) ?? 0) : undefined;
}
