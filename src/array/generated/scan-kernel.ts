import { Callable } from '../../core/callable.ts';
import { checkOptions } from '../../core/check.ts';
import { checkOut, writtenAside } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Engine, Lane, LaneOptions } from '../engine.ts';
import { sourceOf } from '../kernel/source.ts';
import { engineOf, laneOf, type NDArray } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import type { ItemScan } from '../scan/item-scan.ts';
import { Scan } from '../scan/scan.ts';
import { scanLines } from '../scan/scan-lines.ts';
import { shapeText } from '../shape.ts';
import { mayDiffer } from '../sharing.ts';
import type { Language } from './element.ts';
import { expressionText, neutralText, type Neutral } from './expression-text.ts';
import { scanOfWriting } from './generic-scan-kernel.ts';
import { itemElement, plainDType, type ItemElement, type ItemName } from './item-element.ts';
import { KernelArguments } from './kernel-arguments.ts';
import type { ScanWriting } from './scan-functions.ts';
import { checkUserOptions, kernelName, userText, type UserTextOptions } from './user-text.ts';

/** The options of {@link InclusiveScanKernel} and {@link ExclusiveScanKernel}. */
export interface ScanKernelOptions extends UserTextOptions {
  /** The name of kernels, `scan` by default. */
  readonly name?: string | undefined;
}

/** The options of a call of {@link InclusiveScanKernel} and {@link ExclusiveScanKernel}. */
export interface ScanCallOptions extends LaneOptions {
  /** The axis to go along, the first one by default. */
  readonly axis?: number | undefined;
}

/**
 * Call it with an array, and where the results go: in place by default, a given array of the same shape and dtype, or `'new'`. Gives
 * the array that has them. Host: does not block.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export interface ScanKernel {
  <D extends ArrayDType>(x: NDArray<D>, out?: NDArray<D> | 'new', options?: ScanCallOptions): NDArray<D>;
}

const OPTIONS = ['name', 'preamble', 'options', 'types'];
const CALL_OPTIONS = ['axis', 'stream', 'queue'];

/** What both scans have in common. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export abstract class ScanKernel extends Callable {
  readonly #of: ScanOf;

  /** @internal */
  constructor(scan: ScanOf) {
    super((x: NDArray, out?: NDArray | 'new', options?: ScanCallOptions) => scan.run(x, out, options), scan.name);
    this.#of = scan;
  }

  /** What the kernel of the last call was made of; undefined before the first one. */
  get source(): string | undefined {
    return this.#of.source;
  }
}

/**
 * What the elements up to each one come to by an expression of two, `a` before `b`: PyCUDA's and PyOpenCL's. The expression must be
 * associative; it need not be commutative. Along the lines of an axis, in the layouts of {@link cumsum}; structs and short vectors in
 * one line.
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const largest = new xp.InclusiveScanKernel('int', 'a > b ? a : b', '-2147483648');
 * const x = xp.array([3, 1, 4, 1, 5], { dtype: 'i32' });
 * largest(x); // [3, 3, 4, 4, 5], in place
 * ```
 */
export class InclusiveScanKernel extends ScanKernel {
  /**
   * @param dtype - a dtype, a type's name in C, a struct of `types`: the arrays' elements
   * @param neutral - the element that changes nothing; without it elements take twice the room on their way
   * @throws TypeError not a text, or a dtype that kernels do not compute in
   */
  constructor(dtype: ItemName, scanExpr: string, neutral?: Neutral, options?: ScanKernelOptions) {
    super(new ScanOf('InclusiveScanKernel', dtype, scanExpr, neutral, options, false));
  }
}

/** What the elements before each one come to, the neutral one at first; otherwise as {@link InclusiveScanKernel}. */
export class ExclusiveScanKernel extends ScanKernel {
  /**
   * @param dtype - a dtype, a type's name in C, a struct of `types`: the arrays' elements
   * @param neutral - the element that changes nothing, and the first result
   * @throws TypeError not a text, or a dtype that kernels do not compute in
   */
  constructor(dtype: ItemName, scanExpr: string, neutral: Neutral, options?: ScanKernelOptions) {
    super(new ScanOf('ExclusiveScanKernel', dtype, scanExpr, neutral, options, true));
  }
}

/** A scan by a user's expression: along lines, or, of elements that lines are not made for, over items. */
class ScanOf {
  readonly name: string;
  readonly #dtype: ItemElement['dtype'];
  readonly #writing: ScanWriting;
  readonly #isExclusive: boolean;
  readonly #scans = new Map<Language, Scan>();
  readonly #items: ItemScan;
  #engine: Engine | undefined;

