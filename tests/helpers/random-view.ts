import { randomOf } from './math-points.ts';
import { broadcastTo } from '../../src/array/broadcast.ts';
import { applyIndex, type IndexKey } from '../../src/array/index-key.ts';
import type { Layout } from '../../src/array/layout.ts';
import { reshapeView } from '../../src/array/reshape.ts';
import { slice } from '../../src/array/slice.ts';
import { expandDims, flip, moveaxis, permute, squeeze, swapLastTwo, transpose } from '../../src/array/view.ts';
import { type Dense, gather, pythonRange } from './dense-array.ts';

/** A layout and what it should show. */
export interface View {
  readonly layout: Layout;
  readonly dense: Dense;
  /** How it came about, for a failure. */
  readonly steps: string;
}

/** Random choices, the same in every run of a seed. */
export class Choices {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0] as T);
  }

  /** A shape of few elements; about one in eight has none. */
  shape(mostAxes = 4): number[] {
    return Array.from({ length: this.below(mostAxes + 1) }, () => (this.below(16) === 0 ? 0 : this.between(1, 4)));
  }
}

/** A random view of a view. Only `'broadcast'` repeats elements. */
export function randomStep(view: View, choices: Choices, canBroadcast = true): View {
  const kinds = ['index', 'index', 'permute', 'flip', 'reshape', 'expand', 'squeeze', 'move', 'transpose', 'swap'];
  const kind = choices.of(canBroadcast ? [...kinds, 'broadcast'] : kinds);
  const [layout, dense, text] = step[kind as keyof typeof step](view.layout, view.dense, choices);
  return { layout, dense, steps: `${view.steps}; ${kind} ${text}` };
}

type Step = (layout: Layout, dense: Dense, choices: Choices) => [Layout, Dense, string];

const step = {
  index: indexStep,
  permute(layout, dense, choices) {
    const order = choices.shuffled(dense.shape.map((_, axis) => axis));
    const rank = order.length;
    const axes = order.map((axis) => (choices.below(2) === 0 ? axis : axis - rank));
    return [permute(layout, axes), picked(dense, order), axes.join()];
  },
  transpose(layout, dense) {
    const order = dense.shape.map((_, axis) => axis).reverse();
    return [transpose(layout), picked(dense, order), ''];
  },
  swap(layout, dense) {
    const axes = dense.shape.map((_, axis) => axis);
    if (axes.length < 2) return [layout, dense, 'nothing'];
    const [last, other] = [axes.pop(), axes.pop()] as [number, number];
    return [swapLastTwo(layout), picked(dense, [...axes, last, other]), ''];
  },
  move(layout, dense, choices) {
    const axes = dense.shape.map((_, axis) => axis);
    if (axes.length === 0) return [layout, dense, 'nothing'];
    const count = choices.between(1, axes.length);
    const from = choices.shuffled(axes).slice(0, count);
    const to = choices.shuffled(axes).slice(0, count);
    const order = axes.filter((axis) => !from.includes(axis));
    // Inserted from the lowest place on, each is where it belongs.
    for (const place of [...to].sort((a, b) => a - b)) order.splice(place, 0, from[to.indexOf(place)] as number);
    return [moveaxis(layout, from, to), picked(dense, order), `${from.join()} to ${to.join()}`];
  },
  flip(layout, dense, choices) {
    const axes = dense.shape.map((_, axis) => axis).filter(() => choices.below(2) === 0);
    const flipped = gather(dense, dense.shape, (index) =>
      index.map((i, axis) => (axes.includes(axis) ? (dense.shape[axis] as number) - 1 - i : i)),
    );
    return [flip(layout, axes), flipped, axes.join()];
  },
  reshape(layout, dense, choices) {
    const shape = randomSplit(dense.items.length, choices);
    // NumPy's rule decides between a view and a copy; what a view shows is the elements in row-major order.
    const made = reshapeView(layout, shape);
    return made ? [made, { shape, items: dense.items }, shape.join()] : [layout, dense, `${shape.join()} copies`];
  },
  expand(layout, dense, choices) {
    const rank = dense.shape.length + 1;
    if (rank > 6) return [layout, dense, 'nothing'];
    const axis = choices.below(rank);
    const shape = [...dense.shape.slice(0, axis), 1, ...dense.shape.slice(axis)];
    return [expandDims(layout, choices.of([axis, axis - rank])), { ...dense, shape }, String(axis)];
  },
  squeeze(layout, dense) {
    return [squeeze(layout), { ...dense, shape: dense.shape.filter((length) => length !== 1) }, ''];
  },
  broadcast(layout, dense, choices) {
    if (dense.items.length > 100 || dense.shape.length > 5) return [layout, dense, 'nothing'];
    const added = choices.below(2) === 0 ? [] : [choices.below(3)];
    const shape = [...added, ...dense.shape.map((length) => (length === 1 ? choices.below(4) : length))];
    const wide = gather(dense, shape, (index) =>
      index.slice(added.length).map((i, axis) => (dense.shape[axis] === 1 ? 0 : i)),
    );
    return [broadcastTo(layout, shape), wide, shape.join()];
  },
} satisfies Record<string, Step>;

