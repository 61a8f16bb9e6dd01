import type { Random } from '../random.ts';
import { binary, block, compare, constant, load, select, thread, variable } from './build.ts';
import type { Held } from './held.ts';
import type { Condition, Expression, Operator } from './program.ts';

const OPERATORS: readonly Operator[] = ['+', '+', '-', '*', '&', '|', '^', 'min', 'max'];

/** Draws expressions that are right where they stand. */
export class Expressions {
  readonly #random: Random;
  readonly #threads: number;
  /** Variables, and whether they depend on nothing that a kernel writes. */
  readonly #variables = new Map<string, boolean>();
  /** Indices in indices. */
  #nested = 0;
  /** Arrays that nobody writes. */
  inputs: readonly Held[] = [];

  constructor(random: Random, threads: number) {
    this.#random = random;
    this.#threads = threads;
  }

  know(name: string, known: boolean): void {
    this.#variables.set(name, known);
  }

  forget(name: string): void {
    this.#variables.delete(name);
  }

  /**
   * An expression over what is open to be read; where nothing is, one that depends on nothing that a kernel writes, so
   * that where a thread goes is the same whatever the others do. The value of each load has a part in the first one: no
   * compiler makes a load of which nobody uses the value.
   */
  make(depth: number, open: readonly Held[]): Expression {
    const random = this.#random;
    if (depth === 0 || random.chance(0.2)) return this.#leaf(open);
    const chance = random.next();
    const part = (): Expression => this.make(depth - 1, open);
    if (open.length > 0) return chance < 0.8 ? binary(part(), '+', part()) : select(this.condition(), part(), part());
    if (chance < 0.1) return binary(part(), random.pick(['<<', '>>']), random.below(32));
    if (chance < 0.2) return binary(part(), random.pick(['%', '/']), 1 + random.below(20));
    if (chance < 0.25) return select(this.condition(), part(), part());
    return binary(part(), random.pick(OPERATORS), part());
  }

  /** A condition that depends on nothing that a kernel writes. */
  condition(): Condition {
    const random = this.#random;
    if (random.chance(0.4)) return compare(thread, '<', 1 + random.below(this.#threads));
    if (random.chance(0.4)) return compare(binary(this.make(1, []), '%', 4), '==', random.below(4));
    return compare(this.make(1, []), random.pick(['<', '<=', '!=']), this.make(1, []));
  }

  /** Any element that the block may touch. */
  place(held: Held): Expression {
    this.#nested++;
    const index = this.make(this.#nested > 1 ? 0 : 1, []);
    this.#nested--;
    return held.place(binary(index, '%', held.share));
  }

  #leaf(open: readonly Held[]): Expression {
    const random = this.#random;
    const readable = [...open, ...this.inputs].filter(
      ({ mode, ready }) => mode === 'read' || (mode === 'own' && ready),
    );
    const known = open.length === 0;
    if (readable.length > 0 && random.chance([0.6, 0.15, 0][this.#nested] ?? 0)) {
      const held = random.pick(readable);
      if (held.mode === 'read') return load(held.array, this.place(held));
      // Only where each thread has an element.
      if (held.covers || held.flat) return load(held.array, held.place(held.map));
    }
    const names = [...this.#variables].filter(([, isKnown]) => isKnown || !known).map(([name]) => name);
    if (names.length > 0 && random.chance(0.4)) return variable(random.pick(names));
    return random.pick([thread, thread, block, constant(random.below(64)), constant(random.below(2 ** 32))]);
  }
}
