import { copyInto, empty } from '../apply.ts';
import { contiguous, lengthAt, strideAt, type Layout } from '../layout.ts';
import { viewOf, type NDArray } from '../ndarray.ts';
import { reshapeView } from '../reshape.ts';
import { arranged, grouped, multiplyInto, sumInto, type Place } from './multiply.ts';
import { multiplyProgram } from './multiply-program.ts';
import type { Subscripts } from './einsum-subscripts.ts';

/** An array whose axes have names. Its owner closes it. */
interface Term {
  readonly array: NDArray;
  readonly labels: readonly string[];
}

/** The product of arrays, two at a time from left to right, summed over the axes that the result does not have. */
export function contractAll(
  place: Place,
  { inputs, output, lengths }: Subscripts,
  arrays: readonly NDArray[],
  out: NDArray,
): void {
  let term = termOf(arrays[0] as NDArray, inputs[0] as readonly string[], lengths);
  try {
    for (let i = 1; i < arrays.length; i++) {
      using next = disposable(termOf(arrays[i] as NDArray, inputs[i] as readonly string[], lengths));
      const isLast = i === arrays.length - 1;
      const later = new Set([...output, ...inputs.slice(i + 1).flat()]);
      const made = contract(
        place,
        term,
        next.term,
        later,
        lengths,
        isLast ? { array: out, labels: output } : undefined,
      );
      term.array.close();
      term = made;
    }
    if (arrays.length === 1) sumOrCopy(place, term, { array: out, labels: output });
  } finally {
    term.array.close();
  }
}

function disposable(term: Term): { readonly term: Term } & Disposable {
  return {
    term,
    [Symbol.dispose](): void {
      term.array.close();
    },
  };
}

/** A view of an operand: its diagonal where a letter stands twice, repeated where an axis of length 1 meets a longer one. */
function termOf(array: NDArray, names: readonly string[], lengths: ReadonlyMap<string, number>): Term {
  const labels = [...new Set(names)];
  const shape = labels.map((label) => lengths.get(label) as number);
  const strides = labels.map((label) =>
    names.reduce((sum, name, axis) => {
      return name === label && array.shape[axis] !== 1 ? sum + strideAt(array.strides, axis) : sum;
    }, 0),
  );
  return { array: viewOf(array, { shape, strides, offset: array.offset }), labels };
}

/** The array in axes of given names; those that it does not have are of length 1. */
function inOrder({ array, labels }: Term, order: readonly string[]): Layout {
  return arranged(
    array,
    order.map((label) => labels.indexOf(label)),
  );
}

/** Write a term, summed over the axes that the target does not have. */
function sumOrCopy(place: Place, term: Term, into: Term): void {
  const summed = term.labels.filter((label) => !into.labels.includes(label));
  using source = viewOf(term.array, inOrder(term, [...into.labels, ...summed]));
  if (summed.length === 0) copyInto(into.array, source, place.lane);
  else sumInto(place, into.array, source);
}

/** The term without the axes that neither another one nor a later step has. */
function withoutOwn(place: Place, term: Term, other: Term, later: ReadonlySet<string>): Term {
  const labels = term.labels.filter((label) => later.has(label) || other.labels.includes(label));
  if (labels.length === term.labels.length) return { array: viewOf(term.array, term.array), labels };
  const shape = labels.map((label) => lengthAt(term.array.shape, term.labels.indexOf(label)));
  const array = empty(place.engine, shape, place.result, place.lane);
  try {
    sumOrCopy(place, term, { array, labels });
  } catch (error) {
    array.close();
    throw error;
  }
  return { array, labels };
}

/** The product of two terms, summed over the axes that no later step has. */
function contract(
  place: Place,
  left: Term,
  right: Term,
  later: ReadonlySet<string>,
  lengths: ReadonlyMap<string, number>,
  into: Term | undefined,
): Term {
  using a = disposable(withoutOwn(place, left, right, later));
  using b = disposable(withoutOwn(place, right, left, later));
  const shared = a.term.labels.filter((label) => b.term.labels.includes(label));
  const parts: Parts = {
    batch: shared.filter((label) => later.has(label)),
    summed: shared.filter((label) => !later.has(label)),
    left: a.term.labels.filter((label) => !shared.includes(label)),
    right: b.term.labels.filter((label) => !shared.includes(label)),
  };
  const labels = into?.labels ?? [...parts.batch, ...parts.left, ...parts.right];
  const shape = labels.map((label) => lengths.get(label) as number);
  const array = into ? viewOf(into.array, into.array) : empty(place.engine, shape, place.result, place.lane);
  try {
    if (parts.summed.length === 0) multiplyElements(place, { array, labels }, a.term, b.term);
    else multiplyMatrices(place, { array, labels }, a.term, b.term, parts);
  } catch (error) {
    array.close();
    throw error;
  }
  return { array, labels };
}

/** The axes of a product of two terms: in both, in both and summed over, in one. */
interface Parts {
  readonly batch: readonly string[];
  readonly summed: readonly string[];
  readonly left: readonly string[];
  readonly right: readonly string[];
}

function multiplyElements(place: Place, into: Term, left: Term, right: Term): void {
  using x = viewOf(left.array, inOrder(left, into.labels));
  using y = viewOf(right.array, inOrder(right, into.labels));
  multiplyProgram(x.dtype, y.dtype, place.result, into.array.dtype).run(
    place.engine,
    place.lane,
    [into.array, x, y],
    [],
  );
}

function multiplyMatrices(place: Place, into: Term, left: Term, right: Term, parts: Parts): void {
  const axes = ({ labels }: Term, names: readonly string[]): number[] => names.map((name) => labels.indexOf(name));
  const groups = (term: Term, row: readonly string[], column: readonly string[]): number[][] => {
    return [...parts.batch.map((label) => axes(term, [label])), axes(term, row), axes(term, column)];
  };
  using a = grouped(left.array, groups(left, parts.left, parts.summed));
  using b = grouped(right.array, groups(right, parts.summed, parts.right));
  const rank = parts.batch.length;
  const shape = [...a.shape.slice(0, rank + 1), lengthAt(b.shape, rank + 1)];
  const order = [...parts.batch, ...parts.left, ...parts.right];
  const target = inOrder(into, order);
  const view = reshapeView(target, shape);
  if (view) {
    using out = viewOf(into.array, view);
    multiplyInto(place, out, a, b);
    return;
  }
  using made = empty(place.engine, shape, into.array.dtype, place.lane);
  multiplyInto(place, made, a, b);
  using out = viewOf(into.array, target);
  using elements = viewOf(made, contiguous(target.shape, made.offset));
  copyInto(out, elements, place.lane);
}
