import { Callable } from '../../core/callable.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import type { Engine, LaneOptions } from '../engine.ts';
import { ItemScan } from '../scan/item-scan.ts';
import { asList } from '../shape.ts';
import { expressionText, neutralText, type Neutral } from './expression-text.ts';
import { itemElement, plainDType, type ItemName } from './item-element.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { namesOf, scanFunctions, type FetchExpression, type ScanWriting } from './scan-functions.ts';
import { checkText, checkUserOptions, kernelName, type UserTextOptions } from './user-text.ts';

/** The options of {@link GenericScanKernel}. */
export interface GenericScanOptions extends UserTextOptions {
  /** The name of kernels, `scan` by default. */
  readonly name?: string | undefined;
  /** Whether an item begins a segment: it is not put together with those before it. */
  readonly isSegmentStartExpr?: string | undefined;
  /** Values that the expressions name: `['before', 'x', -1]` is `x[i - 1]`, of the first item `x[0]`. */
  readonly inputFetchExprs?: readonly (readonly [name: string, array: string, offset: 0 | -1])[] | undefined;
}

/** The options of a call of {@link GenericScanKernel}. */
export interface GenericScanCallOptions extends LaneOptions {
  /** How many items there are; by default as many as the first array has elements. */
  readonly size?: number | undefined;
}

const WHAT = 'GenericScanKernel';
const OPTIONS = ['name', 'preamble', 'options', 'types', 'isSegmentStartExpr', 'inputFetchExprs'];
const CALL_OPTIONS = ['size', 'stream', 'queue'];

/** Call it with the arguments that it declares, and options. Host: does not block. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export interface GenericScanKernel {
  (...args: readonly unknown[]): void;
}

/**
 * A scan of items that an expression gives for each index, and a statement for each result: PyOpenCL's. Most algorithms over
 * arrays are such scans, as {@link copyIf} and {@link RadixSort}.
 *
 * The scan expression is of two items, `a` before `b`, and must be associative; it need not be commutative. With segments it may
 * ask `across_seg_boundary`, whether `b` begins a segment after `a`; otherwise such an `a` is left out. The statement has `i`, `N`,
 * `item`, `prev_item` (of the items before; where a segment begins, the neutral one) and `last_item` (of all).
 *
 * On CUDA one pass of groups that look back, D. Merrill, M. Garland (2016), unless the statement names `last_item`; elsewhere sums of
 * parts first.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const even = new xp.GenericScanKernel('int', 'const int *x, int *out', 'x[i] % 2 == 0', 'a + b', '0',
 *   'if (prev_item != item) out[prev_item] = x[i];');
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export class GenericScanKernel extends Callable {
  readonly #scan: ItemScan;
  #engine: Engine | undefined;

  /**
   * @param dtype - of items: a dtype, a type's name in C, a struct of `types`
   * @param parameters - C declarations, as {@link ElementwiseKernel} takes them
   * @param inputExpr - the item of the index `i`
   * @param scanExpr - what items `a` and `b` come to
   * @param neutral - the item that changes nothing
   * @param outputStatement - what is done with each result
   * @throws TypeError not a text, a parameter or a dtype that kernels do not take
   */
  constructor(
    dtype: ItemName,
    parameters: string | readonly string[],
    inputExpr: string,
    scanExpr: string,
    neutral: Neutral,
    outputStatement: string,
    options: GenericScanOptions = {},
  ) {
    checkOptions(options, OPTIONS, WHAT);
    checkUserOptions(options, WHAT);
    const { types, isSegmentStartExpr } = options;
    const name = kernelName(options.name, 'scan', WHAT);
    const item = itemElement(dtype, types, WHAT);
    const writing: ScanWriting = {
      ...options,
      ...item,
      name,
      parameters: new KernelArguments(parameters, name, { types, reserved: RESERVED }),
      inputExpr: expressionText(inputExpr, `${WHAT}: the input expression`),
      scanExpr: expressionText(scanExpr, `${WHAT}: the scan expression`),
      neutral: neutralText(neutral, plainDType(item), `${WHAT}: the neutral item`),
      outputStatement: textOf(outputStatement, 'the output statement'),
      isSegmentStartExpr:
        isSegmentStartExpr === undefined
          ? undefined
          : expressionText(isSegmentStartExpr, `${WHAT}: isSegmentStartExpr`),
      fetches: [],
    };
    const whole = { ...writing, fetches: fetchesOf(options.inputFetchExprs, writing.parameters) };
    const scan = scanOfWriting(whole, options.options);
    super((...args: readonly unknown[]) => {
      this.#engine = runScan(scan, whole, args);
    }, name);
    this.#scan = scan;
  }

  /** What the kernel of the last call was made of; undefined before the first one. */
  get source(): string | undefined {
    return this.#engine && this.#scan.source(this.#engine);
  }
}

const RESERVED = ['i', 'N', 'item', 'prev_item', 'last_item'];

/** The scan of what a user has written. */
export function scanOfWriting(writing: ScanWriting, options: readonly string[] | undefined): ItemScan {
  const { name, parameters, outputStatement } = writing;
  return new ItemScan((language) => {
    return {
      name,
      memories: parameters.memories,
      numbers: [...parameters.offsets, ...parameters.scalars],
      ...scanFunctions(writing, language),
      ...namesOf(outputStatement),
    };
  }, options);
}

/** Run a scan over the arguments of a call. */
export function runScan(scan: ItemScan, { name, parameters }: ScanWriting, args: readonly unknown[]): Engine {
  const arity = parameters.list.length;
  const hasOptions = args.length === arity + 1;
  const options = (hasOptions ? args[arity] : undefined) as GenericScanCallOptions | undefined;
  if (options !== undefined) checkOptions(options, CALL_OPTIONS, name);
  const bound = parameters.bind(hasOptions ? args.slice(0, arity) : args, { options, anyLength: true });
  const { engine, lane, memories, scalars } = bound;
  const n = options?.size === undefined ? (bound.length ?? 0) : checkInteger(options.size, `${name}: size`, 0);
  const count = parameters.memories.length;
  scan.run(engine, lane, {
    n,
    outputs: memories.slice(0, parameters.written),
    inputs: memories.slice(parameters.written, count),
    numbers: [...memories.slice(count), ...scalars],
  });
  return engine;
}

function textOf(text: unknown, what: string): string {
  checkText(text, `${WHAT}: ${what}`);
  return text;
}

function fetchesOf(given: GenericScanOptions['inputFetchExprs'], parameters: KernelArguments): FetchExpression[] {
  if (given === undefined) return [];
  const what = `${WHAT}: inputFetchExprs`;
  const list = asList(given);
  if (!list) throw new TypeError(`${what} must be a list of [name, array, offset], got ${nameOf(given)}`);
  return Array.from(list, (each) => {
    const [name, array, offset] = (asList(each) ?? []) as [string, string, 0 | -1];
    if (parameters.named(array)?.kind !== 'vector') {
      const vectors = parameters.list.filter(({ kind }) => kind === 'vector').map((vector) => vector.name);
      throw new TypeError(
        `${what}: the array must be one of the parameters ${vectors.join(', ')}, got ${nameOf(array)}`,
      );
    }
    if ((offset as number) !== 0 && (offset as number) !== -1) {
      throw new RangeError(`${what}: the offset must be 0 or -1, got ${String(offset)}`);
    }
    return { name: textOf(name, 'the name of a fetched value'), array, offset };
  });
}
