import { Random } from '../random.ts';
import { binary, block, compare, constant, inGrid, load, thread, variable } from './build.ts';
import type { Language } from './emit.ts';
import { Expressions } from './expressions.ts';
import { Arrays, type Held } from './held.ts';
import { IDIOMS, type Making } from './idioms.ts';
import {
  kept,
  type AtomicOperation,
  type Element,
  type Expression,
  type Mutation,
  type Program,
  type Statement,
} from './program.ts';

const BLOCKS: readonly Program['block'][] = [
  ...([
    [32, 1, 1],
    [64, 1, 1],
    [128, 1, 1],
    [96, 1, 1],
    [48, 1, 1],
    [33, 1, 1],
  ] as const),
  ...([
    [16, 4, 1],
    [8, 8, 1],
    [20, 5, 1],
    [8, 4, 2],
    [4, 4, 4],
  ] as const),
];
const ELEMENTS: readonly Element[] = ['u32', 'u32', 'u32', 'u32', 'u16', 'u8', 'u64', 'f32', 'f64'];
const OPERATIONS: readonly AtomicOperation[] = ['add', 'add', 'add', 'min', 'max', 'and', 'or', 'xor'];

/** A kernel without a mistake, and all that can be taken from it. */
export interface Generated {
  readonly program: Program;
  readonly mutations: readonly Mutation[];
}

/** Make the kernel of a seed. */
export function generate(seed: number, language: Language): Generated {
  return new Generator(new Random(seed), language).make(`k${seed}`);
}

class Generator implements Making {
  readonly random: Random;
  readonly threads: number;
  readonly arrays: Arrays;
  readonly expressions: Expressions;
  readonly mutations: Mutation[] = [];
  readonly #language: Language;
  readonly #block: Program['block'];
  readonly #grid: number;
  #leaves = false;
  #ids = 0;
  #names = 0;

  constructor(random: Random, language: Language) {
    this.random = random;
    this.#language = language;
    this.#block = random.pick(BLOCKS);
    this.#grid = 1 + random.below(4);
    const [x, y, z] = this.#block;
    this.threads = x * y * z;
    this.arrays = new Arrays(this.threads);
    this.expressions = new Expressions(random, this.threads);
  }

