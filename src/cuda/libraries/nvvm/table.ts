import { LibraryTable } from '../../../ffi/library-table.ts';
import type { Bound } from '../../../ffi/prototype.ts';
import { wheelLibraries } from '../../python-wheels.ts';
import { nvvmFolders, toolkitLibraries } from '../../toolkit.ts';
import { functions } from './functions.ts';
import { take } from '../../../ffi/slot.ts';
import { slotOf } from '../../slots.ts';

/** libNVVM's functions. */
export type NvvmTable = Bound<typeof functions>;

const WHEEL = { linux: 'cuda_nvcc/nvvm/lib64', win32: 'cuda_nvcc/nvvm/bin' } as const;

/** libNVVM. It needs neither GPU nor driver. */
export const nvvmLibrary: LibraryTable<typeof functions> = new LibraryTable({
  functions,
  description: {
    title: 'libNVVM, the compiler for NVVM IR',
    variable: 'RAWKERNEL_LIBNVVM',
    symbol: 'nvvmVersion',
    names: {
      linux: ['libnvvm.so', 'libnvvm.so.4', 'libnvvm.so.3'],
      win32: ['nvvm64_40_0.dll', 'nvvm.dll'],
    },
    folders: () => [...wheelLibraries(WHEEL), ...nvvmFolders(), ...toolkitLibraries()],
    advice: [
      'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads) and set CUDA_HOME to its folder',
      'Python: pip install nvidia-nvvm, and start Node.js in that environment',
    ],
  },
  version: (table) => {
    const major = slotOf('int');
    const minor = slotOf('int');
    table.nvvmVersion(major, minor);
    return `${take(major)}.${take(minor)}`;
  },
});

/**
 * libNVVM's table.
 *
 * @throws {@link LibraryNotFoundError} no libNVVM is installed
 */
export function nvvm(): NvvmTable {
  return nvvmLibrary.get();
}
