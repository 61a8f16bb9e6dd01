import { calleeOf, type Instruction } from '../ir/instruction.ts';
import type { KernelPlan } from './plan.ts';
import { Slopes, withoutFlags } from './slopes.ts';

/** What a test for a row can say. Each answer is a condition's name, or undefined where there is no such test. */
export interface RowTests {
  /** That a condition has a value for all threads of the row. */
  always(condition: string, value: boolean): string | undefined;
  /** That a value of 32 bits does not wrap around between the first and the last thread. */
  steady(value: string, slope: number, sign: Sign): string | undefined;
}

type Sign = 's' | 'u';

/** An index as a sum: extended values that are the same for the row, a constant, and a step for each thread. */
interface Sum {
  readonly terms: { readonly value: string; readonly sign: Sign; readonly factor: number }[];
  constant: number;
  slope: number;
  readonly tests: string[];
  readonly assumed: Map<string, boolean>;
}

/** The distance of a thread from the first one of its row. */
export const DISTANCE = '%rt.d';
const FIRST = '.a';
const EXTENSION = /^([sz])ext (nneg )?i32 (%v\d+) to i64$/;
const OPERATION = /^(add|sub|mul|shl|or) ((?:nuw |nsw |disjoint )*)i32 (\S+), (\S+)$/;

/**
 * Indices of a region that rise by the same amount from each thread of a row to the next, computed with 64 bits. A
 * kernel computes an index with 32 bits and extends it. That the sums on the way do not wrap around, their flags say, or
 * a test for the whole row. An address then is one for the row plus a distance. Without that, LLVM tests each row for
 * itself, or reads element by element.
 */
export class RowIndices {
  /** Instructions for values of the first thread, at the region's start. */
  readonly entry: string[] = [];
  /** In place of an instruction, by its result. */
  readonly made: Map<string, readonly string[]> = new Map();
  /** Conditions that select an operand on the way to an index, with the values that the row has. */
  readonly assumed: Map<string, boolean> = new Map();
  /** The tests on which all this depends. */
  readonly tests: Set<string> = new Set();
  readonly #plan: KernelPlan;
  readonly #row: RowTests;
  readonly #slopes: Slopes;
  readonly #picks = new Map<Instruction, Pick | undefined>();
  readonly #repeated: ReadonlySet<string>;
  readonly #written = new Set<string>();

  constructor(plan: KernelPlan, instructions: readonly Instruction[], row: RowTests) {
    this.#plan = plan;
    this.#row = row;
    this.#repeated = new Set(plan.repeated.map(({ result }) => result ?? ''));
    const same = (value: string): boolean => !plan.divergent.has(value);
    this.#slopes = new Slopes(plan.definitions, same, (one) => this.#pick(one)?.value);
    for (const one of instructions) this.#rewrite(one);
  }

