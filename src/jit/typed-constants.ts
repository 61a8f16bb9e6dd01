import type { JitFunction, JitOptions } from './jit-function.ts';
import type { ArgumentsOf } from './kernel-array.ts';
import type { ConstantSet } from './read/reading.ts';

/** Options with constants. */
export type ConstantOptions<Constants extends ConstantSet> = JitOptions<Constants> & { readonly const: Constants };

type WithoutLast<T extends readonly unknown[]> = T extends readonly [...infer Rest, unknown] ? Rest : [];

/** Makes kernels of functions with constants. */
export interface JitWithConstants {
  /**
   * A kernel whose last parameter is its constants, taken by their names: `(x, out, { R }) => …`.
   *
   * @param fn - what each thread does; it returns nothing. The constants are `any` in it, unless their parameter says more
   * @throws TypeError what is not a function, or has no text; a constant that a kernel cannot have
   * @throws {@link JitError} a function that cannot be read
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parameter without a type has this one
  <const Constants extends ConstantSet, F extends (...args: any[]) => void>(
    fn: F,
    options: ConstantOptions<Constants>,
  ): JitFunction<ArgumentsOf<WithoutLast<Parameters<F>>>>;
}
