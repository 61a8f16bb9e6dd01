import { DeviceAttribute } from '../../src/cuda/sys/enums.ts';

/** What the fake driver answers for its devices. */
export const ATTRIBUTES: Readonly<Record<number, number>> = {
  [DeviceAttribute.MAX_THREADS_PER_BLOCK]: 1024,
  [DeviceAttribute.MAX_BLOCK_DIM_X]: 1024,
  [DeviceAttribute.MAX_BLOCK_DIM_Y]: 1024,
  [DeviceAttribute.MAX_BLOCK_DIM_Z]: 64,
  [DeviceAttribute.MAX_GRID_DIM_X]: 0x7fff_ffff,
  [DeviceAttribute.MAX_GRID_DIM_Y]: 65535,
  [DeviceAttribute.MAX_GRID_DIM_Z]: 65535,
  [DeviceAttribute.WARP_SIZE]: 32,
  [DeviceAttribute.MULTIPROCESSOR_COUNT]: 108,
  [DeviceAttribute.MAX_THREADS_PER_MULTIPROCESSOR]: 2048,
  [DeviceAttribute.CLUSTER_LAUNCH]: 1,
  [DeviceAttribute.COMPUTE_CAPABILITY_MAJOR]: 8,
  [DeviceAttribute.COMPUTE_CAPABILITY_MINOR]: 0,
  [DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN]: 166_912,
  [DeviceAttribute.MAXIMUM_TEXTURE2D_WIDTH]: 131_072,
  [DeviceAttribute.MAXIMUM_TEXTURE1D_LINEAR_WIDTH]: 1024,
  [DeviceAttribute.TEXTURE_ALIGNMENT]: 16,
  [DeviceAttribute.TEXTURE_PITCH_ALIGNMENT]: 32,
};
