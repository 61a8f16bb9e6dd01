import { describe, expect, test } from '@jest/globals';
import { collapse } from '../../../src/array/collapse.ts';
import { contiguous, extentOf, isColumnMajor, isContiguous, type Layout } from '../../../src/array/layout.ts';
import { hasInternalOverlap, overlap } from '../../../src/array/overlap.ts';
import { reshapeView } from '../../../src/array/reshape.ts';
import { sizeOf } from '../../../src/array/shape.ts';
import { transpose } from '../../../src/array/view.ts';
import { type Dense, denseOf, denseRange, indicesOf, offsetAt } from '../../helpers/dense-array.ts';
import { Choices, randomStep, type View } from '../../helpers/random-view.ts';

const FIRST = 5;

function start(choices: Choices, shape: readonly number[] = choices.shape()): View {
  return { layout: contiguous(shape, FIRST), dense: denseRange(shape, FIRST), steps: `seed shape ${shape.join()}` };
}

/** Expect equality. A matcher for each of thousands of views would take most of the time. */
function check(found: unknown, wanted: unknown, facts: object | string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) expect({ facts, found }).toEqual({ facts, found: wanted });
}

/** Views of views, up to six steps deep. */
function* randomViews(seed: number, count: number, canBroadcast = true): Generator<View & { readonly memory: number }> {
  const choices = new Choices(seed);
  for (let i = 0; i < count; i++) {
    let view = start(choices);
    const memory = view.dense.items.length;
    for (let steps = choices.between(1, 6); steps > 0; steps--) view = randomStep(view, choices, canBroadcast);
    yield { ...view, memory };
  }
}

/** Whether the elements are in order, each at the next offset. */
function isRun({ items }: Dense): boolean {
  return items.every((item, i) => item === (items[0] as number) + i);
}

describe('random views of views', () => {
  test('show the elements that the naive model has', () => {
    for (const { layout, dense, steps } of randomViews(1, 3000)) {
      check(denseOf(layout), dense, steps);
    }
  });

  test('have strides of whole numbers and no negative zero', () => {
    for (const { layout, steps } of randomViews(2, 1000)) {
      const odd = [...layout.shape, ...layout.strides, layout.offset].filter(
        (number) => !Number.isSafeInteger(number) || Object.is(number, -0),
      );
      check(odd, [], steps);
    }
  });

  test('stay within the memory, also without an element', () => {
    for (const { layout, dense, steps, memory } of randomViews(3, 2000)) {
      const { items } = dense;
      const extent = items.length === 0 ? undefined : [Math.min(...items), Math.max(...items)];
      check(extentOf(layout), extent, steps);
      const isWithin = layout.offset >= FIRST && layout.offset <= FIRST + Math.max(0, memory - 1);
      check(isWithin, true, steps);
    }
  });

  test('are contiguous where their elements follow each other', () => {
    let found = 0;
    for (const { layout, dense, steps } of randomViews(4, 2000)) {
      const [rows, columns] = [isRun(dense), isRun(denseOf(transpose(layout)))];
      if (rows || columns) found++;
      check([isContiguous(layout), isColumnMajor(layout)], [rows, columns], steps);
    }
    expect(found).toBeGreaterThan(300);
  });
});

/** Whether strides exist with which a shape shows the items: each is the distance of two neighbours. */
function hasStrides(shape: readonly number[], items: readonly number[]): boolean {
  const strides = shape.map((length, axis) => {
    return length > 1 ? (items[sizeOf(shape.slice(axis + 1))] as number) - (items[0] as number) : 0;
  });
  const layout = { shape, strides, offset: items[0] as number };
  return indicesOf(shape).every((index, i) => offsetAt(layout, index) === items[i]);
}

describe('reshapeView() of random views', () => {
  test('is a view wherever strides exist, and undefined elsewhere', () => {
    const choices = new Choices(7);
    const counts = { view: 0, copy: 0 };
    for (const { layout, dense, steps } of randomViews(6, 2000)) {
      const size = dense.items.length;
      if (size === 0) continue;
      const lengths = [1, 2, 3, 4, 6].filter((length) => size % length === 0);
      const first = choices.of(lengths);
      const others = lengths.filter((length) => (size / first) % length === 0);
      const second = choices.of(others);
      const shape = choices.shuffled([first, second, size / first / second]);
      const view = reshapeView(layout, choices.of([shape, shape.with(0, -1)]));
      const isView = hasStrides(shape, dense.items);
      counts[isView ? 'view' : 'copy']++;
      check(view !== undefined, isView, { steps, shape });
      if (view) check(denseOf(view), { shape, items: dense.items }, steps);
    }
    expect(Math.min(counts.view, counts.copy)).toBeGreaterThan(200);
  });
});

