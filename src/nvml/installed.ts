import type { LibraryReport } from '../ffi/library.ts';
import { nvmlLibrary } from './table.ts';

/**
 * Look for NVML's library, needed or not. An installed library is loaded and not started: whether the driver
 * answers, {@link Device.count} tells.
 *
 * Host: blocks while it loads it.
 *
 * @example
 * ```ts
 * import { findLibraries } from 'rawkernel/nvml';
 *
 * for (const { title, path, version, tried } of findLibraries()) console.log(title, path ?? tried, version);
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/index.html | NVML}
 */
export function findLibraries(): LibraryReport[] {
  return [nvmlLibrary.report()];
}
