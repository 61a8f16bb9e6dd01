import { wheelLibraries } from '../cuda/python-wheels.ts';
import { toolkitLibraries } from '../cuda/toolkit.ts';
import type { LibraryDescription } from '../ffi/library.ts';
import { LibraryTable } from '../ffi/library-table.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';
import { functions, since } from './sys/nccl.ts';
import type { NcclTable } from './sys/tables.ts';
import { versionText } from './version.ts';

/** NCCL's library. There is none for Windows. */
const NCCL: LibraryDescription = {
  title: 'NCCL, the library for collectives',
  variable: 'RAWKERNEL_LIBNCCL',
  symbol: 'ncclCommInitRankConfig',
  names: { linux: ['libnccl.so.2', 'libnccl.so'] },
  folders: () => [...wheelLibraries({ linux: 'nccl/lib', win32: 'nccl/bin' }), ...toolkitLibraries()],
  advice: [
    "Python: pip install nvidia-nccl-cu13 (nvidia-nccl-cu12 for CUDA 12's driver), and start Node.js in that environment",
    "Linux: install NVIDIA's package libnccl2 (https://developer.nvidia.com/nccl)",
    'on a machine without GPUs: RAWKERNEL_DEVICE=cpu runs collectives on the embedded device',
  ],
};

/** Functions whose callers check the arguments themselves: what each collective calls, and what polling asks. */
export const HOT: readonly string[] = [
  'ncclCommGetAsyncError',
  'ncclGroupStart',
  'ncclGroupEnd',
  ...Object.keys(functions.COLLECTIVES),
  'ncclSend',
  'ncclRecv',
];

/** NCCL. A function that the installed version lacks throws when it is used, and says which version has it. */
export const ncclLibrary: LibraryTable<typeof functions> = new LibraryTable({
  description: NCCL,
  functions,
  hot: HOT,
  whoHas: (name) => (since[name] === undefined ? undefined : `NCCL ${since[name]} and newer have it`),
  version: (table) => {
    const code = versionCode(table);
    return code === 0 ? undefined : versionText(code);
  },
});

/** NCCL_VERSION_CODE of a table; 0 where it does not tell. */
function versionCode(table: Pick<NcclTable, 'ncclGetVersion'>): number {
  const slot = slotOf('int');
  return table.ncclGetVersion(slot) === 0 ? take(slot) : 0;
}
