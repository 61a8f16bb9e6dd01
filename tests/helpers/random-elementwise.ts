import { checkCast } from '../../src/array/apply.ts';
import { collapse } from '../../src/array/collapse.ts';
import { broadcastTo } from '../../src/array/broadcast.ts';
import { arrayDTypes, isHeld, type ArrayDType } from '../../src/array/dtype.ts';
import type { Layout } from '../../src/array/layout.ts';
import type { Operation, OperandType, Typing } from '../../src/array/operation/operation.ts';
import { operations } from '../../src/array/operation/table.ts';
import { commonDType, typingOf } from '../../src/array/operation/typing.ts';
import { indicesOf, offsetAt } from './dense-array.ts';
import { converted, rounded, type Value } from './elementwise-reference.ts';
import type { Choices } from './random-view.ts';

/** A kind of scalar among operands. */
type ScalarKind = 'integer' | 'fraction' | 'bigint' | 'bool' | 'complex';

/** What is computed: everything that decides about a kernel's text. */
export interface Combination {
  readonly operation: Operation;
  readonly operands: readonly (ArrayDType | ScalarKind)[];
  /** The dtype of an array that takes the result; undefined for a new one. */
  readonly out: ArrayDType | undefined;
}

/** Functions that other tests compare with tables. */
const ELSEWHERE = ['erf', 'erfc', 'lgamma', 'tgamma', 'digamma', 'i0', 'sinc'];
const OF_COMPLEX =
  'add subtract negative positive conj real imag equal notEqual isnan isinf isfinite isreal iscomplex multiply square divide abs angle where';
const SCALARS: readonly ScalarKind[] = ['integer', 'fraction', 'bigint', 'bool', 'complex'];
const DTYPES = Object.keys(arrayDTypes) as ArrayDType[];
const SAMPLES: Readonly<Record<ScalarKind, Value>> = {
  integer: 3,
  fraction: 0.5,
  bigint: 3n,
  bool: true,
  complex: { re: 1, im: 2 },
};

const isScalar = (operand: ArrayDType | ScalarKind): operand is ScalarKind => operand in SAMPLES && operand !== 'bool';

function typeOf(operand: ArrayDType | ScalarKind): OperandType {
  return isScalar(operand) ? { scalar: SAMPLES[operand] } : { dtype: operand as ArrayDType };
}

/** Combinations that have a meaning, each operation as often as the others. */
export function combinations(count: number, choices: Choices): Combination[] {
  const names = Object.values(operations).filter(({ name }) => !ELSEWHERE.includes(name));
  const made: Combination[] = [];
  let order: Operation[] = [];
  while (made.length < count) {
    if (order.length === 0) order = choices.shuffled(names);
    const operation = order.pop() as Operation;
    for (let attempt = 0; attempt < 40; attempt++) {
      const combination = oneOf(operation, choices);
      if (combination === undefined) continue;
      made.push(combination);
      break;
    }
  }
  return made;
}

function oneOf(operation: Operation, choices: Choices): Combination | undefined {
  const operands = Array.from({ length: operation.arity }, () => {
    return operation.arity > 1 && choices.below(4) === 0 ? choices.of(SCALARS) : choices.of(DTYPES);
  });
  if (operands.every(isScalar)) return undefined;
  try {
    const { result, operands: computed } = typingOf(operation, operands.map(typeOf));
    const isOfComplex = computed.some((dtype) => arrayDTypes[dtype].kind === 'complex');
    if (isOfComplex && !OF_COMPLEX.split(' ').includes(operation.name)) return undefined;
    const out = choices.of([undefined, result, choices.of(DTYPES)]);
    if (out !== undefined) checkCast(result, out, operation.name);
    return { operation, operands, out };
  } catch {
    return undefined;
  }
}

/** One operand of an expression: a view of memory that has been filled, or a scalar. */
export type RandomOperand =
  | { readonly dtype: ArrayDType; readonly layout: Layout; readonly memory: readonly Value[] }
  | { readonly scalar: Value };

/** An expression with its operands. */
export interface Expression {
  readonly combination: Combination;
  readonly typing: Typing;
  readonly shape: readonly number[];
  readonly operands: readonly RandomOperand[];
  /** Where the result goes: memory of its own, or that of an operand. */
  readonly out: { readonly layout: Layout; readonly from: number | undefined; readonly length: number } | undefined;
  /** What kernels it needs, as far as layouts decide about it. */
  readonly walk: string;
}

