import type { LibraryReport } from '../ffi/library.ts';
import { driverLibrary } from './libraries/driver/table.ts';
import { nvJitLinkLibrary } from './libraries/nvjitlink/table.ts';
import { nvrtcLibrary } from './libraries/nvrtc/table.ts';
import { nvtxLibrary } from './libraries/nvtx/table.ts';
import { nvvmLibrary } from './libraries/nvvm/table.ts';

/**
 * Look for the libraries that CUDA has for this package, whether they are needed or not: the driver, NVRTC, nvJitLink,
 * libNVVM, NVTX. `RAWKERNEL_DEVICE` does not matter. Installed libraries are loaded.
 *
 * Host: blocks while it loads them.
 *
 * @example
 * ```ts
 * import { findLibraries } from 'rawkernel/cuda';
 *
 * for (const { title, path, tried } of findLibraries()) console.log(title, path ?? tried);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html | The toolkit's components}
 */
export function findLibraries(): LibraryReport[] {
  const libraries = [driverLibrary, nvrtcLibrary, nvJitLinkLibrary, nvvmLibrary, nvtxLibrary];
  return libraries.map((library) => library.report());
}
