// What both entries, rawkernel/cuda/jit and rawkernel/opencl/jit, have in common.
export {
  device,
  type DeviceFunction,
  type DeviceOptions,
  type Jit,
  type JitPlain,
  type MakeStencil,
  type Reduce,
  type ReduceOptions,
  type Vectorize,
} from './jit.ts';
export { JitError } from './error.ts';
export { SimulationError } from './simulate/simulation-error.ts';
export {
  JitFunction,
  type JitLaunch,
  type JitLaunchOptions,
  type JitOptions,
  type JitSimulateOptions,
} from './jit-function.ts';
export type * from './kernel-array.ts';
export { kernelWords as cuda } from './kernel-words.ts';
export type * from './kernel-vector.ts';
export type * from './kernel-words.ts';
export {
  Xoroshiro128pState,
  Xoroshiro128pStates,
  type RandomStates,
  type Xoroshiro128p,
  type Xoroshiro128pFields,
  type Xoroshiro128pOptions,
} from './random/states.ts';
export { structArray, StructArray } from './struct-array.ts';
export { StencilFunction, type StencilOptions } from './stencil.ts';
export { Reduced, Vectorized, type HostElements, type ReducedOptions, type UfuncOperand } from './ufunc.ts';
export type { ConstantSet, ConstantValue, DeviceText } from './read/reading.ts';
export type { Place as SimulationPlace } from './simulate/thread.ts';
export type { ToDeviceOptions, Transfers } from './transfers.ts';
export type { ElementType, ScalarName } from './kernel-type.ts';
export type { ConstantOptions, JitWithConstants, KernelConstants } from './typed-constants.ts';
export type { ParametersOf } from './typed-signature.ts';
