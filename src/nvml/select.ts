import type { NvmlTable } from './sys/tables.ts';
import { nvmlLibrary } from './table.ts';

/**
 * NVML's table. A function that the installed driver lacks answers NVML_ERROR_FUNCTION_NOT_FOUND.
 *
 * @throws {@link LibraryNotFoundError} no NVIDIA driver is installed, or its library cannot be loaded
 */
export function nvml(): NvmlTable {
  return nvmlLibrary.get();
}

/**
 * Put another table under the whole half, such as a fake in a test; undefined goes back to the installed library.
 * @internal
 */
export function useNvml(other: NvmlTable | undefined): void {
  nvmlLibrary.use(other);
}