  make(name: string): Generated {
    const flat = this.random.chance(0.2);
    this.#makeArrays(flat);
    const body = [...this.#variables(), ...(flat ? this.#flat() : this.#phases())];
    const arrays = this.arrays.all.map(({ array }) => array);
    const contents = Object.fromEntries(
      arrays
        .filter(({ space, fresh }) => space !== 'shared' && !fresh)
        .map(({ name: of, length, element }) => [of, Array.from({ length }, () => kept(element, this.#content()))]),
    );
    const program: Program = { name, block: this.#block, grid: this.#grid, arrays, body, contents };
    return { program, mutations: this.mutations };
  }

  #content(): number {
    return this.random.chance(0.5) ? this.random.below(100) : this.random.below(2 ** 32);
  }

  newId(): number {
    return ++this.#ids;
  }

  newName(): string {
    return `i${++this.#names}`;
  }

  barrier(inWarp = false): Statement {
    const id = this.newId();
    this.mutations.push({ take: 'barrier', id });
    if (!inWarp) {
      this.mutations.push({ take: 'part-of-barrier', id, below: 1 + this.random.below(this.threads - 1) });
    }
    return { is: inWarp ? 'warp-barrier' : 'barrier', id };
  }

  guard(when: ReturnType<typeof compare>, then: readonly Statement[]): Statement {
    const id = this.newId();
    this.mutations.push({ take: 'guard', id });
    return { is: 'if', id, when, then };
  }

  #makeArrays(flat: boolean): void {
    const { random, arrays, threads } = this;
    const total = threads * this.#grid;
    for (let i = 0; i <= random.below(2); i++) arrays.add('input', random.pick(ELEMENTS), 8 + random.below(100));
    for (let i = 0; i <= random.below(2); i++) {
      const short = random.chance(flat ? 0.7 : 0.3) ? 1 + random.below(threads - 1) : 0;
      arrays.add('slice', random.pick(ELEMENTS), total - short, random.chance(0.2));
    }
    this.expressions.inputs = arrays.of('input');
    if (random.chance(0.4)) arrays.add('counter', 'u32', 1 + random.below(8)).operation = random.pick(OPERATIONS);
    if (flat) return;
    for (let i = 0; i <= random.below(2); i++) arrays.add('shared', random.pick(ELEMENTS), threads, true);
    if (random.chance(0.4)) arrays.add('shared', 'u32', 1 + random.below(16), true);
  }

  #variables(): Statement[] {
    const { expressions } = this;
    return ['c0', 'c1', 'v0', 'v1'].map((name) => {
      const value = expressions.make(1, []);
      expressions.know(name, name.startsWith('c'));
      return { is: 'declare', name, value };
    });
  }

  /** No barrier, no shared memory. */
  #flat(): Statement[] {
    const slices = this.arrays.of('slice');
    const least = Math.min(...slices.map(({ array }) => array.length));
    const open = this.#open();
    const last = open.filter(({ array }) => array.space === 'slice');
    const sum = binary(variable('v0'), '+', variable('v1'));
    const statements = [
      ...this.#work(open, 1 + this.random.below(3)),
      ...last.map((held): Statement => {
        const { array, ready } = held;
        const index = held.place(thread);
        const value = ready ? binary(sum, '+', load(array, index)) : sum;
        return { is: 'store', array, index, value, known: false };
      }),
    ];
    if (least === this.threads * this.#grid) return statements;
    if (this.random.chance(0.5)) return [this.guard(compare(inGrid, '<', least), statements)];
    const id = this.newId();
    this.mutations.push({ take: 'guard', id });
    return [{ is: 'leave', id, when: compare(constant(least), '<=', inGrid) }, ...statements];
  }

  /** All slices and counters, for threads that have an element of each. */
  #open(): Held[] {
    for (const held of this.arrays.of('slice')) {
      held.mode = 'own';
      held.map = thread;
      held.flat = true;
    }
    for (const held of this.arrays.of('counter')) held.mode = 'atomic';
    return this.arrays.all;
  }

  #phases(): Statement[] {
    const { random } = this;
    const body: Statement[] = [];
    const leaves = this.#language === 'cuda' && random.chance(0.15) ? this.#leave() : [];
    const count = 1 + random.below(3);
    for (let i = 0; i < count; i++) {
      body.push(...this.#piece(), this.barrier());
      if (random.chance(0.04)) body.push({ is: 'fence' });
    }
    return [...leaves, ...body, ...this.#results()];
  }

  /** Threads of the last block that have nothing to do. They count as arrived at each barrier. */
  #leave(): Statement[] {
    for (const held of this.arrays.all) if (held.array.fresh) held.spoilt = true;
    this.#leaves = true;
    const { array } = this.arrays.of('slice')[0] as Held;
    const id = this.newId();
    if (array.length === this.threads * this.#grid) return [];
    return [{ is: 'leave', id, when: compare(constant(array.length), '<=', inGrid) }];
  }

  #piece(): Statement[] {
    const { random } = this;
    if (random.chance(0.12)) {
      const before = this.arrays.all.map(({ ready }) => ready);
      const inside = [...this.phase(), this.barrier(), ...this.phase()];
      this.arrays.all.forEach((held, i) => (held.ready = before[i] === true));
      const id = this.newId();
      return [{ is: 'if', id, when: compare(binary(block, '%', 2), '==', 0), then: inside }];
    }
    if (random.chance(0.2)) {
      const name = this.newName();
      const first = this.phase(name);
      const body = [...first, this.barrier(), ...this.phase(name), this.barrier()];
      return [{ is: 'rounds', name, count: 1 + random.below(4), body }];
    }
    if (!this.#leaves && random.chance(0.35)) {
      const idiom = random.pick(IDIOMS)(this);
      if (idiom) return idiom;
    }
    return this.phase();
  }

  /** What threads do between two barriers. */
  phase(counter?: string): Statement[] {
    for (const held of this.arrays.all) held.choose(this.random);
    const { expressions, arrays } = this;
    const around = counter === undefined ? [] : [counter];
    for (const name of around) expressions.know(name, true);
    const statements = [
      ...arrays.all.flatMap((held) => (held.mode === 'first' ? this.#first(held) : [])),
      ...this.#work(arrays.all, 1 + this.random.below(2)),
    ];
    for (const name of around) expressions.forget(name);
    for (const held of arrays.all) if (held.mode === 'first') held.ready = true;
    return statements;
  }

  /** Each element gets a value for the first time. */
  #first(held: Held): Statement[] {
    const { array } = held;
    const known = this.random.chance(0.5);
    const value = this.expressions.make(1, known ? [] : this.arrays.all);
    const store: Statement = { is: 'store', array, index: held.place(held.map), value, known };
    return held.covers ? [store] : [this.guard(held.limit(), [store])];
  }

  #work(open: readonly Held[], count: number): Statement[] {
    return Array.from({ length: count }, () => this.#one(open)).flat();
  }

  #one(open: readonly Held[]): Statement[] {
    const { random, expressions } = this;
    const held = random.pick(open);
    const chance = random.next();
    if (chance < 0.15) return [this.keep(expressions.make(2, open))];
    if (chance < 0.2) return [{ is: 'set', name: random.pick(['c0', 'c1']), value: expressions.make(1, []) }];
    if (chance < 0.3) {
      const name = this.newName();
      const times = binary(expressions.make(1, []), '%', 4);
      expressions.know(name, true);
      const body = this.#one(open);
      expressions.forget(name);
      return body.length === 0 ? [] : [{ is: 'loop', name, count: times, body }];
    }
    if (chance < 0.4) return [this.guard(this.expressions.condition(), this.#one(open))];
    if (held.mode === 'atomic') return [this.#atomic(held, open)];
    if (held.mode === 'own' && held.ready) return this.#own(held, open);
    if (held.mode === 'one') return [this.#single(held, open)];
    return [this.keep(expressions.make(2, open))];
  }

  /** Something becomes a part of what the thread writes down at the end. */
  keep(value: Expression): Statement {
    const name = this.random.pick(['v0', 'v1']);
    return { is: 'set', name, value: binary(binary(variable(name), '*', 5), '+', value) };
  }

  #atomic(held: Held, open: readonly Held[]): Statement {
    const { array, operation } = held;
    const id = this.newId();
    this.mutations.push({ take: 'atomic', id });
    const value = this.expressions.make(1, open);
    return { is: 'atomic', id, operation, array, index: this.expressions.place(held), value };
  }

  #own(held: Held, open: readonly Held[]): Statement[] {
    if (held.mode !== 'own') return [];
    const { array } = held;
    const known = this.random.chance(0.3);
    const value = this.expressions.make(1, known ? [] : open);
    const index = held.place(held.map);
    const readable = held.ready && (held.covers || held.flat);
    const store: Statement =
      known || !readable
        ? { is: 'store', array, index, value, known }
        : { is: 'store', array, index, value: binary(load(array, index), '+', value), known };
    return held.covers || held.flat ? [store] : [this.guard(held.limit(), [store])];
  }

  /** One thread does as it likes. */
  #single(held: Held, open: readonly Held[]): Statement {
    const { array } = held;
    const others = open.filter((one) => one !== held);
    const stores = Array.from({ length: 1 + this.random.below(2) }, (): Statement => {
      const known = this.random.chance(0.5);
      const index = this.expressions.place(held);
      const value = known
        ? this.expressions.make(1, [])
        : binary(load(array, index), '+', this.expressions.make(1, others));
      return { is: 'store', array, index, value, known };
    });
    return this.guard(compare(thread, '==', held.writer), stores);
  }

  /** At the end each thread writes down what it has. */
  #results(): Statement[] {
    const held = this.arrays.of('slice')[0] as Held;
    held.mode = 'own';
    held.map = thread;
    let sum = binary(variable('v0'), '+', variable('v1'));
    for (const other of this.arrays.all) {
      if (other === held) continue;
      other.rest();
      if (other.mode === 'read') sum = binary(sum, '+', load(other.array, this.expressions.place(other)));
    }
    const store: Statement = { is: 'store', array: held.array, index: held.place(thread), value: sum, known: false };
    return held.covers ? [store] : [this.guard(held.limit(), [store])];
  }
}