describe('collapse() of random operands', () => {
  /** Operands of one shape: random strides, most of them of a real view. */
  function* iterations(seed: number): Generator<{ shape: readonly number[]; operands: number[][] }> {
    const choices = new Choices(seed);
    for (const { layout } of randomViews(seed + 1, 1500)) {
      const { shape } = layout;
      const dense = (): number[] => [...contiguous(shape).strides];
      const column = (): number[] => [...transpose(contiguous([...shape].reverse())).strides];
      const odd = (): number[] => shape.map(() => choices.between(-3, 6));
      const zero = (): number[] => shape.map(() => 0);
      const view = (): number[] => [...layout.strides];
      const count = choices.between(1, 3);
      const makers = [dense, dense, column, view, zero, odd];
      yield { shape, operands: Array.from({ length: count }, () => choices.of(makers)()) };
    }
  }

  function visited(shape: readonly number[], operands: readonly (readonly number[])[]): string[] {
    return indicesOf(shape).map((index) =>
      operands.map((strides) => offsetAt({ shape, strides, offset: 0 }, index)).join(),
    );
  }

  test('visits the same elements together', () => {
    let merged = 0;
    for (const { shape, operands } of iterations(20)) {
      const result = collapse(shape, operands);
      if (result.shape.length < shape.filter((length) => length > 1).length) merged++;
      const found = visited(result.shape, result.strides).sort();
      check(found, visited(shape, operands).sort(), { shape, operands });
    }
    expect(merged).toBeGreaterThan(200);
  });

  test('visits them in the same order if it is to be kept', () => {
    for (const { shape, operands } of iterations(30)) {
      const result = collapse(shape, operands, { keepOrder: true });
      const found = visited(result.shape, result.strides);
      check(found, visited(shape, operands), { shape, operands });
    }
  });

  test('leaves no axis of length 1, none that could be merged, and the strides of the output in order', () => {
    for (const { shape, operands } of iterations(40)) {
      const result = collapse(shape, operands);
      const facts = { shape, operands, result };
      check(
        result.shape.filter((length) => length === 1),
        [],
        facts,
      );
      const output = (result.strides[0] ?? []).map(Math.abs);
      check(
        output,
        [...output].sort((a, b) => b - a),
        facts,
      );
      const mergeable = result.shape.slice(1).filter((length, axis) => {
        return result.strides.every((strides) => strides[axis] === length * (strides[axis + 1] as number));
      });
      check(mergeable, [], facts);
    }
  });
});

describe('overlap of random views', () => {
  function offsets(layout: Layout): Set<number> {
    return new Set(denseOf(layout).items);
  }

  test('tells exactly which small views share no element', () => {
    const choices = new Choices(50);
    const counts = { none: 0, same: 0, maybe: 0 };
    for (let i = 0; i < 3000; i++) {
      const shape = choices.shape(3);
      const views = [0, 1].map(() => {
        let view = start(choices, shape);
        for (let steps = choices.between(1, 3); steps > 0; steps--) view = randomStep(view, choices);
        return view;
      });
      const [a, b] = views as [View, View];
      const [left, right] = [offsets(a.layout), offsets(b.layout)];
      const isShared = [...left].some((offset) => right.has(offset));
      const found = overlap(a.layout, b.layout);
      const isSame = a.dense.shape.join() === b.dense.shape.join() && a.dense.items.join() === b.dense.items.join();
      counts[found]++;
      const wanted = !isShared ? 'none' : isSame ? 'same' : 'maybe';
      const steps = `${a.steps} | ${b.steps}`;
      check(found, wanted, steps);
    }
    expect(Math.min(counts.none, counts.same, counts.maybe)).toBeGreaterThan(200);
  });

  test('is never wrongly none for strides of any kind', () => {
    const choices = new Choices(60);
    let none = 0;
    for (let i = 0; i < 3000; i++) {
      const make = (): Layout => {
        const shape = Array.from({ length: choices.between(1, 4) }, () => choices.between(1, 4));
        const strides = shape.map(() => choices.between(-40, 40) * choices.of([1, 1, 2, 6]));
        return { shape, strides, offset: choices.between(0, 60) };
      };
      const [a, b] = [make(), make()];
      if (overlap(a, b) !== 'none') continue;
      none++;
      const right = offsets(b);
      const shared = [...offsets(a)].filter((offset) => right.has(offset));
      check(shared, [], { a, b });
    }
    expect(none).toBeGreaterThan(300);
  });

  test('inside of a view is found exactly if it is made by slices, permutations, reshapes and broadcasts', () => {
    let repeated = 0;
    for (const { layout, dense, steps } of randomViews(70, 2000)) {
      const isRepeated = new Set(dense.items).size < dense.items.length;
      if (isRepeated) repeated++;
      check(hasInternalOverlap(layout), isRepeated, steps);
    }
    expect(repeated).toBeGreaterThan(50);
  });

  test('inside of a view is never missed for strides of any kind', () => {
    const choices = new Choices(80);
    let free = 0;
    for (let i = 0; i < 3000; i++) {
      const shape = Array.from({ length: choices.between(0, 4) }, () => choices.between(1, 4));
      const layout = { shape, strides: shape.map(() => choices.between(-30, 30)), offset: 0 };
      if (hasInternalOverlap(layout)) continue;
      free++;
      const { items } = denseOf(layout);
      check(new Set(items).size, items.length, layout);
    }
    expect(free).toBeGreaterThan(300);
  });
});
