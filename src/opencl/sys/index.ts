export { callbacks, functions as openclFunctions } from './opencl.ts';
export * from './enums.ts';
export * from './structs.ts';
export { opencl } from '../select.ts';
export type { OpenCLTable } from '../select.ts';