  #rewrite({ result, text }: Instruction): void {
    const [, extension, isPositive, from = ''] = EXTENSION.exec(text) ?? [];
    if (extension === undefined || result === undefined || (this.#slopes.of(from) ?? 0) === 0) return;
    const sum: Sum = { terms: [], constant: 0, slope: 0, tests: [], assumed: new Map() };
    const sign = extension === 's' || isPositive !== undefined ? 's' : 'u';
    if (!this.#expand(from, sign, 1, sum) || sum.slope === 0 || !Number.isSafeInteger(sum.constant)) return;
    for (const test of sum.tests) this.tests.add(test);
    for (const [condition, value] of sum.assumed) this.assumed.set(condition, value);
    this.made.set(result, linesOf(result, sum));
  }

  /** Add a value to a sum; false where its part in the sum is not known. */
  #expand(value: string, sign: Sign, factor: number, sum: Sum): boolean {
    if (!value.startsWith('%')) {
      const number = Number(value);
      sum.constant += factor * (sign === 's' ? number : number >>> 0);
      return Number.isInteger(number);
    }
    const slope = this.#slopes.of(value);
    if (slope === 0) return this.#term(value, sign, factor, sum);
    const one = this.#plan.definitions.get(value);
    if (slope === undefined || !one) return false;
    const pick = this.#pick(one);
    if (pick) {
      this.#addPicks(value, sum);
      return this.#expand(pick.value, sign, factor, sum);
    }
    const [, op, flags = '', left = '', right = ''] = OPERATION.exec(one.text) ?? [];
    if (op !== undefined && (flags.includes('disjoint') || flags.includes(sign === 's' ? 'nsw' : 'nuw'))) {
      if (op === 'add' || op === 'or') {
        return this.#expand(left, sign, factor, sum) && this.#expand(right, sign, factor, sum);
      }
      if (op === 'sub') return this.#expand(left, sign, factor, sum) && this.#expand(right, sign, -factor, sum);
      return this.#expand(left, sign, factor * (op === 'mul' ? Number(right) : 2 ** Number(right)), sum);
    }
    return this.#root(one, value, slope, sign, factor, sum);
  }

  /** A value that rises, and is not a sum without wrapping: that of the first thread, and the step. */
  #root(one: Instruction, value: string, slope: number, sign: Sign, factor: number, sum: Sum): boolean {
    if (!this.#repeated.has(value)) return false;
    if (calleeOf(one)?.startsWith('__rt_id_') !== true) {
      const test = this.#row.steady(value, slope, sign);
      if (test === undefined) return false;
      sum.tests.push(test);
    }
    this.#addPicks(value, sum);
    sum.slope += factor * slope;
    sum.terms.push({ value: this.#ofFirst(value), sign, factor });
    return true;
  }

  /** The selections on the way to a value: its step is that of the operands that are taken. */
  #addPicks(value: string, sum: Sum): void {
    const one = this.#plan.definitions.get(value);
    if (!one || this.#slopes.of(value) === 0) return;
    const pick = this.#pick(one);
    if (pick) {
      sum.assumed.set(pick.condition, pick.holds);
      sum.tests.push(pick.test);
    }
    for (const use of pick ? [pick.value] : one.uses) this.#addPicks(use, sum);
  }

  #term(value: string, sign: Sign, factor: number, sum: Sum): boolean {
    // A value in a slot is read where the instruction reads it.
    if (this.#plan.slots.has(value)) return false;
    sum.terms.push({ value, sign, factor });
    return true;
  }

  /** The operand that a selection takes for a whole row: the one that rises, where the other one is a border. */
  #pick(one: Instruction): Pick | undefined {
    if (!this.#picks.has(one)) this.#picks.set(one, this.#findPick(one));
    return this.#picks.get(one);
  }

  #findPick({ text, result }: Instruction): Pick | undefined {
    const [, condition = '', yes = '', no = ''] = /^select i1 (%v\d+), i32 (\S+), i32 (\S+)$/.exec(text) ?? [];
    if (condition === '' || !this.#repeated.has(result ?? '') || this.#slopes.of(condition) === 0) return undefined;
    const holds = this.#slopes.of(yes) !== 0;
    if (holds === (this.#slopes.of(no) !== 0)) return undefined;
    const test = this.#row.always(condition, holds);
    return test === undefined ? undefined : { condition, holds, value: holds ? yes : no, test };
  }

  /** A value of the first thread; its instructions are written first. */
  #ofFirst(value: string): string {
    const one = this.#plan.definitions.get(value);
    if (!one || !this.#repeated.has(value)) return value;
    const name = `${value}${FIRST}`;
    if (!this.#written.has(name)) {
      this.#written.add(name);
      this.entry.push(`${name} = ${this.#textOfFirst(one)}`);
    }
    return name;
  }

  #textOfFirst(one: Instruction): string {
    const id = /^__rt_id_(\w+)$/.exec(calleeOf(one) ?? '')?.[1];
    if (id === 'dynamic') return 'getelementptr i8, ptr %rt.dynamic, i64 0';
    if (id !== undefined) return `add i32 %rt.${id}${id === 'tx' || id === 'lin' ? FIRST : ''}, 0`;
    return withoutFlags(one.text).replace(/%v\d+\b/g, (use) => this.#ofFirst(use));
  }
}

interface Pick {
  readonly condition: string;
  readonly holds: boolean;
  readonly value: string;
  readonly test: string;
}

function linesOf(result: string, { terms, constant, slope }: Sum): string[] {
  const lines: string[] = [];
  const parts = terms.map(({ value, sign, factor }, i) => {
    lines.push(`${result}.w${i} = ${sign === 's' ? 'sext' : 'zext'} i32 ${value} to i64`);
    if (factor === 1) return `${result}.w${i}`;
    lines.push(`${result}.f${i} = mul nsw i64 ${result}.w${i}, ${factor}`);
    return `${result}.f${i}`;
  });
  if (constant !== 0) parts.push(`${constant}`);
  if (slope !== 1) lines.push(`${result}.d = mul nsw i64 ${DISTANCE}, ${slope}`);
  parts.push(slope === 1 ? DISTANCE : `${result}.d`);
  let sum = parts[0] ?? '0';
  for (const [i, part] of parts.slice(1).entries()) {
    const name = i === parts.length - 2 ? result : `${result}.s${i}`;
    lines.push(`${name} = add nsw i64 ${sum}, ${part}`);
    sum = name;
  }
  return lines;
}
