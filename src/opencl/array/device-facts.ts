import type { DeviceFacts } from '../../array/engine.ts';
import type { Device } from '../device/device.ts';
import { DeviceFpConfig, DeviceType } from '../sys/enums.ts';

const MAX_THREADS = 256;

/** What kernels are laid out by, so that they run on every one of these devices. */
export function factsOf(devices: readonly Device[]): DeviceFacts {
  const first = devices[0] as Device;
  const isGPU = devices.every(({ type }) => (type & DeviceType.GPU) !== 0);
  const threads = least(devices, ({ limits }) => Math.min(limits.workGroupSize, limits.workItemSizes[0] ?? 1));
  return {
    name: first.name,
    packBytes: isGPU ? 16 : 0,
    // OpenCL C 1.2 does not say which go in step.
    warp: 1,
    groupSize: 2 ** Math.floor(Math.log2(Math.min(MAX_THREADS, threads))),
    groups: first.maxComputeUnits * (isGPU ? 8 : 1),
    promisesProgress: devices.every(promisesProgress),
    sharedBytes: least(devices, ({ limits }) => limits.localMemory),
    parameterBytes: least(devices, ({ maxParameterSize }) => maxParameterSize),
    hasDoubles: devices.every(hasDoubles),
    hasWideAtomics: devices.every((device) => device.hasExtension('cl_khr_int64_base_atomics')),
  };
}

/** Whether single precision divides and takes roots as exactly as CUDA and NumPy, where a build asks for it. */
export function roundsCorrectly(devices: readonly Device[]): boolean {
  return devices.every(({ singleFpConfig }) => hasBit(singleFpConfig, DeviceFpConfig.CORRECTLY_ROUNDED_DIVIDE_SQRT));
}

function hasDoubles(device: Device): boolean {
  return device.hasExtension('cl_khr_fp64') || (device.platform.atLeast(1, 2) && hasBit(device.doubleFpConfig, -1));
}

/** A CPU's threads are the system's, which starves none. OpenCL itself promises nothing. */
function promisesProgress({ type, vendor }: Device): boolean {
  return (type & DeviceType.CPU) !== 0 || /nvidia/i.test(vendor);
}

function hasBit(config: number | bigint, bit: number): boolean {
  return (Number(config) & bit) !== 0;
}

function least(devices: readonly Device[], of: (device: Device) => number): number {
  return Math.min(...devices.map(of));
}
