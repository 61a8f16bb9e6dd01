import { checkOptions, nameOf } from '../../core/check.ts';
import { normalizeAxes, normalizeAxis } from '../axes.ts';
import { arrayDTypes, readDType, type ArrayDType } from '../dtype.ts';
import type { Node } from '../expression/node.ts';
import type { NDArray, ReductionOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { checkKind } from '../operation/typing.ts';
import { shapeText } from '../shape.ts';
import { reduceArrays, reducedCount } from './reduce-arrays.ts';
import { Reducer } from './reducer.ts';
import { foldOf, mappedValue, reductionTyping, type ReductionRow } from './table.ts';
import type { NormOptions, VarianceOptions } from '../method-options.ts';

/** The options of any reduction, before they are looked at. */
export type AnyReductionOptions = ReductionOptions & VarianceOptions & NormOptions;

const OPTIONS = ['axis', 'keepdims', 'out', 'stream', 'queue'];

/** A reduction, ready to be applied to arrays: what is made for their dtypes is kept. */
export class AppliedReduction {
  readonly #name: string;
  readonly #row: ReductionRow;
  readonly #kernel: string;
  readonly #options: readonly string[];
  readonly #reducers = new Map<string, Reducer>();

  /** @param kernel - the first part of the names of its kernels */
  constructor(name: string, row: ReductionRow, kernel: string = name) {
    this.#name = name;
    this.#row = row;
    this.#kernel = kernel;
    this.#options = [...row.options, ...OPTIONS];
  }

  run(array: unknown, options: AnyReductionOptions | undefined): NDArray {
    const name = this.#name;
    checkArray(array, `${name}: the array`);
    array.use(name);
    if (typeof options === 'number')
      throw new TypeError(`${name} takes axes as an option: ${name}({ axis: ${String(options)} })`);
    if (options !== undefined) checkOptions(options, this.#options, name);
    const { dtype, shape, ndim } = array;
    const reducer = this.#reducer(dtype, options?.dtype);
    const axes = this.#axes(options?.axis, ndim);
    const count = reducedCount(shape, axes);
    if (count === 0 && this.#row.needsElements === true && hasResults(shape, axes)) {
      throw new RangeError(
        `${name} must have an element to reduce, got shape ${shapeText(shape)}; see first that size is not 0`,
      );
    }
    const divisor = Math.max(count - correctionOf(options, name), 0);
    const how = { axes, keepdims: options?.keepdims === true, divisor };
    return reduceArrays(reducer, [{ array, layout: array }], how, options, name);
  }

  #axes(axis: unknown, rank: number): number[] {
    const what = `${this.#name}: axis`;
    // A place is one along an axis, or among all elements.
    if (this.#row.isPlaced === true && axis !== undefined) return [normalizeAxis(axis, rank, what)];
    return normalizeAxes(axis as number | undefined, rank, what);
  }

  #reducer(dtype: ArrayDType, option: unknown): Reducer {
    const asked = option === undefined ? undefined : readDType(option, `${this.#name}: dtype`);
    const key = asked === undefined ? dtype : `${dtype} ${asked}`;
    let reducer = this.#reducers.get(key);
    if (reducer === undefined) {
      reducer = this.#make(dtype, asked);
      this.#reducers.set(key, reducer);
    }
    return reducer;
  }

  #make(dtype: ArrayDType, asked: ArrayDType | undefined): Reducer {
    const row = this.#row;
    checkKind(this.#name, dtype, row.kinds, row.advice);
    if (asked !== undefined) this.#checkAsked(dtype, asked);
    const typing = reductionTyping(row, dtype, asked);
    const input: Node = { kind: 'input', index: 0, dtype };
    return new Reducer({
      name: [this.#kernel, dtype, ...(asked === undefined ? [] : ['in', asked])].join('_'),
      inputs: [dtype],
      value: mappedValue(row.map, input, typing),
      element: typing.element,
      result: typing.result,
      fold: (count) => foldOf(row, typing, count),
    });
  }

  #checkAsked(dtype: ArrayDType, asked: ArrayDType): void {
    const { rule, kinds, advice } = this.#row;
    const isFloat = rule === 'float' || rule === 'real';
    const what = `${this.#name}: dtype`;
    const { kind } = arrayDTypes[asked];
    if (kind === 'bool' || (isFloat && kind !== 'float' && kind !== 'complex')) {
      throw new TypeError(`${what} must be that of ${isFloat ? 'floats' : 'numbers'}, got ${asked}`);
    }
    checkKind(what, asked, kinds, advice);
    if (arrayDTypes[dtype].kind !== 'complex' || kind === 'complex') return;
    throw new TypeError(`${what} must be c64 or c128 for elements of ${dtype}, got ${asked}; reduce real() or abs()`);
  }
}

/** Whether there is a result at all: the axes that stay have indices. */
function hasResults(shape: readonly number[], axes: readonly number[]): boolean {
  return shape.every((length, axis) => length > 0 || axes.includes(axis));
}

function correctionOf(options: AnyReductionOptions | undefined, name: string): number {
  const correction = options?.correction;
  if (correction === undefined) return 0;
  if (typeof correction !== 'number') {
    throw new TypeError(`${name}: correction must be a number, got ${nameOf(correction)}`);
  }
  if (Number.isFinite(correction)) return correction;
  throw new RangeError(`${name}: correction must be finite, got ${correction}`);
}
