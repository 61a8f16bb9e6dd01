import type { Versioned } from './answer.ts';
import { packVersion } from './limits.ts';

/** Extensions that do not concern kernels. */
export const HOST_EXTENSIONS: readonly Versioned[] = [
  { name: 'cl_khr_suggested_local_work_size', version: packVersion(1, 0) },
  { name: 'cl_khr_semaphore', version: packVersion(1, 0) },
  // Commands take no properties before version 0.9.5.
  { name: 'cl_khr_command_buffer', version: packVersion(0, 9, 4) },
];

/** All extensions, those of the compiler before the host's. */
export function allExtensions(compiler: readonly string[]): readonly Versioned[] {
  return [...compiler.map((name) => ({ name, version: packVersion(1, 0) })), ...HOST_EXTENSIONS];
}
