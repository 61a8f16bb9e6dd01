import { brand, GpuError } from '../../../core/errors.ts';
import { libraryCalls, type LibraryCalls } from '../../../ffi/library-table.ts';
import type { functions } from './functions.ts';
import { nvvmStatus } from './statuses.ts';
import { nvvmLibrary } from './table.ts';

/** libNVVM failed. */
export class NvvmError extends GpuError {}
brand(NvvmError, 'NvvmError');

/** libNVVM's functions, throwing. */
export const nvvmCalls: LibraryCalls<typeof functions> = libraryCalls(nvvmLibrary, {
  status: 'nvvmResult',
  statuses: nvvmStatus,
  prefix: 'NVVM_ERROR_',
  errorClass: NvvmError,
  docs: 'https://docs.nvidia.com/cuda/libnvvm-api/index.html',
});
