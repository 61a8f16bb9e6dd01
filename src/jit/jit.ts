import { nameOf } from '../core/check.ts';
import { checkConstants, JitFunction, type JitHalf, type JitOptions } from './jit-function.ts';
import type { ArgumentsOf } from './kernel-array.ts';
import { placeOfCall } from './place.ts';
import { readFunction } from './read/function-text.ts';
import type { Source } from './read/function-reader.ts';
import { DEVICE, type ConstantSet, type DeviceText } from './read/reading.ts';
import type { ParametersOf } from './typed-signature.ts';

/** Makes kernels of functions. */
export interface Jit {
  /**
   * A kernel from a function in TypeScript, whose own text is read and translated when it is first called with arguments of each
   * combination of types.
   *
   * @param fn - what each thread does; it returns nothing
   * @throws TypeError what is no function, or has no text
   * @throws {@link JitError} a function that cannot be read; what cannot be translated throws at the first call
   */
  <Args extends readonly unknown[]>(
    fn: (...args: Args) => void,
    options?: JitOptions<never>,
  ): JitFunction<ArgumentsOf<Args>>;
  /**
   * A kernel whose last parameter is its constants.
   *
   * @param fn - the last parameter takes the constants by their names: `(x, out, { R }) => …`
   */
  <const Constants extends ConstantSet, Args extends readonly unknown[]>(
    fn: (...args: [...Args, Constants]) => void,
    options: JitOptions<Constants> & { readonly const: Constants },
  ): JitFunction<ArgumentsOf<Args>>;
  /**
   * A kernel whose arguments have the types of a signature, whatever numbers are given: `jit('void(f32[], f32)', (x, a) => …)`.
   * Numba's spelling is understood, too.
   */
  <const S extends string>(
    signature: S,
    fn: (...args: ParametersOf<S>) => void,
    options?: JitOptions<never>,
  ): JitFunction<ArgumentsOf<ParametersOf<S>>>;
  <const S extends string, const Constants extends ConstantSet>(
    signature: S,
    fn: (...args: [...ParametersOf<S>, Constants]) => void,
    options: JitOptions<Constants> & { readonly const: Constants },
  ): JitFunction<ArgumentsOf<ParametersOf<S>>>;
}

/** `jit` of a half. */
export function jitOf(half: JitHalf): Jit {
  const jit = (first: unknown, second?: unknown, third?: unknown): JitFunction => {
    const place = placeOfCall(jit);
    if (typeof first === 'string') return new JitFunction(half, second, first, (third ?? {}) as JitOptions, place);
    if (typeof first !== 'function')
      throw new TypeError(`jit must be given a function, or a signature and a function, got ${nameOf(first)}`);
    return new JitFunction(half, first, undefined, (second ?? {}) as JitOptions, place);
  };
  return jit as Jit;
}

/** The options of {@link device}. */
export interface DeviceOptions<Constants extends ConstantSet = ConstantSet> {
  /** What the function's last parameter is. */
  readonly const?: Constants | undefined;
}

/** A function that kernels call, given to them as a constant. JavaScript calls it as it is. */
export type DeviceFunction<F extends (...args: never[]) => unknown> = F & DeviceText;

/**
 * A function that kernels call. Each kernel is given it as a constant: `jit((x, { half }) => …, { const: { half } })`.
 *
 * @param fn - its text is translated for the types of each call
 * @throws TypeError what is no function, or has no text
 * @throws {@link JitError} a function that cannot be read
 */
export function device<F extends (...args: never[]) => unknown>(fn: F, options: DeviceOptions = {}): DeviceFunction<F> {
  const text = readFunction(fn, 'device', placeOfCall(device));
  const source: Source = { text, constants: checkConstants(options.const), isKernel: false };
  const call = ((...args: never[]) => fn(...args)) as F;
  return Object.defineProperty(call, DEVICE, { value: source }) as DeviceFunction<F>;
}
