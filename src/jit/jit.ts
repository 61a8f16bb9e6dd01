import { checkOptions, nameOf } from '../core/check.ts';
import type { StructTypes } from '../core/struct.ts';
import { checkConstants, JitFunction, type JitHalf, type JitOptions } from './jit-function.ts';
import type { ArgumentsOf } from './kernel-array.ts';
import { placeOfCall } from './place.ts';
import { readFunction } from './read/function-text.ts';
import type { Source } from './read/source.ts';
import { DEVICE, type ConstantSet, type DeviceText } from './read/reading.ts';
import { StencilFunction, type StencilOptions } from './stencil.ts';
import type { JitWithConstants, KernelConstants } from './typed-constants.ts';
import type { ParametersOf } from './typed-signature.ts';
import { Reduced, Vectorized } from './ufunc.ts';

/** Makes kernels of functions without constants. */
export interface JitPlain {
  /**
   * A kernel from a function in TypeScript, whose own text is read and translated when it is first called with arguments of each
   * combination of types.
   *
   * @param fn - what each thread does; it returns nothing
   * @throws TypeError what is not a function, or has no text
   * @throws {@link JitError} a function that cannot be read; what cannot be translated throws at the first call
   */
  <Args extends readonly unknown[]>(
    fn: (...args: Args) => void,
    options?: JitOptions<never>,
  ): JitFunction<ArgumentsOf<Args>>;
  /**
   * A kernel whose arguments have the types of a signature, whatever numbers are given: `jit('void(f32[], f32)', (x, a) => …)`.
   * Numba's spelling is understood, too. Structs have the names of `{ types: { Point } }`.
   */
  <const S extends string, T extends StructTypes = StructTypes>(
    signature: S,
    fn: (...args: ParametersOf<S, T>) => void,
    options?: JitOptions<never> & { readonly types?: T | undefined },
  ): JitFunction<ArgumentsOf<ParametersOf<S, T>>>;
  <const S extends string, const Constants extends ConstantSet, T extends StructTypes = StructTypes>(
    signature: S,
    fn: (...args: [...ParametersOf<S, T>, KernelConstants<Constants>]) => void,
    options: JitOptions<Constants> & { readonly const: Constants; readonly types?: T | undefined },
  ): JitFunction<ArgumentsOf<ParametersOf<S, T>>>;
}

/** Makes kernels of functions. */
export type Jit = JitWithConstants & JitPlain;

/** `jit` of a half. */
export function jitOf(half: JitHalf): Jit {
  const jit = (first: unknown, second?: unknown, third?: unknown): JitFunction => {
    const place = placeOfCall(jit);
    if (typeof first === 'string') return new JitFunction(half, second, first, third ?? {}, place);
    if (typeof first !== 'function')
      throw new TypeError(`jit must be given a function, or a signature and a function, got ${nameOf(first)}`);
    return new JitFunction(half, first, undefined, second ?? {}, place);
  };
  return jit;
}

/** The options of {@link device}. */
export interface DeviceOptions<Constants extends ConstantSet = ConstantSet> {
  /** What the function's last parameter is. */
  readonly const?: Constants | undefined;
}

/** A function that kernels call, given to them as a constant. JavaScript calls it as it is. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parameter without a type has this one
export type DeviceFunction<F extends (...args: any[]) => unknown> = F & DeviceText;

/**
 * A function that kernels call. Each kernel is given it as a constant: `jit((x, { half }) => …, { const: { half } })`.
 *
 * @param fn - its text is translated for the types of each call
 * @throws TypeError what is not a function, or has no text
 * @throws {@link JitError} a function that cannot be read
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parameter without a type has this one
export function device<F extends (...args: any[]) => unknown>(fn: F, options: DeviceOptions = {}): DeviceFunction<F> {
  const text = readFunction(fn, 'device', placeOfCall(device));
  const source: Source = { text, constants: checkConstants(options.const), isKernel: false };
  const call = ((...args: Parameters<F>) => fn(...args)) as F;
  return Object.defineProperty(call, DEVICE, { value: source }) as DeviceFunction<F>;
}

/** Makes functions of arrays from functions of numbers. */
export interface Vectorize {
  /**
   * A function of arrays that computes each element of its result by `fn` from those of its operands, which broadcast: Numba's
   * `@vectorize`.
   *
   * @throws TypeError what is not a function, or has no text
   * @throws {@link JitError} a function that cannot be read
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parameter without a type has this one
  (fn: (...args: any[]) => number | boolean, options?: DeviceOptions): Vectorized;
}

/** The options of `reduce`. */
export interface ReduceOptions<Constants extends ConstantSet = ConstantSet> extends DeviceOptions<Constants> {
  /**
   * What changes nothing, as often as it is joined: 0 for a sum. By default that of the function where it is a sum, a product, `&`,
   * `|`, `^`, `Math.max`, `Math.min` or a choice by a comparison.
   */
  readonly identity?: number | undefined;
}

/** Makes reductions of functions of two numbers. */
export interface Reduce {
  /**
   * A reduction by `fn`, which must not mind in which order elements are joined: Numba's `@cuda.reduce`.
   *
   * @throws TypeError what is not a function, or has no text; at a call, a function whose `identity` must be given
   * @throws {@link JitError} a function that cannot be read
   */
  (fn: (a: number, b: number) => number, options?: ReduceOptions): Reduced;
}

/** Makes functions of arrays from functions of an element's surroundings. */
export interface MakeStencil {
  /**
   * A function of arrays whose indices count from the element that is computed: Numba's `@stencil`.
   *
   * @example
   * ```ts
   * import * as xp from 'rawkernel/cuda/array';
   * import { stencil, type F32 } from 'rawkernel/cuda/jit';
   * import 'rawkernel/cuda/autoinit';
   *
   * const mean = stencil((a: F32) => (a[-1]! + a[0]! + a[1]!) / 3);
   * using a = xp.arange(6, { dtype: 'f32' });
   * using b = mean(a);
   * b.get(); // Float32Array [0, 1, 2, 3, 4, 0]
   * ```
   * @throws TypeError what is not a function, or has no text
   * @throws {@link JitError} a function that cannot be read
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parameter without a type has this one
  (fn: (...args: any[]) => number | boolean, options?: StencilOptions): StencilFunction;
}

export function vectorizeOf(half: JitHalf): Vectorize {
  const vectorize: Vectorize = (fn, options = {}) => {
    checkOptions(options, ['const'], 'vectorize');
    const text = readFunction(fn, 'vectorize', placeOfCall(vectorize));
    return new Vectorized(half, { text, constants: checkConstants(options.const), isKernel: false });
  };
  return vectorize;
}

export function reduceOf(half: JitHalf): Reduce {
  const reduce: Reduce = (fn, options = {}) => {
    checkOptions(options, ['const', 'identity'], 'reduce');
    const text = readFunction(fn, 'reduce', placeOfCall(reduce));
    const { identity } = options;
    if (identity !== undefined && typeof identity !== 'number')
      throw new TypeError(`reduce: identity must be a number, got ${nameOf(identity)}`);
    return new Reduced(half, { text, constants: checkConstants(options.const), isKernel: false }, identity);
  };
  return reduce;
}

export function stencilOf(half: JitHalf): MakeStencil {
  const stencil: MakeStencil = (fn, options = {}) =>
    new StencilFunction(half, readFunction(fn, 'stencil', placeOfCall(stencil)), options);
  return stencil;
}
