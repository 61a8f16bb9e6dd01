import { jitOf, type Jit } from '../../jit/jit.ts';
import { cudaJit } from './half.ts';

export { device, type DeviceFunction, type DeviceOptions, type Jit } from '../../jit/jit.ts';
export { JitError } from '../../jit/error.ts';
export { JitFunction, type JitLaunch, type JitLaunchOptions, type JitOptions } from '../../jit/jit-function.ts';
export type * from '../../jit/kernel-array.ts';
export { kernelWords as cuda } from '../../jit/kernel-words.ts';
export type * from '../../jit/kernel-words.ts';
export type { ConstantSet, ConstantValue, DeviceText } from '../../jit/read/reading.ts';
export type { ParametersOf } from '../../jit/typed-signature.ts';

/** {@link Jit} */
export const jit: Jit = jitOf(cudaJit);
