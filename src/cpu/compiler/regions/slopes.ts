import { calleeOf, type Instruction } from '../ir/instruction.ts';

/** The change of a value from each thread of a row to the next; undefined where it is unknown or not constant. */
export type Slope = number | undefined;

/** The largest slope: a value then wraps around at most once in a row of threads. */
const MAX = 2 ** 20;
/** Flags that make a value poison where it would be wrong. */
const FLAGS =
  / (?:nuw|nsw|exact|disjoint|nneg|samesign|inbounds|nusw|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)(?= )/g;

/** An instruction's text without the flags that make its result poison. */
export function withoutFlags(text: string): string {
  return text.replace(FLAGS, '');
}

/** The dependence of values on a thread's x. A value that wraps around still has its slope. */
export class Slopes {
  readonly #definitions: ReadonlyMap<string, Instruction>;
  readonly #same: (value: string) => boolean;
  readonly #pick: (one: Instruction) => string | undefined;
  readonly #known = new Map<string, Slope>();

  /**
   * @param definitions - the instructions that define the values
   * @param same - whether a value is the same for all threads; its slope is then 0
   * @param pick - the operand that a selection is known to take
   */
  constructor(
    definitions: ReadonlyMap<string, Instruction>,
    same: (value: string) => boolean,
    pick: (one: Instruction) => string | undefined = () => undefined,
  ) {
    this.#definitions = definitions;
    this.#same = same;
    this.#pick = pick;
  }

  of(value: string): Slope {
    if (!value.startsWith('%') || this.#same(value)) return 0;
    if (this.#known.has(value)) return this.#known.get(value);
    const one = this.#definitions.get(value);
    // Around a loop nothing is known of a value yet.
    this.#known.set(value, undefined);
    const slope = one && this.#find(one);
    this.#known.set(value, slope);
    return slope;
  }

  #find(one: Instruction): Slope {
    const callee = calleeOf(one);
    if (callee?.startsWith('__rt_id_') === true) return /_(?:tx|lin)$/.test(callee) ? 1 : 0;
    if (one.op === 'alloca') return undefined;
    // Loads from one address count as one value.
    if (one.op !== 'call' && one.op !== 'phi' && one.uses.every((use) => this.of(use) === 0)) return 0;
    const picked = one.op === 'select' ? this.#pick(one) : undefined;
    const slope = picked === undefined ? this.#moving(one) : this.of(picked);
    // If two slopes add up to 0, the value still changes where one of the two operands wraps around.
    return slope !== undefined && slope !== 0 && Math.abs(slope) <= MAX ? slope : undefined;
  }

  #moving({ text, uses }: Instruction): Slope {
    const bare = withoutFlags(text);
    const [, from, to] = /^(?:sext|zext|trunc) i(\d+) \S+ to i(\d+)$/.exec(bare) ?? [];
    if (from !== undefined) return Math.min(Number(from), Number(to)) < 32 ? undefined : this.of(uses[0] ?? '');
    // Bits that no two operands have are added.
    const sum = /^or disjoint /.test(text) ? bare.replace(/^or/, 'add') : bare;
    const [, op, bits, left = '', right = ''] = /^(add|sub|mul|shl) i(\d+) (\S+), (\S+)$/.exec(sum) ?? [];
    const [a, b] = [this.of(left), this.of(right)];
    if (op === undefined || Number(bits) < 32 || a === undefined || b === undefined) return undefined;
    if (op === 'add') return a + b;
    if (op === 'sub') return a - b;
    if (b !== 0 || !/^-?\d+$/.test(right)) return undefined;
    return a * (op === 'mul' ? Number(right) : 2 ** Number(right));
  }
}
