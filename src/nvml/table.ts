import type { LibraryDescription } from '../ffi/library.ts';
import { LibraryTable } from '../ffi/library-table.ts';
import { status } from './sys/enums.ts';
import { functions } from './sys/nvml.ts';

/** NVML's library. */
const NVML: LibraryDescription = {
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
const VERSION_LENGTH = 80;

/** NVML. A function that the installed driver lacks answers NVML_ERROR_FUNCTION_NOT_FOUND. */
export const nvmlLibrary: LibraryTable<typeof functions> = new LibraryTable({
  description: NVML,
  functions,
  standIn: () => () => FUNCTION_NOT_FOUND,
  version: (table) => {
    const name = new Uint8Array(VERSION_LENGTH);
    // Of the few that answer before the start.
    const answer = table.nvmlSystemGetNVMLVersion(name, name.byteLength);
    return answer === 0 ? Buffer.from(name).toString().split('\0')[0] : undefined;
  },
});
