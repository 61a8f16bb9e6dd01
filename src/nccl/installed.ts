import type { LibraryReport } from '../ffi/library.ts';
import { ncclVersionCode } from './call.ts';
import { ncclLibrary } from './table.ts';
import { versionText } from './version.ts';

/**
 * Look for NCCL's library, needed or not. An installed library is loaded and not started.
 *
 * Host: blocks while it loads it.
 *
 * @example
 * ```ts
 * import { findLibraries } from 'rawkernel/nccl';
 *
 * for (const { title, path, version, tried } of findLibraries()) console.log(title, path ?? tried, version);
 * ```
 * @see {@link https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/index.html | NCCL}
 */
export function findLibraries(): LibraryReport[] {
  return [ncclLibrary.report()];
}

/**
 * The version of the NCCL in use: `'2.28.7'`.
 *
 * @throws {@link LibraryNotFoundError} NCCL is not installed
 */
export function ncclVersion(): string {
  return versionText(ncclVersionCode());
}
