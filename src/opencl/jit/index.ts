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
} from '../../jit/jit.ts';
export { JitError } from '../../jit/error.ts';
export { SimulationError } from '../../jit/simulate/simulation-error.ts';
export {
  JitFunction,
  type JitLaunch,
  type JitLaunchOptions,
  type JitOptions,
  type JitSimulateOptions,
} from '../../jit/jit-function.ts';
export type * from '../../jit/kernel-array.ts';
export { kernelWords as cuda } from '../../jit/kernel-words.ts';
export type * from '../../jit/kernel-words.ts';
export { StencilFunction, type StencilOptions } from '../../jit/stencil.ts';
export { Reduced, Vectorized, type HostElements, type ReducedOptions, type UfuncOperand } from '../../jit/ufunc.ts';
export type { ConstantSet, ConstantValue, DeviceText } from '../../jit/read/reading.ts';
export type { Place as SimulationPlace } from '../../jit/simulate/thread.ts';
export type { ToDeviceOptions, Transfers } from '../../jit/transfers.ts';
export type { ElementType, ScalarName } from '../../jit/kernel-type.ts';
export type { ConstantOptions, JitWithConstants } from '../../jit/typed-constants.ts';
export type { ParametersOf } from '../../jit/typed-signature.ts';

export { jit, reduce, stencil, vectorize } from './jit.ts';
export { copyToHost, deviceArray, toDevice } from './transfer.ts';
