import { isEmbedded } from '../cuda/selection.ts';
import { requireModule } from '../core/require-module.ts';
import { withChecks } from '../ffi/bind.ts';
import { HOT, ncclLibrary } from './table.ts';
import type { NcclTable } from './sys/tables.ts';

/** What `cpu/nccl-device.ts` gives. */
interface EmbeddedNccl {
  ncclTable: () => NcclTable;
}

/** What a test has put in its place. */
let other: NcclTable | undefined;
let embedded: NcclTable | undefined;

/**
 * NCCL's table: the installed library's, or the embedded device's where CUDA runs on it. A function that the installed
 * version lacks throws when it is used.
 *
 * @throws {@link LibraryNotFoundError} NCCL is not installed, or cannot be loaded
 */
export function nccl(): NcclTable {
  return other ?? (isEmbedded() ? embeddedNccl() : ncclLibrary.native());
}

/** Programs that run on a GPU never load it. */
function embeddedNccl(): NcclTable {
  if (embedded) return embedded;
  const { ncclTable } = requireModule(import.meta.url, '../cpu/nccl-device.js') as EmbeddedNccl;
  return (embedded = ncclLibrary.watched(withChecks(ncclLibrary.functions, ncclTable(), HOT)));
}

/**
 * Put another table under all of NCCL, such as a fake in a test; undefined goes back to the installed library.
 * @internal
 */
export function useNccl(table: NcclTable | undefined): void {
  other = table;
  ncclLibrary.use(undefined);
}
