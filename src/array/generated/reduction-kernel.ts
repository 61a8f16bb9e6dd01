import { Callable } from '../../core/callable.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import type { StructLayout, StructTypes } from '../../core/struct.ts';
import { readDType, type ArrayDType } from '../dtype.ts';
import type { NDArray } from '../ndarray.ts';
import { AxisReduction, type AxisReduceOptions } from './axis-reduction.ts';
import type { KernelOperand } from './elementwise-kernel.ts';
import { expressionText, neutralText, type Neutral } from './expression-text.ts';
import type { StateType } from './fold-text.ts';
import { IndexReduction, type IndexReduceOptions } from './index-reduction.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { parseTyped } from './typed-parameter.ts';
import { checkText, checkUserOptions, kernelName, type UserTextOptions } from './user-text.ts';

/** The options of a {@link ReductionKernel}. */
export interface ReductionKernelOptions extends UserTextOptions {
  /** The kernel's name, as profilers and errors show it. */
  readonly name?: string | undefined;
}

/** A {@link ReductionKernel} in CuPy's form. */
export interface ReductionForm extends ReductionKernelOptions {
  /** The operands: `'T x, T y, float32 scale'`. A letter stands for a dtype, and `raw` for an array that the text indexes. */
  readonly in: string | readonly string[];
  /** The result: `'T z'`. */
  readonly out: string;
  /** What is reduced, an expression of elements: `'x * y'`. */
  readonly map: string;
  /** What two of them become, an expression of `a` and `b`: `'a + b'`. */
  readonly reduce: string;
  /** Statements that set the result from `a`: `'z = sqrt(a)'`. It is `a` by default. */
  readonly postMap?: string | undefined;
  /** What a reduction begins with, any number of times: `0` for a sum. */
  readonly identity: Neutral;
  /** The dtype that is reduced in, or a letter; that of the result by default. */
  readonly reduceType?: string | undefined;
}

/** A result's dtype, a struct, or the name of one of the option types. */
export type ReductionType = ArrayDType | StructLayout | (string & {});

/** Calls. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export interface ReductionKernel {
  /**
   * Reduce. Host: does not block, but for the first call of each kind, which compiles.
   *
   * @param args - the operands, in the order of the parameters; then options, of {@link IndexReduceOptions} or, in CuPy's form,
   * {@link AxisReduceOptions}
   * @returns the result, or the array that was given for it: without an axis; in CuPy's form with the axes that stay; of a struct its
   * bytes
   */
  (...args: readonly (KernelOperand | IndexReduceOptions | AxisReduceOptions | undefined)[]): NDArray;
}

const OPTIONS = ['name', 'preamble', 'options', 'types'];
const FORM = ['name', 'preamble', 'options', 'in', 'out', 'map', 'reduce', 'postMap', 'identity', 'reduceType'];
const WHAT = 'ReductionKernel';

/**
 * A kernel that makes one of many elements, from texts in C: those of CUDA C++ or OpenCL C, whatever the device.
 *
 * With a dtype first it has PyCUDA's and PyOpenCL's meaning: `mapExpr` is what is reduced for an index `i`, and all becomes one
 * number, or one struct. In CuPy's form the texts are of elements, which broadcast, have any strides, and are reduced along axes.
 *
 * Elements are joined in any order, so `a` and `b` must be able to change places and to be put together in any way: `reduceExpr` is
 * commutative and associative, and the neutral element changes nothing, as often as it is joined.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const dot = new xp.ReductionKernel('f32', 0, 'a + b', 'x[i] * y[i]', 'const float *x, const float *y', { name: 'dot' });
 * using x = xp.arange(400);
 * using y = dot(x, x);
 * y.item();
 * const norm = new xp.ReductionKernel({ in: 'T x', out: 'T y', map: 'x * x', reduce: 'a + b', postMap: 'y = sqrt(a)', identity: 0 });
 * using rows = norm(x.reshape([4, 100]), { axis: 1 });
 * rows.shape; // [4]
 * ```
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class ReductionKernel extends Callable {
  readonly #reduction: IndexReduction | AxisReduction;

  /**
   * @param dtype - of the result, and of what is reduced; or a struct of the option `types`
   * @param neutral - what changes nothing: `0`, or a text in C
   * @param reduceExpr - what two become, an expression of `a` and `b`
   * @param mapExpr - what is reduced, an expression of the index `i`; the first array's element by default
   * @param parameters - C declarations: `'const float *x, float a'`; by default one array `x`
   * @throws TypeError a parameter of another type; the message names it
   */
  constructor(
    dtype: ReductionType,
    neutral: Neutral,
    reduceExpr: string,
    mapExpr?: string | null,
    parameters?: string | readonly string[],
    options?: ReductionKernelOptions,
  );
  /** @param form - CuPy's: operands, the result, and what becomes of elements */
  constructor(form: ReductionForm);
  constructor(
    first: ReductionType | ReductionForm,
    neutral?: Neutral,
    reduceExpr?: string,
    mapExpr?: string | null,
    parameters?: string | readonly string[],
    options: ReductionKernelOptions = {},
  ) {
    const isForm = typeof first === 'object' && neutral === undefined;
    const reduction = isForm
      ? axisReduction(first as ReductionForm)
      : indexReduction(first as ReductionType, neutral, reduceExpr, mapExpr ?? undefined, parameters, options);
    super((...args: readonly unknown[]) => reduction.run(args), reduction.name);
    this.#reduction = reduction;
  }

  /** The source that was compiled last for a call; undefined before the first one. */
  get source(): string | undefined {
    return this.#reduction.source;
  }
}

