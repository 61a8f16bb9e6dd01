export * from '../../jit/public.ts';
export { jit, reduce, stencil, vectorize } from './jit.ts';
export { copyToHost, deviceArray, toDevice, pinnedArray } from './transfer.ts';
export { createXoroshiro128pStates, initXoroshiro128pStates } from './random.ts';
