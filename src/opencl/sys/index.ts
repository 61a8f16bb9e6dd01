export { callbacks, functions as openclFunctions } from './opencl.ts';
export * from './enums.ts';
export * from './structs.ts';
