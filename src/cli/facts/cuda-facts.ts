import * as cuda from '../../cuda/index.ts';
import { dims, FactList, megahertz, size, yesNo, type Described } from './facts.ts';

/** Every CUDA device, as the driver in use has them. */
export function cudaDevices(all: boolean): Described[] {
  return Array.from({ length: cuda.Device.count() }, (_, i) => describe(new cuda.Device(i), all));
}

function describe(device: cuda.Device, all: boolean): Described {
  const [major, minor] = device.computeCapability;
  const is = (name: keyof typeof cuda.DeviceAttribute): (() => boolean) => {
    return () => device.getAttribute(name) !== 0;
  };
  // The embedded device's clocks stand for nothing.
  const real = device.isEmbedded ? 0 : 1;
  const list = new FactList()
    .add('embedded', 'embedded CPU device', () => (device.isEmbedded ? true : undefined), yesNo)
    .add(
      'computeCapability',
      'compute capability',
      () => `${major}.${minor}`,
      (text) => `${text} (sm_${major}${minor})`,
    )
    .add('multiprocessors', 'multiprocessors', () => device.multiprocessorCount)
    .add('clockMHz', 'clock', () => positive((real * device.clockRate) / 1000), megahertz)
    .add('warpSize', 'warp size', () => device.warpSize)
    .add('maxThreadsPerBlock', 'threads per block', () => device.maxThreadsPerBlock)
    .add('maxThreadsPerMultiprocessor', 'threads per multiprocessor', () => device.maxThreadsPerMultiprocessor)
    .add('maxBlocksPerMultiprocessor', 'blocks per multiprocessor', () => positive(device.maxBlocksPerMultiprocessor))
    .add('maxBlock', 'block', () => [device.maxBlockDimX, device.maxBlockDimY, device.maxBlockDimZ], dims)
    .add('maxGrid', 'grid', () => [device.maxGridDimX, device.maxGridDimY, device.maxGridDimZ], dims)
    .add('registersPerBlock', 'registers per block', () => positive(device.maxRegistersPerBlock))
    .add('registersPerMultiprocessor', 'registers per multiprocessor', () =>
      positive(device.maxRegistersPerMultiprocessor),
    )
    .add('sharedBytesPerBlock', 'shared memory per block', () => device.maxSharedMemoryPerBlock, size)
    .add('sharedBytesPerBlockOptIn', '  when asked for', () => positive(device.maxSharedMemoryPerBlockOptin), size)
    .add('sharedBytesPerMultiprocessor', '  per multiprocessor', () => device.maxSharedMemoryPerMultiprocessor, size)
    .add('constantBytes', 'constant memory', () => device.totalConstantMemory, size)
    .add('l2Bytes', 'L2 cache', () => positive(device.l2CacheSize), size)
    .add('memoryBytes', 'memory', () => device.totalMemory, size)
    .add('memoryClockMHz', 'memory clock', () => positive((real * device.memoryClockRate) / 1000), megahertz)
    .add(
      'memoryBusBits',
      'memory bus',
      () => positive(real * device.globalMemoryBusWidth),
      (bits) => `${bits} bits`,
    )
    .add(
      'bandwidthGBs',
      'memory bandwidth',
      () => positive(real * bandwidth(device)),
      (rate) => `${rate} GB/s by clock and bus`,
    )
    .add('copyEngines', 'copy engines', () => device.asyncEngineCount)
    .add('clusters', 'thread-block clusters', is('CLUSTER_LAUNCH'), yesNo)
    .add('cooperativeLaunch', 'cooperative launches', is('COOPERATIVE_LAUNCH'), yesNo)
    .add('managedMemory', 'managed memory', is('MANAGED_MEMORY'), yesNo)
    .add('memoryPools', 'memory pools', is('MEMORY_POOLS_SUPPORTED'), yesNo)
    .add('ecc', 'ECC', is('ECC_ENABLED'), yesNo)
    .add('integrated', 'shares memory with the host', is('INTEGRATED'), yesNo)
    .add('pciBusId', 'PCI bus id', () => device.busId)
    .add('uuid', 'UUID', () => device.uuid);
  if (all) {
    for (const [name, value] of Object.entries(device.getAttributes())) list.add(name, name, () => value);
  }
  return { id: `cuda:${device.ordinal}`, name: device.name, facts: list.facts };
}

/** In GB/s: the memory moves data twice in each cycle. */
function bandwidth(device: cuda.Device): number {
  return Math.round((2 * device.memoryClockRate * 1000 * (device.globalMemoryBusWidth / 8)) / 1e9);
}

/** A device without this information reports 0. */
function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
