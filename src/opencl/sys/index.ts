export { callbacks, functions as openclFunctions } from './opencl.ts';
export { extensionFunctions } from './extensions.ts';
export * from './enums.ts';
export * from './structs.ts';
export { opencl } from '../select.ts';
export type { OpenCLTable } from './tables.ts';
export { LibraryNotFoundError } from '../../core/errors.ts';
export type { Bound } from '../../ffi/prototype.ts';
