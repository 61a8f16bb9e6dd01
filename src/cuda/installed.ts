import { bind } from '../ffi/bind.ts';
import { findLibrary, type LibraryReport } from '../ffi/library.ts';
import { nvrtcVersion, versionOf } from './select.ts';
import { functions as driverFunctions } from './sys/driver.ts';
import { functions as nvrtcFunctions } from './sys/nvrtc.ts';
import { functions as nvvmFunctions } from './sys/nvvm.ts';
import { DRIVER, NVJITLINK, NVRTC, NVTX, NVVM } from './toolkit.ts';

/**
 * Look for the libraries that CUDA has for this package, whether they are needed or not: the driver, NVRTC, nvJitLink,
 * libNVVM, NVTX. `RAWKERNEL_DEVICE` does not matter. Those that are there are loaded.
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
  return [
    findLibrary(DRIVER, (library) => versionOf(bind(driverFunctions, library))),
    findLibrary(NVRTC, (library) => nvrtcVersion(bind(nvrtcFunctions, library))),
    findLibrary(NVJITLINK, () => undefined),
    findLibrary(NVVM, (library) => {
      const numbers = new Int32Array(2);
      bind(nvvmFunctions, library).nvvmVersion(numbers, numbers.subarray(1));
      return numbers.join('.');
    }),
    findLibrary(NVTX, () => undefined),
  ];
}
