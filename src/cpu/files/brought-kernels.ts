import { join } from 'node:path';
import { alsoReadFrom } from '../../core/cache.ts';
import { OWN_FOLDER } from '../../core/cache-folder.ts';
import { BUILD_FOLDER } from './folders.ts';

/** Have the cache know the kernels that the package's build has compiled: common ones of arrays. */
export function bringKernels(): void {
  alsoReadFrom(join(BUILD_FOLDER, 'cpu', 'kernels', OWN_FOLDER));
}
