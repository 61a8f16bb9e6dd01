import { calleeOf, type Instruction } from '../ir/instruction.ts';
import type { KernelPlan } from './plan.ts';
import { END, postDominators } from './post-dominators.ts';
import { blocksOf } from './region-graph.ts';
import { RowIndices, type RowTests } from './row-indices.ts';
import { Slopes, withoutFlags } from './slopes.ts';
import { goesOn } from './uniformity.ts';

/**
 * A test for a row of threads from a first to a last x: where it holds, each condition of `assumed` has the given value
 * for all of them.
 */
export interface Guard {
  /** Conditions, each with the value that it has. */
  readonly assumed: ReadonlyMap<string, boolean>;
  /**
   * Instructions. Values that depend on x exist twice: with the suffix `.a` for the first thread, `.b` for the last.
   */
  readonly lines: readonly string[];
  /** The result of the test. */
  readonly result: string;
  /** Indices that rise steadily in a row that passes. */
  readonly indices: RowIndices;
}

const FIRST = '.a';
const LAST = '.b';

/**
 * A test that a region's conditions hold for a whole row of threads: the conditions that decide whether a thread does
 * anything. Only a comparison of a value that is linear in x with a value that is the same for the row is handled. It
 * holds for all threads of the row if it holds for the first and the last, and if the linear value does not wrap around
 * between them.
 */
export function guardOf(plan: KernelPlan, region: number): Guard | undefined {
  const writer = new GuardWriter(plan);
  const assumed = new Map<string, boolean>();
  const tests: string[] = [];
  const blocks = blocksOf(plan, region);
  const after = postDominators(blocks.filter(goesOn));
  for (const { name, barrier, instructions } of blocks) {
    const [, condition = '', yes = '', no = ''] =
      /^br i1 (%v\d+), label %(\w+), label %(\w+)(?:, !.*)?$/.exec(instructions.at(-1)?.text ?? '') ?? [];
    const meet = after.get(name) ?? END;
    // One of the two paths skips the work; the other path is assumed.
    if (barrier !== undefined || condition === '' || (yes === meet) === (no === meet)) continue;
    const value = no === meet;
    if (assumed.has(condition) || !writer.isRising(condition)) continue;
    const test = writer.always(condition, value);
    if (test === undefined) continue;
    assumed.set(condition, value);
    tests.push(test);
  }
  const indices = new RowIndices(plan, [...plan.repeated, ...blocks.flatMap((block) => block.instructions)], writer);
  for (const [condition, value] of indices.assumed) assumed.set(condition, value);
  tests.push(...indices.tests);
  if (tests.length === 0) return undefined;
  const result = tests.reduce((all, test) => writer.both(all, test));
  return { assumed, lines: writer.lines, result, indices };
}

class GuardWriter implements RowTests {
  readonly lines: string[] = [];
  readonly #definitions: ReadonlyMap<string, Instruction>;
  readonly #parameters: ReadonlySet<string>;
  readonly #slopes: Slopes;
  readonly #written = new Set<string>();
  #names = 0;

  constructor(plan: KernelPlan) {
    this.#definitions = new Map(plan.repeated.map((one) => [one.result ?? '', one]));
    this.#parameters = new Set(plan.parameters.map(({ name }) => name));
    this.#slopes = new Slopes(this.#definitions, (value) => this.#parameters.has(value));
  }

  /** Whether a condition depends on x at all. */
  isRising(value: string): boolean {
    const one = this.#definitions.get(value);
    return one !== undefined && this.#slopes.of(value) !== 0;
  }

