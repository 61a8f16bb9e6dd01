export { functions as ncclFunctions } from './nccl.ts';
export * from './enums.ts';
export * from './structs.ts';
export { nccl } from '../select.ts';
export type { NcclTable } from './tables.ts';
export { LibraryNotFoundError } from '../../core/errors.ts';
export type { Bound } from '../../ffi/prototype.ts';