function picked(dense: Dense, order: readonly number[]): Dense {
  return gather(
    dense,
    order.map((axis) => dense.shape[axis] as number),
    (index) => dense.shape.map((_, axis) => index[order.indexOf(axis)] as number),
  );
}

/** What one axis of an indexed array is made of: indices of an old axis, or a new one. */
type Taken = readonly number[] | null;

function indexStep(layout: Layout, dense: Dense, choices: Choices): [Layout, Dense, string] {
  const keys: IndexKey[] = [];
  const texts: string[] = [];
  const taken: { readonly picks: Taken; readonly isDropped: boolean }[] = [];
  const add = (key: IndexKey, text: string): void => {
    keys.push(key);
    texts.push(text);
  };
  const ellipsis = choices.of([-1, choices.below(dense.shape.length + 1)]);
  const ellipsisEnd = ellipsis + choices.below(3);
  const last = choices.of([dense.shape.length, choices.below(dense.shape.length + 1)]);
  dense.shape.forEach((length, axis) => {
    const all = { picks: Array.from({ length }, (_, i) => i), isDropped: false };
    // Inside of what the ellipsis stands for, no axis can be added.
    const canAdd = ellipsis >= 0 ? axis <= ellipsis || axis >= ellipsisEnd : axis <= last;
    if (canAdd && taken.length < 6 && choices.below(8) === 0) {
      add(null, choices.of(['None', 'newaxis', 'null']));
      taken.push({ picks: null, isDropped: false });
    }
    if (axis === ellipsis) add('...', '...');
    // Without an ellipsis, only the last axes may be left out.
    if (ellipsis >= 0 ? axis >= ellipsis && axis < ellipsisEnd : axis >= last) {
      taken.push(all);
      return;
    }
    if (length > 0 && choices.below(4) === 0) {
      const index = choices.between(-length, length - 1);
      add(choices.of([index, BigInt(index)]), ` ${index}`);
      taken.push({ picks: [index < 0 ? index + length : index], isDropped: true });
      return;
    }
    const bound = (): number | null => (choices.below(3) === 0 ? null : choices.between(-length - 2, length + 2));
    const [from, to] = [bound(), bound()];
    const by = choices.of([1, 1, 2, 3, -1, -1, -2, -3, 7]);
    add(slice(from, to, by), `${from ?? ''}: ${to ?? ''} ${by === 1 ? '' : `:${by}`}`);
    taken.push({ picks: pythonRange(from, to, by, length), isDropped: false });
  });
  if (ellipsis === dense.shape.length) add('...', '...');
  const text = texts.join(',');
  const view = applyIndex(layout, text !== '' && choices.below(2) === 0 ? [text] : keys);
  const kept = taken.filter(({ isDropped }) => !isDropped);
  const shape = kept.map(({ picks }) => picks?.length ?? 1);
  const shown = gather(dense, shape, (index) => {
    let place = 0;
    return taken.flatMap(({ picks, isDropped }) => {
      if (isDropped) return [...(picks ?? [])];
      const i = index[place++] as number;
      return picks ? [picks[i] as number] : [];
    });
  });
  return [view, shown, text];
}

/** A shape of as many elements. */
function randomSplit(size: number, choices: Choices): number[] {
  const shape: number[] = [];
  let left = size;
  while (left > 1 && shape.length < 5) {
    const divisors = Array.from({ length: left }, (_, i) => i + 1).filter((by) => left % by === 0);
    const length = choices.of(divisors);
    shape.push(length);
    left /= length;
  }
  return choices.shuffled([...shape, left]);
}