/** A random expression of a combination. */
export function randomExpression(combination: Combination, choices: Choices): Expression {
  const { operation, operands, out } = combination;
  const isFlat = choices.below(3) === 0;
  const shape = randomShape(choices);
  const made = operands.map((operand): RandomOperand => {
    if (isScalar(operand)) return { scalar: randomScalar(operand, combination, choices) };
    const layout =
      isFlat && choices.below(4) > 0
        ? flatLayout(shape, choices.below(3))
        : randomLayout(narrowed(shape, choices), choices, true);
    return {
      dtype: operand as ArrayDType,
      layout,
      memory: randomMemory(operand, lengthOf(layout), operation, choices),
    };
  });
  const arrays = made.flatMap((operand) => ('layout' in operand ? [operand] : []));
  const common = shapeOf(arrays.map(({ layout }) => layout.shape));
  const typing = typingOf(
    operation,
    operands.map((operand, i) => {
      const random = made[i] as RandomOperand;
      return 'scalar' in random && isTaken(random.scalar, combination) ? { scalar: random.scalar } : typeOf(operand);
    }),
  );
  const target = out === undefined ? undefined : randomOut(common, made, out, isFlat, choices);
  return {
    combination,
    typing,
    shape: common,
    operands: made,
    out: target,
    walk: walkOf(
      common,
      arrays.map(({ layout }) => layout),
      target,
    ),
  };
}

/** Kinds of walks that expressions of a combination may take, about as many as are asked for: each is a kernel. */
export function walksOf(combination: Combination, count: number, choices: Choices): Set<string> {
  const walks = new Set<string>();
  for (let attempt = 0; attempt < 20 && walks.size < count; attempt++) {
    const { walk } = randomExpression(combination, choices);
    if (walk !== 'none') for (const each of walk.split(', ')) walks.add(each);
  }
  return walks;
}

/** Whether the dtype that the arrays have in common holds a scalar, where it is one of integers. */
function isTaken(scalar: Value, { operation, operands }: Combination): boolean {
  if (typeof scalar === 'number' ? !Number.isInteger(scalar) : typeof scalar !== 'bigint') return true;
  const inCommon = operation.rule === 'choice' ? operands.slice(1) : operands;
  const arrays = inCommon.flatMap((operand) => (isScalar(operand) ? [] : [typeOf(operand)]));
  const dtype = arrays.length > 0 ? commonDType(arrays) : 'bool';
  const { kind } = arrayDTypes[dtype];
  return (kind !== 'int' && kind !== 'uint') || isHeld(dtype, scalar);
}

function randomOut(
  shape: readonly number[],
  operands: readonly RandomOperand[],
  dtype: ArrayDType,
  isFlat: boolean,
  choices: Choices,
): Expression['out'] {
  const layout = isFlat ? flatLayout(shape, choices.below(3)) : randomLayout(shape, choices, false);
  const places = operands.flatMap((operand, i) => ('dtype' in operand && operand.dtype === dtype ? [i] : []));
  if (places.length === 0 || choices.below(3) > 0) return { layout, from: undefined, length: lengthOf(layout) };
  const from = choices.of(places);
  const operand = operands[from] as Extract<RandomOperand, { layout: Layout }>;
  // In place, or a view that overlaps in part.
  const isSame = choices.below(2) === 0 && isEqual(operand.layout.shape, shape) && hasOwnElements(operand.layout);
  if (isSame) return { layout: operand.layout, from, length: operand.memory.length };
  if (lengthOf(layout) > operand.memory.length) return { layout, from: undefined, length: lengthOf(layout) };
  return { layout, from, length: operand.memory.length };
}

function hasOwnElements(layout: Layout): boolean {
  return layout.shape.every((length, axis) => length <= 1 || layout.strides[axis] !== 0);
}

const isEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((length, i) => length === b[i]);

function shapeOf(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map(({ length }) => length));
  return Array.from({ length: rank }, (_, axis) => {
    const lengths = shapes.map((shape) => shape[shape.length - rank + axis] ?? 1);
    return lengths.find((length) => length !== 1) ?? 1;
  });
}

function randomShape(choices: Choices): number[] {
  const rank = choices.below(6);
  if (rank === 1 && choices.below(3) === 0) return [choices.between(1, 300)];
  return Array.from({ length: rank }, () => (choices.below(24) === 0 ? 0 : choices.between(1, rank > 3 ? 3 : 5)));
}

/** A shape that broadcasts to another one. */
function narrowed(shape: readonly number[], choices: Choices): number[] {
  if (choices.below(2) === 0) return [...shape];
  return shape.slice(choices.below(shape.length + 1)).map((length) => (choices.below(3) === 0 ? 1 : length));
}

function flatLayout(shape: readonly number[], offset: number): Layout {
  let size = 1;
  const strides = [...shape].reverse().map((length) => {
    const stride = size;
    size *= length;
    return stride;
  });
  return { shape, strides: strides.reverse(), offset };
}

