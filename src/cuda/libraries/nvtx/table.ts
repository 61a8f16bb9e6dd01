import { LibraryTable } from '../../../ffi/library-table.ts';
import type { Bound } from '../../../ffi/prototype.ts';
import { wheelLibraries } from '../../python-wheels.ts';
import { toolkitLibraries } from '../../toolkit.ts';
import { functions } from './functions.ts';

/** NVTX's functions. */
export type NvtxTable = Bound<typeof functions>;

/** NVTX, whose functions report no failure. A program that marks its ranges runs without the library too. */
export const nvtxLibrary: LibraryTable<typeof functions> = new LibraryTable({
  functions,
  description: {
    title: 'NVTX, which tells profilers what a program does',
    variable: 'RAWKERNEL_LIBNVTX',
    symbol: 'nvtxDomainMarkEx',
    names: {
      linux: ['libnvtx3interop.so.1', 'libnvtx3interop.so', 'libnvToolsExt.so.1', 'libnvToolsExt.so'],
      win32: ['nvtx3interop.dll', 'nvToolsExt64_1.dll'],
    },
    folders: () => [...wheelLibraries({ linux: 'nvtx/lib', win32: 'nvtx/bin' }), ...toolkitLibraries()],
    advice: [
      'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads)',
      'Python: pip install nvidia-nvtx, and start Node.js in that environment',
    ],
  },
});

/**
 * NVTX's table; undefined where the library is not installed.
 *
 * @throws {@link LibraryNotFoundError} `RAWKERNEL_LIBNVTX` names a library that cannot be loaded
 */
export function nvtx(): NvtxTable | undefined {
  return nvtxLibrary.ifFound();
}