  constructor(
    what: string,
    dtype: ItemName,
    scanExpr: string,
    neutral: Neutral | undefined,
    options: ScanKernelOptions = {},
    isExclusive: boolean,
  ) {
    checkOptions(options, OPTIONS, what);
    checkUserOptions(options, what);
    const item = itemElement(dtype, options.types, what);
    this.name = kernelName(options.name, 'scan', what);
    this.#dtype = item.dtype;
    this.#isExclusive = isExclusive;
    const { types } = options;
    this.#writing = {
      ...options,
      ...item,
      name: this.name,
      parameters: new KernelArguments(`${item.typeName} *scanned, const ${item.typeName} *source`, this.name, {
        types,
      }),
      inputExpr: 'source[i]',
      scanExpr: expressionText(scanExpr, `${what}: the scan expression`),
      neutral:
        neutral === undefined && !isExclusive
          ? undefined
          : neutralText(neutral, plainDType(item), `${what}: the neutral element`),
      outputStatement: `scanned[i] = ${isExclusive ? 'prev_item' : 'item'};`,
      isSegmentStartExpr: undefined,
      fetches: [],
    };
    this.#items = scanOfWriting(this.#writing, options.options);
  }

  get source(): string | undefined {
    const engine = this.#engine;
    if (engine === undefined) return undefined;
    const text = this.#scans.get(engine.dialect.name)?.lastText;
    return text === undefined ? this.#items.source(engine) : sourceOf([text], engine.dialect);
  }

  run(x: NDArray, given: NDArray | 'new' | undefined, options: ScanCallOptions | undefined): NDArray {
    const what = this.name;
    checkArray(x, what);
    x.use(what);
    if (options !== undefined) checkOptions(options, CALL_OPTIONS, what);
    const engine = engineOf(x);
    const lane = engine.laneOf(options, what) ?? laneOf(x);
    const out = given === 'new' ? undefined : (given ?? x);
    this.#check(x, 'the array');
    if (out !== undefined) {
      checkArray(out, `${what}: out`);
      checkOut(out, x.shape, engine, what);
      this.#check(out, 'out');
    }
    const axis = normalizeAxis(options?.axis ?? 0, x.ndim, `${what}: axis`);
    this.#engine = engine;
    if (out !== undefined && !mayDiffer(out, x)) {
      this.#write(engine, lane, out, x, axis);
      return out;
    }
    return writtenAside({ engine, shape: x.shape, dtype: x.dtype }, out, lane, (made) => {
      this.#write(engine, lane, made, x, axis);
    });
  }

  /** Throw for an array that has not the elements. Of structs it has the bytes, which are looked at later. */
  #check(array: NDArray, role: string): void {
    const dtype = this.#dtype;
    if (typeof dtype === 'object' || array.dtype === dtype) return;
    throw new TypeError(
      `${this.name}: ${role} must have the dtype ${dtype}, got ${array.dtype}; write astype('${dtype}')`,
    );
  }

  #write(engine: Engine, lane: Lane, out: NDArray, x: NDArray, axis: number): void {
    const scan = this.#scanFor(engine.dialect.name);
    if (scan !== undefined) {
      scanLines(scan, engine, lane, out, x, axis);
      return;
    }
    if (x.ndim !== 1) {
      throw new RangeError(
        `${this.name}: an array of ${this.#writing.type.cuda} must have one axis, got shape ${shapeText(x.shape)}; write ravel()`,
      );
    }
    const { memories, length } = this.#writing.parameters.bind([out, x], { options: undefined, anyLength: false });
    const [to = 0, from = 0, ...numbers] = memories;
    this.#items.run(engine, lane, { n: length ?? 0, outputs: [to], inputs: [from], numbers });
  }

  /** The scan along lines; undefined where elements are too small for it, or structs, or no element is neutral. */
  #scanFor(language: Language): Scan | undefined {
    const { name, scanExpr, neutral, options, type } = this.#writing;
    const dtype = this.#dtype;
    const isPlain = typeof dtype === 'string' && arrayDTypes[dtype].size >= 4 && neutral !== undefined;
    if (!isPlain || options !== undefined) return undefined;
    let scan = this.#scans.get(language);
    if (scan === undefined) {
      const of = type[language];
      const { head, preamble } = userText(language, this.#writing, [scanExpr, neutral]);
      const operation = {
        name,
        kinds: [],
        isWide: false,
        isExclusive: this.#isExclusive,
        head,
        preamble: `${preamble}FN ${of} ${name}_neutral() {
  return ${neutral};
}
FN ${of} ${name}_of(const ${of} a, const ${of} b) {
  return ${scanExpr};
}
`,
        neutral: () => `${name}_neutral()`,
        combine: (a: string, b: string) => `${name}_of(${a}, ${b})`,
      };
      scan = new Scan({ operation, input: dtype, accumulator: dtype, output: dtype });
      this.#scans.set(language, scan);
    }
    return scan;
  }
}
