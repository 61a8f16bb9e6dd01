import { Callable } from '../../core/callable.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { empty } from '../apply.ts';
import { arrayDTypes, readDType, type ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { take } from '../function/gather.ts';
import { argsort } from '../function/sort.ts';
import type { NDArray } from '../ndarray.ts';
import { asList } from '../shape.ts';
import { expressionText } from './expression-text.ts';
import { FlatProgram } from './flat-program.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { checkUserOptions, kernelName, type UserTextOptions } from './user-text.ts';
import { lanesOf } from '../lane-options.ts';

/** The options of {@link RadixSort}. */
export interface RadixSortOptions extends UserTextOptions {
  /** The name of kernels, `radix_sort` by default. */
  readonly name?: string | undefined;
  /** The dtype of keys, `'i32'` by default. */
  readonly keyDtype?: ArrayDType | undefined;
}

/** The options of a call of {@link RadixSort}. */
export interface RadixSortCallOptions extends LaneOptions {
  /** Begin with the greatest key. */
  readonly descending?: boolean | undefined;
}

/** Call it with the arguments that it declares, and options: gives the sorted arrays in new ones. Host: does not block. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export interface RadixSort {
  (...args: readonly unknown[]): NDArray[];
}

const WHAT = 'RadixSort';

/**
 * Sort arrays by a key that is computed of them: PyOpenCL's. The order is stable, and that of {@link sort}: NaN comes last.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const byLength = new xp.RadixSort('const float *x, const float *y', 'x[i] * x[i] + y[i] * y[i]', ['x', 'y'], { keyDtype: 'f32' });
 * const [x, y] = byLength(xp.array([3, 0, 1]), xp.array([4, 2, 0])); // x is [1, 0, 3]
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export class RadixSort extends Callable {
  readonly #program: FlatProgram;

  /**
   * @param parameters - C declarations, as {@link ElementwiseKernel} takes them
   * @param keyExpr - the key of the index `i`
   * @param sortArgNames - the vectors that are sorted
   * @throws TypeError not a text, a name that is no vector, or a key that cannot be ordered
   */
  constructor(
    parameters: string | readonly string[],
    keyExpr: string,
    sortArgNames: readonly string[],
    options: RadixSortOptions = {},
  ) {
    checkOptions(options, ['name', 'keyDtype', 'preamble', 'options', 'types'], WHAT);
    checkUserOptions(options, WHAT);
    const key = expressionText(keyExpr, `${WHAT}: the key`);
    const name = kernelName(options.name, 'radix_sort', WHAT);
    const { types } = options;
    const own = new KernelArguments(parameters, name, { types, reserved: ['i', 'sort_keys'] });
    const sorted = placesOf(own, sortArgNames);
    const keyDtype = readDType(options.keyDtype ?? 'i32', `${WHAT}: keyDtype`);
    if (arrayDTypes[keyDtype].kind === 'complex') {
      throw new TypeError(`${WHAT}: keyDtype must be one of real numbers, got ${keyDtype}`);
    }
    const declared = [...(typeof parameters === 'string' ? [parameters] : parameters), `${keyDtype} *sort_keys`];
    const list = new KernelArguments(typeof parameters === 'string' ? declared.join(', ') : declared, name, { types });
    const program = new FlatProgram({
      ...options,
      name,
      parameters: list,
      operation: `sort_keys[i] = ${key}`,
      loopPrep: '',
      afterLoop: '',
    });
    super((...args: readonly unknown[]) => {
      const arity = own.list.length;
      const call = (args.length > arity ? args[arity] : undefined) as RadixSortCallOptions | undefined;
      if (call !== undefined) checkOptions(call, ['descending', 'stream', 'queue'], name);
      const values = args.slice(0, arity);
      const lanes = lanesOf(call);
      const {
        engine,
        lane,
        length = 0,
      } = own.bind(args.length > arity ? values : args, { options: lanes, anyLength: false });
      using keys = empty(engine, [length], keyDtype, lane);
      program.run([...values, keys, lanes]);
      using order = argsort(keys, { descending: call?.descending, ...lanes });
      return sorted.map((i) => take(values[i] as NDArray, order as unknown as NDArray, lanes));
    }, name);
    this.#program = program;
  }

  /** The source of the kernel that computes the keys, as the last call ran it; undefined before the first one. */
  get source(): string | undefined {
    return this.#program.source;
  }
}

function placesOf(parameters: KernelArguments, names: unknown): number[] {
  const list = asList(names);
  if (!list || list.length === 0) {
    throw new TypeError(`${WHAT}: the arrays to sort must be a list of one or more names, got ${nameOf(names)}`);
  }
  return Array.from(list, (name) => {
    const place = parameters.list.findIndex((argument) => argument.name === name && argument.kind === 'vector');
    const dtype = parameters.list[place]?.dtype;
    if (place >= 0 && typeof dtype === 'string') return place;
    throw new TypeError(
      `${WHAT}: each array to sort must be a parameter that is a vector of numbers, got ${nameOf(name)}${typeof dtype === 'object' ? `, of ${dtype.name}; sort an array of places, and take by it` : ''}`,
    );
  });
}
