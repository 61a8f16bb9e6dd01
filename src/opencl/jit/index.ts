export * from '../../jit/public.ts';
export { jit, reduce, stencil, vectorize } from './jit.ts';
export { copyToHost, deviceArray, toDevice } from './transfer.ts';
export { createXoroshiro128pStates, initXoroshiro128pStates } from './random.ts';