function indexReduction(
  dtype: ReductionType,
  neutral: unknown,
  reduceExpr: unknown,
  mapExpr: unknown,
  parameters: unknown,
  options: ReductionKernelOptions,
): IndexReduction {
  checkOptions(options, OPTIONS, WHAT);
  const name = kernelName(options.name, 'reduction', WHAT);
  checkUserOptions(options, name);
  const type = readType(dtype, options.types, name);
  const usual = `const ${type.struct?.name ?? type.dtype} *x`;
  const list = new KernelArguments(parameters ?? usual, name, { types: options.types, reserved: ['i'] });
  const [first] = list.list.filter(({ kind }) => kind === 'vector');
  if (mapExpr === undefined && first === undefined) {
    throw new TypeError(`${name}: mapExpr must be given where no parameter is an array, got ${nameOf(mapExpr)}`);
  }
  const map = mapExpr === undefined ? `${first?.name ?? ''}[i]` : expressionText(mapExpr, `${name}: mapExpr`);
  return new IndexReduction({
    ...options,
    name,
    type,
    neutral: neutralText(neutral, type.struct === undefined ? type.dtype : undefined, `${name}: the neutral element`),
    reduce: expressionText(reduceExpr, `${name}: reduceExpr`),
    map,
    parameters: list,
  });
}

function axisReduction(form: ReductionForm): AxisReduction {
  checkOptions(form, FORM, WHAT);
  const name = kernelName(form.name, 'reduction', WHAT);
  checkUserOptions(form, name);
  const names = new Set(['a', 'b']);
  const inputs = parseTyped(form.in, `${name}: in`, names);
  const [output, ...more] = parseTyped(form.out, `${name}: out`, names);
  if (output === undefined || output.isRaw || more.length > 0) {
    throw new TypeError(`${name}: out must be one result, 'T z', got ${JSON.stringify(form.out)}`);
  }
  const { postMap = `${output.name} = a`, reduceType, preamble, options } = form;
  checkText(postMap, `${name}: postMap`);
  const [reduced] = reduceType === undefined ? [] : parseTyped(`${reduceType} rk`, `${name}: reduceType`, new Set());
  neutralText(form.identity, 'f32', `${name}: identity`);
  return new AxisReduction({
    preamble,
    options,
    name,
    inputs,
    output,
    map: expressionText(form.map, `${name}: map`),
    reduce: expressionText(form.reduce, `${name}: reduce`),
    postMap,
    identity: (dtype) => neutralText(form.identity, dtype, `${name}: identity`),
    reduceType: reduced,
  });
}

function readType(dtype: ReductionType, types: StructTypes | undefined, what: string): StateType {
  const struct = Object.entries(types ?? {}).find(([name, type]) => name === dtype || type === dtype);
  if (struct !== undefined) {
    const [name, { byteLength }] = struct;
    return { dtype: 'u8', struct: { name, byteLength } };
  }
  if (typeof dtype === 'function') {
    throw new TypeError(`${what}: a struct must have a name in C; write { types: { Name: theStruct } }`);
  }
  const known = Object.keys(types ?? {});
  return {
    dtype: readDType(dtype, `${what}: the dtype${known.length === 0 ? '' : ` must be ${known.join(', ')}, or`}`),
    struct: undefined,
  };
}