  /** A test that a condition is so for all threads of the row; undefined where none is known. */
  always(value: string, wanted: boolean): string | undefined {
    if (value === 'true' || value === 'false') return `${(value === 'true') === wanted}`;
    const one = this.#definitions.get(value);
    if (!one && !this.#parameters.has(value)) return undefined;
    if (this.#slopes.of(value) === 0) return this.#test(this.#at(value, FIRST), wanted);
    if (!one) return undefined;
    const logic = logicOf(one);
    if (logic) {
      const left = this.always(logic.left, wanted);
      const right = this.always(logic.right, wanted);
      const all = (logic.op === 'and') === wanted;
      if (all) return left === undefined || right === undefined ? undefined : this.both(left, right);
      if (left === undefined || right === undefined) return left ?? right;
      return this.#line(`or i1 ${left}, ${right}`);
    }
    const negated = /^xor i1 (%v\d+), true$/.exec(one.text)?.[1];
    return negated === undefined ? this.#compared(one, wanted) : this.always(negated, !wanted);
  }

  both(left: string, right: string): string {
    return this.#line(`and i1 ${left}, ${right}`);
  }

  #compared(one: Instruction, wanted: boolean): string | undefined {
    const [, sign, type = '', left = '', right = ''] =
      /^icmp (?:samesign )?([su])[lg][te] (i\d+) (\S+), (\S+)$/.exec(one.text) ?? [];
    if (sign === undefined) return undefined;
    const slopes = [this.#slopes.of(left), this.#slopes.of(right)];
    const moving = slopes[0] === 0 ? right : left;
    const slope = slopes[0] === 0 ? slopes[1] : slopes[0];
    if (slope === undefined || (slopes[0] !== 0 && slopes[1] !== 0)) return undefined;
    const steady = this.#rises(moving, type, slope, sign);
    const ends = [FIRST, LAST].map((end) => this.#test(this.#line(this.#text(one, end)), wanted));
    return [...ends, ...this.#casts(moving)].reduce((all, test) => this.both(all, test), steady);
  }

  /** One by one: a poison value must not hide the negative result of another test. */
  #test(value: string, wanted: boolean): string {
    const known = this.#line(`freeze i1 ${value}`);
    return wanted ? known : this.#line(`xor i1 ${known}, true`);
  }

  steady(value: string, slope: number, sign: string): string | undefined {
    const own = this.#slopes.of(value);
    // A selection on the way is decided by other tests.
    if (!this.#definitions.has(value) || (own !== undefined && own !== slope)) return undefined;
    return this.#rises(value, 'i32', slope, sign);
  }

  /** A test that a value does not wrap around. */
  #rises(value: string, type: string, slope: number, sign: string): string {
    const relation = slope > 0 ? 'le' : 'ge';
    const rises = this.#line(`icmp ${sign}${relation} ${type} ${this.#at(value, FIRST)}, ${this.#at(value, LAST)}`);
    return this.#test(rises, true);
  }

  /** The tests against wrapping for the operands that were extended on the way to a value. */
  #casts(value: string): string[] {
    const one = this.#definitions.get(value);
    if (!one || this.#slopes.of(value) === 0) return [];
    const tests = one.uses.flatMap((use) => this.#casts(use));
    const [, kind, type = '', from = ''] = /^([sz])ext (?:nneg )?(i\d+) (%v\d+) to /.exec(one.text) ?? [];
    if (kind === undefined) return tests;
    const slope = this.#slopes.of(from) ?? 0;
    return [...tests, this.#rises(from, type, slope, kind === 's' ? 's' : 'u')];
  }

  /** A value's name at one end of the row; its instructions are written first. */
  #at(value: string, end: string): string {
    const one = this.#definitions.get(value);
    if (!one) return value;
    const name = this.#slopes.of(value) === 0 ? `${value}${FIRST}` : `${value}${end}`;
    if (!this.#written.has(name)) {
      this.#written.add(name);
      this.lines.push(`${name} = ${this.#text(one, end)}`);
    }
    return name;
  }

  #text(one: Instruction, end: string): string {
    const id = /^__rt_id_(\w+)$/.exec(calleeOf(one) ?? '')?.[1];
    if (id === 'dynamic') return 'getelementptr i8, ptr %rt.dynamic, i64 0';
    if (id !== undefined) return `add i32 %rt.${id}${(id === 'tx' || id === 'lin') && end === LAST ? LAST : ''}, 0`;
    return withoutFlags(one.text).replace(/%v\d+\b/g, (use) => this.#at(use, end));
  }

  #line(text: string): string {
    const name = `%rt.g${this.#names++}`;
    this.lines.push(`${name} = ${text}`);
    return name;
  }
}

function logicOf({ text }: Instruction): { op: 'and' | 'or'; left: string; right: string } | undefined {
  const [, op, left = '', right = ''] = /^(and|or) (?:disjoint )?i1 (\S+), (\S+)$/.exec(text) ?? [];
  if (op === 'and' || op === 'or') return { op, left, right };
  const [, condition = '', yes = '', no = ''] = /^select i1 (%v\d+), i1 (\S+), i1 (\S+)$/.exec(text) ?? [];
  if (condition === '') return undefined;
  if (no === 'false') return { op: 'and', left: condition, right: yes };
  return yes === 'true' ? { op: 'or', left: condition, right: no } : undefined;
}
