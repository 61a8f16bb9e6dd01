import { checkOptions } from '../core/check.ts';
import { checkCast, runInto, scalarCode } from './apply.ts';
import { broadcastShapes } from './broadcast.ts';
import type { ArrayDType, WeakScalar } from './dtype.ts';
import type { LaneOptions, LaunchArgument } from './engine.ts';
import { nameOfFormulas, type Formula } from './expression/formula.ts';
import { ScalarParts } from './expression/scalar-parts.ts';
import { outcomeOf, TypedFormulas, type At, type Order, type ScalarArgument } from './expression/typed.ts';
import { NDArray } from './ndarray.ts';
import { checkArray, checkOperand, pushScalar } from './operand.ts';
import { Program } from './program.ts';
import { runOutputs } from './run-outputs.ts';
import { shapeText } from './shape.ts';

/** Kernels have a bit for each input in a number. */
const MOST_ARRAYS = 30;
const OPTIONS = ['out', 'stream', 'queue'];

/** The options of computations that may have several results. */
export interface FuseOptions extends LaneOptions {
  /** Write the result into this array, or several into a list of arrays: no memory is allocated. They may be operands. */
  readonly out?: NDArray | readonly NDArray[] | undefined;
}

/** Where formulas are from. */
export interface Origin {
  /** What computes them, for errors and the names of kernels: `evaluate`. */
  readonly what: string;
  /** How a value is called in errors. */
  readonly nameOf: (value: number) => string;
  /** Runs something for the operation at a place of the text. */
  readonly at: At;
}

/** What follows from which values are arrays, of which dtypes, and which are one and the same. */
interface Split {
  readonly parts: ScalarParts;
  /** Of the inputs. */
  readonly dtypes: readonly ArrayDType[];
  /** The input that a value is. */
  readonly inputs: ReadonlyMap<number, number>;
  /** For each of several results, the inputs that it is made from. */
  readonly sources: readonly (readonly number[])[];
  readonly kinds: Map<string, Kinds>;
}

/** What follows from the kinds of scalars, too. */
interface Kinds {
  readonly orders: readonly Order[];
  /** By what is known of the comparisons. */
  readonly plans: Map<string, Plan>;
}

/** What is run. */
interface Plan {
  readonly program: Program;
  readonly results: readonly ArrayDType[];
  readonly scalars: readonly ScalarArgument[];
}

/** Formulas that are computed in one kernel. Kernels are kept by the dtypes of arrays and the kinds of scalars. */
export class Fused {
  readonly #formulas: readonly Formula[];
  readonly #origin: Origin;
  readonly #name: string;
  /** The values that each formula reads. */
  readonly #reads: readonly ReadonlySet<number>[];
  readonly #splits = new Map<string, Split>();

  constructor(formulas: readonly Formula[], origin: Origin) {
    this.#formulas = formulas;
    this.#origin = origin;
    this.#name = nameOfFormulas(origin.what, formulas);
    this.#reads = formulas.map(readsOf);
  }

