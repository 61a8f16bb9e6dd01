export { functions as nvmlFunctions } from './nvml.ts';
export * from './enums.ts';
export * from './structs.ts';
export { nvml } from '../select.ts';
export type { NvmlTable } from './tables.ts';
export { LibraryNotFoundError } from '../../core/errors.ts';
export type { Bound } from '../../ffi/prototype.ts';
