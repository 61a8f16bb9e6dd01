import { bind } from '../ffi/bind.ts';
import { findLibrary, type LibraryReport } from '../ffi/library.ts';
import { NVML } from './select.ts';
import { functions } from './sys/nvml.ts';

/**
 * Look for NVML's library, whether it is needed or not. Where it is there, it is loaded and not started: whether the driver
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
  return [
    findLibrary(NVML, (library) => {
      const name = new Uint8Array(VERSION_LENGTH);
      // Of the few that answer before the start.
      const status = bind(functions, library).nvmlSystemGetNVMLVersion(name, name.byteLength);
      return status === 0 ? Buffer.from(name).toString().split('\0')[0] : undefined;
    }),
  ];
}

const VERSION_LENGTH = 80;
