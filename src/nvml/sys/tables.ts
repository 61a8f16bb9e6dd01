import type { Bound } from '../../ffi/prototype.ts';
import type { functions } from './nvml.ts';

/** NVML's functions. */
export type NvmlTable = Bound<typeof functions>;
