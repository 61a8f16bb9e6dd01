import { take } from '../../ffi/slot.ts';
import { cu, rtc } from '../call.ts';
import { slotOf } from '../slots.ts';

/** A version of CUDA, to be compared part by part: 13.0 is `[13, 0]`. */
export type CudaVersion = readonly [major: number, minor: number];

const versionSlot = slotOf('int');
const minorSlot = slotOf('int');

/**
 * The newest CUDA version that the driver has; the embedded CPU device says which one it is like.
 *
 * @example
 * ```ts
 * import { driverVersion } from 'rawkernel/cuda';
 *
 * const [major] = driverVersion();
 * console.log(major >= 12);
 * ```
 * @throws {@link LibraryNotFoundError} no driver is installed
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VERSION.html | cuDriverGetVersion}
 */
export function driverVersion(): CudaVersion {
  cu.cuDriverGetVersion(versionSlot);
  const version = take(versionSlot);
  return [Math.floor(version / 1000), Math.floor((version % 1000) / 10)];
}

/**
 * The version of NVRTC, which compiles. Code of a compiler newer than {@link driverVersion} may not load.
 *
 * @throws {@link LibraryNotFoundError} NVRTC is not installed
 * @see {@link https://docs.nvidia.com/cuda/nvrtc/index.html | nvrtcVersion}
 */
export function compilerVersion(): CudaVersion {
  rtc.nvrtcVersion(versionSlot, minorSlot);
  return [take(versionSlot), take(minorSlot)];
}
