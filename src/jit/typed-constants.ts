import type { JitFunction, JitOptions } from './jit-function.ts';
import type { ArgumentsOf } from './kernel-array.ts';
import type { StructLayout } from '../core/struct.ts';
import type { ConstantSet, DeviceText } from './read/reading.ts';

/** Options with constants. */
export type ConstantOptions<Constants extends ConstantSet> = JitOptions<Constants> & { readonly const: Constants };

/** Constants as a kernel sees them: all numbers are `number`, as elements of arrays are. */
export type KernelConstants<T> = T extends number | bigint
  ? number
  : T extends boolean
    ? boolean
    : T extends string | DeviceText | StructLayout | ArrayBufferView
      ? T
      : { readonly [K in keyof T]: KernelConstants<T[K]> };

type WithoutLast<T extends readonly unknown[]> = T extends readonly [...infer Rest, unknown] ? Rest : [];

/** Makes kernels of functions with constants. */
export interface JitWithConstants {
  /**
   * A kernel whose last parameter is its constants, taken by their names: `(x, out, { R }) => …`.
   *
   * @param fn - what each thread does; it returns nothing. The constants are `any` in it, unless their parameter says more:
   * TypeScript gives types to the last one of any number of parameters behind a signature alone
   * @throws TypeError what is not a function, or has no text; a constant that a kernel cannot have
   * @throws {@link JitError} a function that cannot be read
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parameter without a type has this one
  <const Constants extends ConstantSet, F extends (...args: any[]) => void>(
    fn: F,
    options: ConstantOptions<Constants>,
  ): JitFunction<ArgumentsOf<WithoutLast<Parameters<F>>>>;
}
