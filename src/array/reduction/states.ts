import { block } from './axes-text.ts';
import { startLines, type Fold } from './fold.ts';
import type { ReductionWalk } from './walk.ts';

/** How many elements go into a state whose every sum is rounded, before it goes into another one. */
const IN_A_ROW = 128;

/** More states than these are not kept in registers: a loop over them is as fast, and compiled sooner. */
const MAX_UNROLLED = 16;

/** The texts of the states that a thread has: one for each of the elements, or columns, that it has at once. */
export class States {
  readonly declaration: readonly string[];
  /** Lines after which the first state has all others. */
  readonly joined: readonly string[];
  readonly first: string;
  /** The state of the element `k` of those that a thread has at once. */
  readonly any: string;
  readonly #fold: Fold;
  readonly #lanes: number;

  constructor(fold: Fold, lanes: number, name = 'state') {
    this.#fold = fold;
    this.#lanes = lanes;
    this.first = lanes === 1 ? name : `${name}[0]`;
    this.any = lanes === 1 ? name : `${name}[k]`;
    this.declaration = [
      `${fold.state} ${name}${lanes === 1 ? '' : `[${lanes}]`};`,
      ...this.each(startLines(fold, this.any)),
    ];
    this.joined =
      lanes === 1
        ? []
        : ['UNROLL', `for (int k = 1; k < ${lanes}; k++) ${this.first} = ${fold.join(this.first, this.any)};`];
  }

  /** Lines for each of the elements that a thread has at once. */
  each(lines: readonly string[]): string[] {
    if (this.#lanes === 1) return [...lines];
    return [
      ...(this.#lanes > MAX_UNROLLED ? [] : ['UNROLL']),
      ...block(`for (int k = 0; k < ${this.#lanes}; k++)`, lines),
    ];
  }

  /** Lines that take the states of others. */
  take(others: States): string[] {
    return this.each([`${this.any} = ${this.#fold.join(this.any, others.any)};`]);
  }
}

/**
 * A loop of one thread over elements from `index` on. Where each sum is rounded, a few go into states of their own at a time:
 * pairwise summation, but for its lowest level.
 *
 * @param index - the name of the index, and its type
 * @param step - by how much it moves
 * @param loop - the lines that go on from the index to an end, with these states
 */
export function paused(
  fold: Fold,
  walk: ReductionWalk,
  states: States,
  [type, index]: readonly [type: string, index: string],
  end: string,
  step: number,
  loop: (states: States, end: string) => string[],
): string[] {
  // Short rows and columns are the ones that are read one by one.
  if (fold.isRounded !== true || (walk.lanes === 1 && walk.from === 'elements')) return loop(states, end);
  const parts = new States(fold, walk.lanes, 'part');
  const many = IN_A_ROW * step;
  return block(`while (${index} < ${end})`, [
    `const ${type} pause = ${end} - ${index} > ${many} ? ${index} + ${many} : ${end};`,
    ...parts.declaration,
    ...loop(parts, 'pause'),
    ...states.take(parts),
  ]);
}
