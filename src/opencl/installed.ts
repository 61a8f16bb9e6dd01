import type { LibraryReport } from '../ffi/library.ts';
import { loaderLibrary } from './table.ts';

/**
 * Look for the OpenCL loader, needed or not; `RAWKERNEL_DEVICE` does not matter. {@link getPlatforms} has the drivers
 * that the loader finds.
 *
 * Host: blocks while it loads it.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * for (const { title, path, tried } of cl.findLibraries()) console.log(title, path ?? tried);
 * ```
 * @see {@link https://github.com/KhronosGroup/OpenCL-ICD-Loader | The loader}
 */
export function findLibraries(): LibraryReport[] {
  return [loaderLibrary.report()];
}
