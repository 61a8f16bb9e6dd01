import { traceCalls } from '../core/trace.ts';
import { bind, withStandIns, wrapTable } from '../ffi/bind.ts';
import { openLibrary, type LibraryDescription } from '../ffi/library.ts';
import { traced } from '../ffi/traced.ts';
import { status } from './sys/enums.ts';
import { functions } from './sys/nvml.ts';
import type { NvmlTable } from './sys/tables.ts';

/** NVML's library. */
export const NVML: LibraryDescription = {
  title: 'NVML, the management library',
  variable: 'RAWKERNEL_LIBNVML',
  symbol: 'nvmlInitWithFlags',
  names: { linux: ['libnvidia-ml.so.1', 'libnvidia-ml.so'], win32: ['nvml.dll'] },
  folders: (platform) => (platform === 'win32' ? ['C:\\Program Files\\NVIDIA Corporation\\NVSMI'] : []),
  advice: [
    "install NVIDIA's driver, which brings it along: https://www.nvidia.com/drivers",
    'in a container: start it with --gpus all and NVIDIA_DRIVER_CAPABILITIES=compute,utility',
    'on WSL 2: install the driver on Windows and put /usr/lib/wsl/lib on the library path',
  ],
};

const [FUNCTION_NOT_FOUND] = status.NVML_ERROR_FUNCTION_NOT_FOUND;

let table: NvmlTable | undefined;

/**
 * NVML's table. A function that the installed driver lacks answers NVML_ERROR_FUNCTION_NOT_FOUND.
 *
 * @throws {@link LibraryNotFoundError} no NVIDIA driver is installed, or its library cannot be loaded
 */
export function nvml(): NvmlTable {
  return (table ??= native());
}

function native(): NvmlTable {
  const library = openLibrary(NVML);
  const whole = withStandIns(functions, bind(functions, library), () => () => FUNCTION_NOT_FOUND);
  return traceCalls ? wrapTable(functions, whole, (...call) => traced(...call)) : whole;
}

/**
 * Put another table under the whole half, such as a fake in a test; undefined goes back to the installed library.
 * @internal
 */
export function useNvml(other: NvmlTable | undefined): void {
  table = other;
}
