import type { Random } from '../random.ts';
import { binary, block, compare, constant, inGrid, thread } from './build.ts';
import type { ArrayOf, AtomicOperation, Condition, Element, Expression, Space } from './program.ts';

/** What threads may do to an array until the next barrier. */
export type Mode =
  /** Nothing. */
  | 'none'
  /** Give each element its first value. */
  | 'first'
  /** Read and write the thread's own element. */
  | 'own'
  /** Read all elements. */
  | 'read'
  /** Change all elements by one atomic operation. */
  | 'atomic'
  /** One thread writes. */
  | 'one';

/** An array, and what is going on with it. */
export class Held {
  readonly array: ArrayOf;
  /** Elements that a block has to itself. */
  readonly share: number;
  readonly #threads: number;
  mode: Mode;
  /** Which element is a thread's own: in its block. */
  map: Expression = thread;
  /** The thread that writes, where only one does. */
  writer = 0;
  /** All elements have values. */
  ready: boolean;
  /** Not all threads live to give it values. */
  spoilt = false;
  operation: AtomicOperation = 'add';

  constructor(array: ArrayOf, threads: number) {
    this.array = array;
    this.#threads = threads;
    this.share = array.space === 'slice' ? threads : array.length;
    this.ready = !array.fresh;
    this.mode = array.space === 'input' ? 'read' : 'none';
  }

  /** Each thread has an element, and each element a thread. */
  get covers(): boolean {
    const { space, length } = this.array;
    return space === 'slice' ? length % this.#threads === 0 : length === this.#threads;
  }

  /** A slice that is used without barriers, by threads that have an element of it. */
  flat = false;

  /** Which threads have an element. */
  limit(): Condition {
    const { space, length } = this.array;
    return compare(space === 'slice' ? inGrid : thread, '<', length);
  }

  /** The element of the block's share as one of the array. */
  place(inBlock: Expression): Expression {
    if (this.array.space !== 'slice') return inBlock;
    return inBlock === thread ? inGrid : binary(binary(block, '*', this.#threads), '+', inBlock);
  }

  /** Nobody writes from here on. */
  rest(): void {
    const { space } = this.array;
    if (space === 'input') return;
    const whole = space === 'shared' || this.covers;
    this.mode = this.ready && whole && space !== 'counter' && !this.spoilt ? 'read' : 'none';
  }

  /** Draw what goes on until the next barrier. */
  choose(random: Random): void {
    const { space, length } = this.array;
    if (space === 'input') return;
    if (space === 'counter') {
      this.mode = 'atomic';
      return;
    }
    this.map = this.covers ? draw(random, this.#threads) : thread;
    if (this.spoilt) {
      this.mode = 'none';
      return;
    }
    if (!this.ready) {
      this.mode = 'first';
      return;
    }
    const modes: Mode[] = ['own', 'own', 'none'];
    if (space === 'shared' || this.covers) modes.push('read', 'read', 'one');
    if (space === 'shared' && length !== this.#threads) modes.push('atomic', 'atomic');
    this.mode = random.pick(modes);
    this.writer = random.below(this.#threads);
    if (this.mode === 'atomic') this.operation = random.pick(['add', 'min', 'max', 'or', 'xor']);
  }
}

/** The arrays of a kernel. */
export class Arrays {
  readonly all: Held[] = [];
  readonly #threads: number;

  constructor(threads: number) {
    this.#threads = threads;
  }

  add(space: Space, element: Element, length: number, fresh = false): Held {
    const letter = { input: 'in', slice: 'x', counter: 'n', shared: 's' }[space];
    const name = `${letter}${this.of(space).length}`;
    const held = new Held({ name, space, element, length, fresh }, this.#threads);
    this.all.push(held);
    return held;
  }

  of(space: Space): Held[] {
    return this.all.filter(({ array }) => array.space === space);
  }
}

/** A permutation of the threads of a block. */
function draw(random: Random, threads: number): Expression {
  const by = 1 + random.below(threads - 1);
  const powerOfTwo = (threads & (threads - 1)) === 0;
  switch (random.below(powerOfTwo ? 4 : 3)) {
    case 0:
      return thread;
    case 1:
      return binary(constant(threads - 1), '-', thread);
    case 2:
      return binary(binary(thread, '+', by), '%', threads);
    default:
      return binary(thread, '^', by);
  }
}
