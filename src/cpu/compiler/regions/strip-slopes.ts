import { calleeOf, incomingOf, type Instruction } from '../ir/instruction.ts';
import { splitList, takeType } from '../ir/text.ts';
import { layoutOf, type TypeNames } from '../ir/value-type.ts';
import { idOf, type KernelPlan } from './plan.ts';
import { withoutFlags, type Slope } from './slopes.ts';

/** The largest slope: a value then wraps around at most once in a row of threads. */
const MAX = 2 ** 20;
/** Operations that can be repeated for other threads: they have no effect, and fail only where the thread's own do. */
const PURE = new Set(
  (
    'add sub mul shl lshr ashr and or xor udiv sdiv urem srem sext zext trunc getelementptr icmp select freeze phi ' +
    'ptrtoint inttoptr bitcast extractvalue insertvalue'
  ).split(' '),
);
const PURE_CALL = /^llvm\.(?:[su](?:min|max)|abs|ctpop|ctlz|cttz|[su](?:add|sub)\.sat)\.i\d+$/;

/** What a choice of a strip's address depends on. */
export interface Choice {
  readonly condition: string;
  /** Whether it is the first of the two values for the whole strip. */
  readonly isFirst: boolean;
}

/**
 * The dependence of values on a thread's x among threads that take the same path: the difference from the value of the
 * thread before. In a loop a value is assumed to have the slope of its initial value, until an instruction contradicts
 * it.
 */
export class StripSlopes {
  /** Null for a value without a constant slope. */
  readonly #slopes = new Map<string, number | null>();
  readonly #choices = new Map<string, Choice>();
  readonly #types: TypeNames;

  constructor(plan: KernelPlan) {
    this.#types = plan.types;
    for (const { name } of plan.parameters) this.#slopes.set(name, 0);
    const all = [...plan.repeated, ...plan.blocks.flatMap(({ instructions }) => instructions)];
    for (let changed = true; changed;) {
      changed = false;
      for (const one of all) {
        if (one.result === undefined) continue;
        const slope = this.#find(one);
        if (slope === undefined || this.#slopes.get(one.result) === slope) continue;
        // A withdrawn slope is not set again.
        this.#slopes.set(one.result, this.#slopes.has(one.result) ? null : slope);
        changed = true;
      }
    }
  }

  of(value: string): Slope {
    return value.startsWith('%') ? (this.#slopes.get(value) ?? undefined) : 0;
  }

  /** The condition of a choice, for which it must have one value for a whole strip; undefined for other values. */
  choiceOf(value: string): Choice | undefined {
    return this.#choices.get(value);
  }

  /** Undefined while nothing is known yet. */
  #at(value: string): number | null | undefined {
    return value.startsWith('%') ? this.#slopes.get(value) : 0;
  }

  #find(one: Instruction): number | null | undefined {
    const id = idOf(one);
    if (id !== undefined) return id === 'tx' || id === 'lin' ? 1 : 0;
    if (one.op === 'call' ? !PURE_CALL.test(calleeOf(one) ?? '') : !PURE.has(one.op)) return null;
    if (/\bundef\b/.test(one.text)) return null;
    if (one.op === 'phi') return meet(incomingOf(one).map(({ value }) => this.#at(value)));
    if (one.op === 'select') {
      const chosen = this.#chosen(one);
      if (chosen !== undefined) return chosen;
    }
    const slopes = one.uses.map((use) => this.#at(use));
    if (slopes.includes(undefined)) return undefined;
    if (slopes.includes(null)) return null;
    if (slopes.every((slope) => slope === 0)) return 0;
    const slope = this.#moving(one);
    // If two slopes add up to 0, the value still changes where one of the two operands wraps around.
    return slope !== null && slope !== 0 && Math.abs(slope) <= MAX ? slope : null;
  }

  /**
   * A choice between a value that rises from thread to thread and one that is the same for all, as at the border of a
   * periodic grid: the first one, for strips that do not reach the border.
   */
  #chosen({ result = '', text }: Instruction): number | undefined {
    const [condition = '', yes = '', no = ''] = operandsOf(text);
    if (this.#at(condition) !== null) return undefined;
    const [first, second] = [this.#at(yes), this.#at(no)];
    if (typeof first !== 'number' || typeof second !== 'number' || (first === 0) === (second === 0)) return undefined;
    this.#choices.set(result, { condition, isFirst: first !== 0 });
    return first !== 0 ? first : second;
  }

  #moving({ op, text, uses }: Instruction): number | null {
    const bare = withoutFlags(text).replace(/, ![\w.]+ !\d+/g, '');
    const slope = (value: string): number => this.#at(value) ?? 0;
    if (op === 'getelementptr') return this.#element(bare);
    if (op === 'freeze') return slope(uses[0] ?? '');
    if (op === 'select') {
      const [condition = '', yes = '', no = ''] = operandsOf(bare);
      return slope(condition) === 0 ? (meet([slope(yes), slope(no)]) ?? null) : null;
    }
    const [, from, to] = /^(?:sext|zext|trunc) i(\d+) \S+ to i(\d+)$/.exec(bare) ?? [];
    if (from !== undefined) return Math.min(Number(from), Number(to)) < 32 ? null : slope(uses[0] ?? '');
    const [, how, bits, left = '', right = ''] =
      /^(add|sub|mul|shl|or disjoint|or) i(\d+) (\S+), (\S+)$/.exec(bare) ?? [];
    if (how === undefined || Number(bits) < 32) return null;
    const [a, b] = [slope(left), slope(right)];
    if (how === 'add' || (how === 'or' && / disjoint /.test(text))) return a + b;
    if (how === 'sub') return a - b;
    if (b !== 0 || !/^-?\d+$/.test(right) || how === 'or') return null;
    return a * (how === 'mul' ? Number(right) : 2 ** Number(right));
  }

  /** The slope of an address, whose variable part is computed with 64 bits and does not wrap. */
  #element(text: string): number | null {
    const [first = '', base = '', ...indices] = splitList(text.replace(/^getelementptr /, ''));
    let slope = this.#at(takeType(base).rest) ?? 0;
    let type: string | undefined = takeType(first).type;
    for (const [i, index] of indices.entries()) {
      const { type: width, rest } = takeType(index);
      const own = this.#at(rest) ?? 0;
      if (i > 0) type = type === undefined ? undefined : /^\[\d+ x (.*)\]$/.exec(type)?.[1];
      if (own === 0) continue;
      if (type === undefined || width !== 'i64') return null;
      slope += own * layoutOf(type, this.#types).size;
    }
    return slope;
  }
}

/** The condition and the two values of a choice. */
function operandsOf(select: string): readonly string[] {
  const bare = withoutFlags(select).replace(/, ![\w.]+ !\d+/g, '');
  return splitList(bare.slice('select '.length)).map((part) => takeType(part).rest);
}

/** The slope that several values have; null where they differ, undefined where none is known. */
function meet(slopes: readonly (number | null | undefined)[]): number | null | undefined {
  const known = slopes.filter((slope) => slope !== undefined);
  return known.every((slope) => slope === known[0]) ? known[0] : null;
}
