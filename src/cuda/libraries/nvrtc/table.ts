import { LibraryTable } from '../../../ffi/library-table.ts';
import { functions, nvrtcSince } from '../../sys/nvrtc.ts';
import type { NvrtcTable } from '../../sys/tables.ts';
import { NVRTC } from '../../toolkit.ts';
import { take } from '../../../ffi/slot.ts';
import { slotOf } from '../../slots.ts';

/** NVRTC. */
export const nvrtcLibrary: LibraryTable<typeof functions> = new LibraryTable({
  description: NVRTC,
  functions,
  whoHas: (name) => (nvrtcSince[name] === undefined ? undefined : `NVRTC ${nvrtcSince[name]} and newer have it`),
  version: nvrtcVersion,
});

/** NVRTC's own version. */
export function nvrtcVersion(table: Pick<NvrtcTable, 'nvrtcVersion'>): string {
  const major = slotOf('int');
  const minor = slotOf('int');
  table.nvrtcVersion(major, minor);
  return `${take(major)}.${take(minor)}`;
}
