import { checkInteger } from '../core/check.ts';
import { text } from './answer.ts';
import { nv } from './call.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

/**
 * The version of the NVIDIA driver: `'580.65.06'`.
 *
 * Host: does not block.
 *
 * @example
 * ```ts
 * import { cudaDriverVersion, driverVersion, nvmlVersion } from 'rawkernel/nvml';
 *
 * console.log(driverVersion(), nvmlVersion(), cudaDriverVersion().join('.'));
 * ```
 * @throws {@link LibraryNotFoundError} no NVIDIA driver is installed
 * @throws {@link NvmlError} the driver does not start
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlSystemQueries.html | System queries}
 */
export function driverVersion(): string {
  return text((out, length) => nv.nvmlSystemGetDriverVersion(out, length));
}

/** The version of NVML: `'13.580.65.06'`. Throws as {@link driverVersion} does. */
export function nvmlVersion(): string {
  return text((out, length) => nv.nvmlSystemGetNVMLVersion(out, length));
}

/** The newest CUDA version that the driver has, part by part: `[13, 0]`. Throws as {@link driverVersion} does. */
export function cudaDriverVersion(): readonly [major: number, minor: number] {
  const slot = slotOf('int');
  nv.nvmlSystemGetCudaDriverVersion(slot);
  const version = take(slot);
  return [Math.floor(version / 1000), Math.floor((version % 1000) / 10)];
}

/**
 * The name of a process that uses a GPU: its path and arguments, cut off after 255 bytes.
 *
 * @throws {@link NvmlError} NVML_ERROR_NOT_FOUND: no such process; NVML_ERROR_NO_PERMISSION: it is someone else's
 */
export function processName(pid: number): string {
  const number = checkInteger(pid, 'processName: pid', 0, 0xffff_ffff);
  return text((out, length) => nv.nvmlSystemGetProcessName(number, out, length));
}
