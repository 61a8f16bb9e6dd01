import { brand, GpuError } from '../../../core/errors.ts';
import { libraryCalls, type LibraryCalls } from '../../../ffi/library-table.ts';
import type { functions } from './functions.ts';
import { nvJitLinkStatus } from './statuses.ts';
import { nvJitLinkLibrary } from './table.ts';

/** nvJitLink failed. */
export class NvJitLinkError extends GpuError {}
brand(NvJitLinkError, 'NvJitLinkError');

/** nvJitLink's functions, throwing. */
export const nvJitLinkCalls: LibraryCalls<typeof functions> = libraryCalls(nvJitLinkLibrary, {
  status: 'nvJitLinkResult',
  statuses: nvJitLinkStatus,
  prefix: 'NVJITLINK_ERROR_',
  errorClass: NvJitLinkError,
  docs: 'https://docs.nvidia.com/cuda/nvjitlink/index.html',
});