  /** Compute. Returns an array for each formula. */
  run(values: readonly unknown[], options: FuseOptions | undefined): NDArray[] {
    const { what } = this.#origin;
    if (options !== undefined) checkOptions(options, OPTIONS, what);
    const outs = this.#outsOf(options);
    const arrays: NDArray[] = [];
    const split = this.#splitFor(values, arrays);
    const found = split.parts.evaluate(values);
    const plan = this.#planFor(split, found, outs);
    const scalars: LaunchArgument[] = [];
    for (const { part, dtype, at } of plan.scalars) {
      this.#origin.at(at, () => {
        pushScalar(scalars, found[part] ?? 0, dtype);
      });
    }
    const { program, results } = plan;
    const shape = commonShape(arrays);
    const [result] = results as [ArrayDType];
    if (results.length > 1) {
      this.#checkShapes(split, arrays, shape);
      return runOutputs(program, results, shape, arrays, scalars, outs, options, what);
    }
    const single = options === undefined ? undefined : { ...options, out: outs?.[0] };
    return [runInto(program, result, shape, arrays, scalars, single, what)];
  }

  #outsOf(options: FuseOptions | undefined): readonly NDArray[] | undefined {
    const { what } = this.#origin;
    const out: unknown = options?.out;
    if (out === undefined) return undefined;
    const outs = Array.isArray(out) ? (out as readonly unknown[]) : [out];
    if (outs.length !== this.#formulas.length) {
      throw new TypeError(`${what}: out must be a list of ${this.#formulas.length} arrays, got ${outs.length}`);
    }
    for (const array of outs) checkArray(array, `${what}: out`);
    return outs as readonly NDArray[];
  }

  /** @param arrays - takes the inputs */
  #splitFor(values: readonly unknown[], arrays: NDArray[]): Split {
    const { what } = this.#origin;
    let key = '';
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value instanceof NDArray) {
        const array = value as NDArray;
        array.use(what);
        if (!this.#reads.some((reads) => reads.has(i))) {
          key += '_';
          continue;
        }
        const known = arrays.indexOf(array);
        key += `${array.dtype}${known === -1 ? arrays.push(array) - 1 : known} `;
      } else {
        checkOperand(value, `${what}: ${this.#origin.nameOf(i)}`);
        key += '.';
      }
    }
    if (arrays.length === 0)
      throw new TypeError(`${what} must be given an NDArray among its values, got numbers alone`);
    let split = this.#splits.get(key);
    if (split === undefined) {
      split = this.#split(values, arrays);
      this.#splits.set(key, split);
    }
    return split;
  }

  #split(values: readonly unknown[], arrays: readonly NDArray[]): Split {
    const { what, at } = this.#origin;
    if (arrays.length + this.#formulas.length - 1 > MOST_ARRAYS) {
      const got = `${arrays.length}${this.#formulas.length > 1 ? ` and ${this.#formulas.length} results` : ''}`;
      throw new RangeError(
        `${what} must be given at most ${MOST_ARRAYS} arrays, got ${got}; compute a part of it before`,
      );
    }
    const inputs = new Map(
      values.flatMap((value, i): [number, number][] => {
        const input = value instanceof NDArray ? arrays.indexOf(value as NDArray) : -1;
        return input === -1 ? [] : [[i, input]];
      }),
    );
    const parts = new ScalarParts(this.#formulas, (value) => values[value] instanceof NDArray, at);
    for (const [i, formula] of this.#formulas.entries()) {
      if (parts.placeOf(formula) === undefined) continue;
      throw new TypeError(`${what}: result ${i} must be computed from an array, got one of numbers alone`);
    }
    const sources = this.#reads.map((reads) => [...reads].flatMap((value) => inputs.get(value) ?? []));
    return { parts, dtypes: arrays.map(({ dtype }) => dtype), inputs, sources, kinds: new Map() };
  }

  #planFor(split: Split, scalars: readonly WeakScalar[], outs: readonly NDArray[] | undefined): Plan {
    let key = '';
    for (const scalar of scalars) key += String(scalarCode(scalar));
    for (const { dtype } of outs ?? []) key += dtype;
    const known = split.kinds.get(key);
    const found = known?.plans.get(outcomes(known.orders, scalars));
    if (found !== undefined) return found;
    const typed = this.#typed(split, scalars);
    const plan = this.#plan(split, typed, outs);
    const { orders } = typed;
    const kinds = known ?? { orders, plans: new Map<string, Plan>() };
    kinds.plans.set(outcomes(orders, scalars), plan);
    split.kinds.set(key, kinds);
    return plan;
  }

  #typed({ parts, dtypes, inputs }: Split, scalars: readonly WeakScalar[]): TypedFormulas {
    return new TypedFormulas({
      inputOf: (value) => {
        const index = inputs.get(value) ?? 0;
        return { index, dtype: dtypes[index] ?? 'f32' };
      },
      partOf: (formula) => parts.placeOf(formula),
      scalars,
      at: this.#origin.at,
    });
  }

  #plan({ dtypes }: Split, typed: TypedFormulas, outs: readonly NDArray[] | undefined): Plan {
    const { what } = this.#origin;
    const nodes = this.#formulas.map((formula) => typed.node(formula));
    const outputs = nodes.map((node, i) => {
      const dtype = outs?.[i]?.dtype ?? node.dtype;
      checkCast(node.dtype, dtype, what);
      return { dtype, node };
    });
    const results = outputs.map(({ dtype }) => dtype);
    const numbers = typed.scalars.map(({ dtype }) => dtype);
    const name = [this.#name, ...dtypes, ...results].join('_');
    const program = new Program({ name, inputs: dtypes, scalars: numbers, outputs });
    return { program, results, scalars: typed.scalars };
  }

  /** Each result has the shape that its own operands have in common, as it would have alone. */
  #checkShapes({ sources }: Split, arrays: readonly NDArray[], shape: readonly number[]): void {
    for (const [i, inputs] of sources.entries()) {
      const own = commonShape(inputs.map((input) => arrays[input] as NDArray));
      if (own.length === shape.length && own.every((length, axis) => length === shape[axis])) continue;
      throw new RangeError(
        `${this.#origin.what}: the results must have one shape, got ${shapeText(own)} for result ${i} and ${shapeText(shape)} for all operands; compute that one by itself`,
      );
    }
  }
}

function readsOf(formula: Formula): ReadonlySet<number> {
  const values = new Set<number>();
  const seen = new Set<Formula>();
  const visit = (at: Formula): void => {
    if (seen.has(at)) return;
    seen.add(at);
    if (at.kind === 'value') values.add(at.index);
    else if (at.kind === 'cast') visit(at.operand);
    else if (at.kind === 'call') at.operands.forEach(visit);
  };
  visit(formula);
  return values;
}

/** The shape of the first, where all have it: it is used as it stands. */
function commonShape(arrays: readonly NDArray[]): readonly number[] {
  const [first] = arrays;
  if (first !== undefined && arrays.every(({ shape }) => shape === first.shape)) return first.shape;
  return broadcastShapes(arrays.map(({ shape }) => shape));
}

/** What is known of comparisons, as a key. */
function outcomes(orders: readonly Order[], scalars: readonly WeakScalar[]): string {
  let key = '';
  for (const order of orders) key += `${outcomeOf(order, scalars) ?? ''},`;
  return key;
}
