import { Callable } from '../../core/callable.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import type { Value } from '../../core/value.ts';
import type { WeakScalar } from '../dtype.ts';
import type { NDArray } from '../ndarray.ts';
import { BroadcastProgram, type BroadcastCallOptions } from './broadcast-program.ts';
import { FlatProgram, type IndexCallOptions } from './flat-program.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { parseTyped } from './typed-parameter.ts';
import { checkText, checkUserOptions, kernelName, type UserTextOptions } from './user-text.ts';

/** The options of an {@link ElementwiseKernel}. */
export interface ElementwiseKernelOptions extends UserTextOptions {
  /** The kernel's name, as profilers and errors show it. */
  readonly name?: string | undefined;
  /** Statements that each thread begins with, before its elements. */
  readonly loopPrep?: string | undefined;
  /** Statements that each thread ends with. */
  readonly afterLoop?: string | undefined;
}

/** An {@link ElementwiseKernel} in CuPy's form. */
export interface ElementwiseForm<Out extends string = string> extends ElementwiseKernelOptions {
  /** The operands: `'T x, raw T y, int32 k'`. A letter stands for a dtype, and `raw` for an array that the text indexes. */
  readonly in: string | readonly string[];
  /** The results: `'T z'`. */
  readonly out: Out | readonly string[];
  /** Statements that set the results of one element. */
  readonly op: string;
  /** Whether calls return nothing. */
  readonly noReturn?: boolean | undefined;
}

/** What a kernel takes: arrays, numbers, structs by value or as objects of their fields. Options come last. */
export type KernelOperand = NDArray | WeakScalar | Value | Readonly<Record<string, unknown>>;

/** What a call of an {@link ElementwiseKernel} returns, by the text of its results. */
export type ElementwiseResult<Out extends string> = [Out] extends [never]
  ? undefined
  : string extends Out
    ? NDArray | NDArray[] | undefined
    : Out extends `${string},${string}`
      ? NDArray[]
      : NDArray;

/** Calls. */
export interface ElementwiseKernel<Out extends string = never> {
  /**
   * Compute. Host: does not block, but for the first call of each kind, which compiles.
   *
   * @param args - the operands, in the order of the parameters; then options, of {@link IndexCallOptions} or, in CuPy's form,
   * {@link BroadcastCallOptions}
   */
  (...args: readonly (KernelOperand | IndexCallOptions | BroadcastCallOptions | undefined)[]): ElementwiseResult<Out>;
}

const OPTIONS = ['name', 'preamble', 'options', 'loopPrep', 'afterLoop', 'types'];
const FORM = [...OPTIONS.filter((option) => option !== 'types'), 'in', 'out', 'op', 'noReturn'];
const WHAT = 'ElementwiseKernel';

/** What both forms have. */
interface AnyProgram {
  readonly source: string | undefined;
}

/**
 * A kernel for the elements of arrays, from a text in C: that of CUDA C++ or OpenCL C, whatever the device.
 *
 * With a parameter list it has PyCUDA's and PyOpenCL's meaning: the text stands for one index `i` of `n`, arrays of one length are
 * indexed by it, and calls return nothing. In CuPy's form the text stands for one element of each operand: they broadcast, have any
 * strides, and calls return the result, or a list of them. A letter that numbers alone have follows from them, as arrays do.
 *
 * The text is a function of its own, with the parameters' names; `continue` ends an element.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const axpy = new xp.ElementwiseKernel('float a, const float *x, float *y', 'y[i] += a * x[i]', { name: 'axpy' });
 * using x = xp.arange(4);
 * using y = xp.ones(4);
 * axpy(2, x, y);
 * const distance = new xp.ElementwiseKernel({ in: 'T x, T y', out: 'T d', op: 'd = fabs(x - y)', name: 'distance' });
 * using d = distance(x, y.at(xp.newaxis));
 * d.shape; // [1, 4]
 * ```
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class ElementwiseKernel<Out extends string = never> extends Callable {
  readonly #program: AnyProgram;
  readonly #sourceFor: (args: readonly unknown[]) => string;

  /**
   * @param parameters - C declarations: `'float a, const float *x, float *z'`; a pointer is an array, which is written unless const
   * @param operation - statements for the index `i`: `'z[i] = a * x[i]'`
   * @throws TypeError a parameter of another type; the message names it
   */
  constructor(parameters: string | readonly string[], operation: string, options?: ElementwiseKernelOptions);
  /** @param form - CuPy's: operands, results, and statements for one element */
  constructor(form: ElementwiseForm<Out>);
  constructor(
    first: string | readonly string[] | ElementwiseForm<Out>,
    operation?: string,
    options: ElementwiseKernelOptions = {},
  ) {
    if (typeof first === 'string' || Array.isArray(first)) {
      const program = flatProgram(first, operation, options);
      super((...args: readonly unknown[]) => {
        program.run(args);
      }, program.name);
      this.#program = program;
      this.#sourceFor = (args) => program.sourceFor(args);
      return;
    }
    const form = first as ElementwiseForm<Out>;
    const program = broadcastProgram(form);
    const { noReturn = false } = form;
    super((...args: readonly unknown[]) => {
      const results = program.run(args);
      return noReturn ? undefined : results.length === 1 ? results[0] : results;
    }, program.name);
    this.#program = program;
    this.#sourceFor = (args) => program.sourceFor(args);
  }

  /** The source that the last call ran, or had compiled; undefined before the first one. */
  get source(): string | undefined {
    return this.#program.source;
  }

  /** The source that a call with such operands runs. Nothing is computed. */
  sourceFor(...args: readonly (KernelOperand | IndexCallOptions | BroadcastCallOptions | undefined)[]): string {
    return this.#sourceFor(args);
  }
}

function flatProgram(parameters: unknown, operation: unknown, options: ElementwiseKernelOptions): FlatProgram {
  checkOptions(options, OPTIONS, WHAT);
  const name = kernelName(options.name, 'elementwise', WHAT);
  checkText(operation, `${name}: the operation`);
  const texts = checkedTexts(options, name);
  const list = new KernelArguments(parameters, name, { types: options.types, reserved: ['i'] });
  return new FlatProgram({ ...options, ...texts, name, parameters: list, operation });
}

function broadcastProgram(form: ElementwiseForm): BroadcastProgram {
  if (typeof form !== 'object' || (form as unknown) === null) {
    throw new TypeError(`${WHAT} must be given parameters or { in, out, op }, got ${nameOf(form)}`);
  }
  checkOptions(form, FORM, WHAT);
  const name = kernelName(form.name, 'elementwise', WHAT);
  checkText(form.op, `${name}: op`);
  const texts = checkedTexts(form, name);
  const names = new Set<string>();
  const inputs = parseTyped(form.in, `${name}: in`, names);
  const outputs = parseTyped(form.out, `${name}: out`, names);
  if (outputs.length === 0) throw new TypeError(`${name}: out must have a result, got ${JSON.stringify(form.out)}`);
  const { preamble, options } = form;
  return new BroadcastProgram({ preamble, options, ...texts, name, inputs, outputs, operation: form.op });
}

function checkedTexts(options: ElementwiseKernelOptions, name: string): { loopPrep: string; afterLoop: string } {
  checkUserOptions(options, name);
  const { loopPrep = '', afterLoop = '' } = options;
  checkText(loopPrep, `${name}: loopPrep`);
  checkText(afterLoop, `${name}: afterLoop`);
  return { loopPrep, afterLoop };
}