/** Axes in any order, with steps of either sign, gaps, and repeated elements where it is read. */
function randomLayout(shape: readonly number[], choices: Choices, canRepeat: boolean): Layout {
  const order =
    choices.below(2) === 0 ? shape.map((_, axis) => axis).reverse() : choices.shuffled(shape.map((_, axis) => axis));
  const strides = shape.map(() => 0);
  let size = 1;
  let offset = choices.below(4);
  for (const axis of order) {
    const length = shape[axis] ?? 1;
    if (canRepeat && choices.below(10) === 0) continue;
    const step = choices.of([1, 1, 1, 2, 3, -1, -2]);
    strides[axis] = size * step;
    if (step < 0) offset -= size * step * Math.max(length - 1, 0);
    size *= Math.max((length - 1) * Math.abs(step) + 1 + choices.below(2), 1);
  }
  return { shape: [...shape], strides, offset };
}

function lengthOf(layout: Layout): number {
  return Math.max(1, layout.offset + 1, ...indicesOf(layout.shape).map((index) => offsetAt(layout, index) + 1));
}

/** Names the kernels that an expression needs: those of its walk, and of copies where its output overlaps. */
function walkOf(shape: readonly number[], layouts: readonly Layout[], out: Expression['out']): string {
  if (shape.includes(0)) return 'none';
  const target = out?.layout ?? flatLayout(shape, 0);
  const all = [target, ...layouts.map((layout) => broadcastTo(layout, shape))];
  const text = walkText(shape, all);
  if (out?.from === undefined) return text;
  // With a copy from memory of its own.
  const flat = flatLayout(shape, 0);
  return `${text}, ${walkText(shape, [flat, ...all.slice(1)])}, copy ${walkText(shape, [target, flat])}`;
}

function walkText(shape: readonly number[], layouts: readonly Layout[]): string {
  const { shape: lengths, strides } = collapse(
    shape,
    layouts.map((layout) => layout.strides),
  );
  const [length = 1] = lengths;
  if (lengths.length > 1) return `${lengths.length}d`;
  const steps = strides.map(([step = 0]) => step);
  if (length === 1 || steps.every((step) => step === 1)) return 'flat';
  if (steps[0] !== 1 || steps.some((step) => step !== 0 && step !== 1)) return '1d';
  return `one ${steps.join('')}`;
}

const FLOATS = [0, -0, 1, -1, 0.5, -0.5, 2, -3, 1.5, 2.5, 100, 1e-3, Infinity, -Infinity, NaN];

/** Integers at the limits of dtypes: i32 holds them all. */
const INTEGERS = [-1, -3, -128, 127, 200, 255, -300, 300, 32767, 65535, -(2 ** 31), 2 ** 31 - 1];
/** Integers that comparisons take too, whatever the arrays' dtype holds. */
const FAR = [...INTEGERS, 2 ** 31, 2 ** 40, -(2 ** 40), 2 ** 70, -(2 ** 70)];

function randomScalar(kind: ScalarKind, combination: Combination, choices: Choices): Value {
  if (kind === 'bool') return choices.below(2) === 0;
  if (kind === 'complex') return { re: choices.between(-3, 3), im: choices.between(-3, 3) / 2 };
  if (kind === 'fraction') return choices.of([0.5, -1.25, 2.75, NaN, Infinity, choices.between(-1000, 1000) / 999.5]);
  const isAny = combination.operation.rule === 'order';
  const few = choices.below(101);
  const many = choices.below(3) === 0 ? choices.of(isAny ? FAR : INTEGERS) : few;
  const scalar = isAny || isTaken(many, combination) ? many : few;
  return kind === 'bigint' ? BigInt(scalar) : scalar;
}

function randomMemory(dtype: ArrayDType, length: number, operation: Operation, choices: Choices): Value[] {
  return Array.from({ length }, () => randomElement(dtype, operation, choices));
}

function randomElement(dtype: ArrayDType, operation: Operation, choices: Choices): Value {
  const { kind, size, part } = arrayDTypes[dtype];
  if (kind === 'bool') return choices.below(2) === 0;
  if (kind === 'complex') return { re: randomFloat(part, choices), im: randomFloat(part, choices) };
  if (kind === 'float') return randomFloat(dtype, choices);
  const width = BigInt(size * 8);
  const edges = [0n, 1n, -1n, 2n, -2n, 3n, 7n, 100n, 1n << (width - 1n), (1n << (width - 1n)) - 1n, (1n << width) - 1n];
  const wide = BigInt(choices.below(2 ** 31)) * BigInt(choices.below(2 ** 31)) * 4n + BigInt(choices.below(4));
  const value = choices.of([
    choices.of(edges),
    BigInt(choices.between(-20, 20)),
    operation.rule === 'scale' ? 5n : wide,
  ]);
  return converted(value, dtype);
}

function randomFloat(dtype: ArrayDType, choices: Choices): number {
  const scale = choices.of([1, 4, 10, 1e-2]);
  const value = choices.below(4) === 0 ? choices.of(FLOATS) : (choices.below(2 ** 30) / 2 ** 29 - 1) * scale;
  return rounded(value, dtype);
}
