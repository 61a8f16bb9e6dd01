import type { WeakScalar } from '../dtype.ts';
import { fold } from './fold.ts';
import type { Formula, FormulaCall } from './formula.ts';
import type { At } from './typed.ts';

/** A part of formulas that has no array: it is computed by JavaScript, at its precision. */
interface ScalarPart {
  readonly formula: Exclude<Formula, { readonly kind: 'cast' }>;
  /** Whether it depends on no value. */
  readonly isConstant: boolean;
}

/** The parts of formulas that have no arrays, as large as they can be. What gives them anew is {@link ScalarParts.evaluate}. */
export class ScalarParts {
  readonly #isArray: (value: number) => boolean;
  readonly #at: At;
  /** In an order in which each comes after those that it needs. */
  readonly #parts: ScalarPart[] = [];
  readonly #places = new Map<Formula, number>();
  readonly #arrayed = new Set<Formula>();
  /** What the parts gave last, of which constant ones stay. */
  readonly #results: WeakScalar[] = [];
  #isConstant = true;

  /**
   * @param isArray - whether the value at a place is an array
   * @param at - says where an operation stands
   */
  constructor(formulas: readonly Formula[], isArray: (value: number) => boolean, at: At) {
    this.#isArray = isArray;
    this.#at = at;
    for (const formula of formulas) this.#visit(formula);
    this.#compute([], true);
  }

  /** The place of a part among the results; undefined for a formula with an array. */
  placeOf(formula: Formula): number | undefined {
    return this.#places.get(formula);
  }

  /** What the parts give with these values: good until the next call. */
  evaluate(values: readonly unknown[]): readonly WeakScalar[] {
    if (!this.#isConstant) this.#compute(values, false);
    return this.#results;
  }

  #compute(values: readonly unknown[], isConstant: boolean): void {
    for (const [place, part] of this.#parts.entries()) {
      if (part.isConstant === isConstant) this.#results[place] = this.#resultOf(part.formula, values);
    }
  }

  #resultOf(formula: ScalarPart['formula'], values: readonly unknown[]): WeakScalar {
    switch (formula.kind) {
      case 'value':
        return values[formula.index] as WeakScalar;
      case 'constant':
        return formula.value;
      case 'call':
        return this.#at(formula.at, () => {
          return fold(
            formula.operation,
            formula.operands.map((operand) => this.#results[this.#places.get(operand) ?? 0] ?? 0),
          );
        });
      default:
        return formula satisfies never;
    }
  }

  /** Whether a formula has an array; if not, it becomes a part. */
  #visit(formula: Formula): boolean {
    if (this.#places.has(formula)) return false;
    if (this.#arrayed.has(formula)) return true;
    const hasArray = this.#hasArray(formula);
    if (hasArray || formula.kind === 'cast') {
      this.#arrayed.add(formula);
      return true;
    }
    const isConstant =
      formula.kind === 'constant' || (formula.kind === 'call' && this.#hasConstantsAlone(formula.operands));
    if (!isConstant) this.#isConstant = false;
    this.#places.set(formula, this.#parts.push({ formula, isConstant }) - 1);
    return false;
  }

  #hasArray(formula: Formula): boolean {
    switch (formula.kind) {
      case 'value':
        return this.#isArray(formula.index);
      case 'constant':
        return false;
      case 'cast':
        // What a scalar is cast to is a dtype that is no longer weak: from there on it is as an array's.
        this.#visit(formula.operand);
        return true;
      case 'call':
        // All of them are visited, so that each has its place.
        return formula.operands.map((operand) => this.#visit(operand)).includes(true);
      default:
        return formula satisfies never;
    }
  }

  #hasConstantsAlone(operands: FormulaCall['operands']): boolean {
    return operands.every((operand) => this.#parts[this.#places.get(operand) ?? 0]?.isConstant);
  }
}
