import { LibraryTable } from '../../../ffi/library-table.ts';
import type { Bound } from '../../../ffi/prototype.ts';
import { wheelLibraries } from '../../python-wheels.ts';
import { toolkitLibraries } from '../../toolkit.ts';
import { functions } from './functions.ts';

/** nvJitLink's functions. */
export type NvJitLinkTable = Bound<typeof functions>;

/** nvJitLink. It needs neither GPU nor driver. */
export const nvJitLinkLibrary: LibraryTable<typeof functions> = new LibraryTable({
  functions,
  description: {
    title: 'nvJitLink, the linker for device code',
    variable: 'RAWKERNEL_LIBNVJITLINK',
    symbol: 'nvJitLinkCreate',
    names: {
      linux: ['libnvJitLink.so', 'libnvJitLink.so.13', 'libnvJitLink.so.12'],
      win32: ['nvJitLink_130_0.dll', 'nvJitLink_120_0.dll'],
    },
    folders: () => [...wheelLibraries({ linux: 'nvjitlink/lib', win32: 'nvjitlink/bin' }), ...toolkitLibraries()],
    advice: [
      'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads), 12.0 or newer, and set CUDA_HOME to its folder',
      'Python: pip install nvidia-nvjitlink, and start Node.js in that environment',
      "or link with the driver, which takes no LTO IR: new Linker({ backend: 'driver' })",
    ],
  },
});

/**
 * nvJitLink's table.
 *
 * @throws {@link LibraryNotFoundError} no nvJitLink is installed
 */
export function nvJitLink(): NvJitLinkTable {
  return nvJitLinkLibrary.get();
}
