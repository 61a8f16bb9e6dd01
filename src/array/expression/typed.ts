import type { ArrayDType, WeakScalar } from '../dtype.ts';
import { outcomeBeyond } from '../operation/comparison.ts';
import type { Operation, OperandType } from '../operation/operation.ts';
import { typingOf } from '../operation/typing.ts';
import type { Formula, FormulaCall } from './formula.ts';
import { call, type Node } from './node.ts';

/** A number that a kernel takes. */
export interface ScalarArgument {
  /** The part of scalars alone that gives it. */
  readonly part: number;
  readonly dtype: ArrayDType;
  /** Where the operation that takes it stands in the text. */
  readonly at: number | undefined;
}

/** A comparison with a scalar: integers that do not hold it need no kernel to be compared, and the next value may be another. */
export interface Order {
  readonly name: string;
  readonly dtype: ArrayDType;
  readonly part: number;
  readonly isFirst: boolean;
}

/** What a comparison gives where the elements cannot hold the scalar; undefined where it has to be computed. */
export function outcomeOf({ name, dtype, part, isFirst }: Order, scalars: readonly WeakScalar[]): boolean | undefined {
  return outcomeBeyond(name, dtype, scalars[part] ?? 0, isFirst);
}

/** Runs something on behalf of an operation, so that its errors can say where that stands. */
export type At = <T>(at: number | undefined, run: () => T) => T;

/** What formulas are over. */
export interface Surroundings {
  /** The array at a place among the values, by its number among the inputs, with its dtype. */
  readonly inputOf: (value: number) => { readonly index: number; readonly dtype: ArrayDType };
  /** The place of a part of scalars alone; undefined for a formula with an array. */
  readonly partOf: (formula: Formula) => number | undefined;
  /** What those parts give now. */
  readonly scalars: readonly WeakScalar[];
  readonly at: At;
}

/** Gives every node of formulas the dtype that it has operation by operation. What is used twice is one node. */
export class TypedFormulas {
  /** The numbers of the kernel, in order. */
  readonly scalars: ScalarArgument[] = [];
  /** The comparisons with scalars. */
  readonly orders: Order[] = [];
  readonly #around: Surroundings;
  readonly #nodes = new Map<Formula, Node>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The node of a formula that has an array. */
  node(formula: Formula): Node {
    let node = this.#nodes.get(formula);
    if (node === undefined) {
      node = this.#make(formula);
      this.#nodes.set(formula, node);
    }
    return node;
  }

  #make(formula: Formula): Node {
    switch (formula.kind) {
      case 'value':
        return { kind: 'input', ...this.#around.inputOf(formula.index) };
      case 'cast':
        return this.#cast(formula.operand, formula.dtype);
      case 'call':
        return this.#call(formula);
      case 'constant':
        throw new TypeError('A constant has no elements');
      default:
        return formula satisfies never;
    }
  }

  #call({ operation, operands, at }: FormulaCall): Node {
    const nodes = operands.map((operand) => this.#around.partOf(operand) ?? this.node(operand));
    const known = operation.rule === 'order' ? this.#beyond(operation.name, nodes) : undefined;
    if (known !== undefined) return known;
    const types = nodes.map((node): OperandType => {
      return typeof node === 'number' ? { scalar: this.#scalar(node) } : { dtype: node.dtype };
    });
    const typing = this.#around.at(at, () => typingOf(operation, types));
    const typed = nodes.map((node, i): Node => {
      return typeof node === 'number' ? this.#argument(node, typing.operands[i] ?? typing.result, at) : node;
    });
    return call(operation, typed, typing);
  }

  /** A comparison of elements with a scalar that their dtype does not hold. */
  #beyond(name: string, nodes: readonly (Node | number)[]): Node | undefined {
    const node = nodes.find((each) => typeof each !== 'number');
    const part = nodes.find((each) => typeof each === 'number');
    if (node === undefined || part === undefined) return undefined;
    const order: Order = { name, dtype: node.dtype, part, isFirst: typeof nodes[0] === 'number' };
    this.orders.push(order);
    const outcome = outcomeOf(order, this.#around.scalars);
    if (outcome === undefined) return undefined;
    const always: Operation = { name, arity: 1, rule: 'bool', kinds: [], text: () => String(outcome) };
    return call(always, [node], { operands: [node.dtype], result: 'bool' });
  }

  /** A cast stands where the operand's own dtype is no longer known, so scalars have their dtype from here on. */
  #cast(operand: Formula, dtype: ArrayDType): Node {
    const part = this.#around.partOf(operand);
    const node = part === undefined ? this.node(operand) : this.#argument(part, dtype, undefined);
    return call(castTo(dtype), [node], { operands: [dtype], result: dtype });
  }

  #argument(part: number, dtype: ArrayDType, at: number | undefined): Node {
    const known = this.scalars.findIndex((scalar) => scalar.part === part && scalar.dtype === dtype);
    const index = known === -1 ? this.scalars.push({ part, dtype, at }) - 1 : known;
    return { kind: 'scalar', index, dtype };
  }

  #scalar(part: number): WeakScalar {
    return this.#around.scalars[part] ?? 0;
  }
}

/** The conversion as an operation. Halves are computed with as floats: they are rounded here. */
function castTo(dtype: ArrayDType): Operation {
  const isHalf = dtype === 'f16' || dtype === 'bf16';
  return {
    name: 'astype',
    arity: 1,
    rule: 'same',
    kinds: [],
    text: ([a = '']) => (isHalf ? `${dtype}_to_f32(f32_to_${dtype}(${a}))` : a),
  };
}
