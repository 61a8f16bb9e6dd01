import type { Bound } from '../../ffi/prototype.ts';
import type { functions } from './nccl.ts';

/** NCCL's functions: those of the installed library, or of the embedded device. */
export type NcclTable = Bound<typeof functions>;
