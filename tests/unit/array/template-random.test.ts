import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { parseTemplate, type Syntax } from '../../../src/array/template.ts';
import { showSyntax as show, templateFunctions as functions } from '../../helpers/template-texts.ts';

/** A seeded generator of random integers. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

type Value = number | boolean;

/** What JavaScript computes for each operation: the reference is JavaScript's own evaluation. */
const compute: Readonly<Record<string, (...args: readonly [Value, Value, Value]) => Value>> = {
  add: (a, b) => +a + +b,
  subtract: (a, b) => +a - +b,
  multiply: (a, b) => +a * +b,
  divide: (a, b) => +a / +b,
  remainder: (a, b) => +a % +b,
  pow: (a, b) => (+a) ** +b,
  negative: (a) => -+a,
  positive: (a) => +a,
  bitwiseInvert: (a) => ~a,
  logicalNot: (a) => !a,
  equal: (a, b) => +a === +b,
  notEqual: (a, b) => +a !== +b,
  less: (a, b) => +a < +b,
  lessEqual: (a, b) => +a <= +b,
  greater: (a, b) => +a > +b,
  greaterEqual: (a, b) => +a >= +b,
  bitwiseAnd: (a, b) => +a & +b,
  bitwiseOr: (a, b) => +a | +b,
  bitwiseXor: (a, b) => +a ^ +b,
  bitwiseLeftShift: (a, b) => +a << +b,
  bitwiseRightShift: (a, b) => +a >> +b,
  logicalAnd: (a, b) => a && b,
  logicalOr: (a, b) => a || b,
  where: (c, a, b) => (c ? a : b),
};

function evaluate(tree: Syntax, values: readonly number[]): Value {
  switch (tree.kind) {
    case 'value':
      return values[tree.index] as number;
    case 'number':
      return Number(tree.value);
    case 'boolean':
      return tree.value;
    case 'imaginary':
      throw new Error('no complex numbers here');
    case 'call': {
      const operation = compute[tree.name];
      if (!operation) throw new Error(`no operation ${tree.name}`);
      const [a = 0, b = 0, c = 0] = tree.args.map((arg) => evaluate(arg, values));
      return operation(a, b, c);
    }
  }
}

/** A text in both languages; the level is that of the operator at its top, from JavaScript's table. */
interface Text {
  readonly ours: string;
  readonly js: string;
  readonly level: number;
}

const ATOM = 20;
const POWER = 14;
const SIGN = 15;
const COMPARED = [8, 9];
const BITWISE = [5, 6, 7];

// JavaScript's levels, as its reference gives them.
const marks: Readonly<Record<string, number>> = {
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '==': 8,
  '!=': 8,
  '<': 9,
  '<=': 9,
  '>': 9,
  '>=': 9,
  '<<': 10,
  '>>': 10,
  '+': 12,
  '-': 12,
  '*': 13,
  '/': 13,
  '%': 13,
};

/** Random expressions with no more parentheses than each language needs, and now and then one more. */
class Expressions {
  readonly values: number[] = [];
  readonly #random: Random;
  readonly #binary: readonly string[];
  readonly #signs: readonly string[];

  constructor(seed: number, binary: readonly string[], signs: readonly string[]) {
    this.#random = new Random(seed);
    this.#binary = binary;
    this.#signs = signs;
  }

  text(depth: number): Text {
    const kind = depth === 0 ? 0 : this.#random.below(10);
    if (kind < 2) return this.#atom();
    if (kind === 2) return this.#inParentheses(this.text(depth - 1));
    if (kind === 3) return this.#signed(depth - 1);
    if (kind === 4) return this.#power(depth - 1);
    if (kind === 5 && this.#binary.includes('&&')) return this.#choice(depth - 1);
    return this.#joined(depth - 1);
  }

  #atom(): Text {
    if (this.#random.below(3) === 0) {
      const index = this.values.push(this.#random.below(9) - 4) - 1;
      return { ours: '@', js: `v[${index}]`, level: ATOM };
    }
    const text = this.#random.of(['0', '1', '2', '3', '7', '0.5', '.25', '1e-3', '0x1f', '0b11', '1_000', '2.']);
    return { ours: text, js: text, level: ATOM };
  }

  #inParentheses({ ours, js }: Text): Text {
    return { ours: `(${ours})`, js: `(${js})`, level: ATOM };
  }

  #signed(depth: number): Text {
    const sign = this.#random.of(this.#signs);
    const operand = this.text(depth);
    // The one place where the texts differ: JavaScript wants parentheses around the power after a sign.
    const inner = operand.level < POWER ? this.#inParentheses(operand) : operand;
    const js = operand.level === POWER ? `(${inner.js})` : inner.js;
    // JavaScript reads -- and ++ as one operator.
    return { ours: `${sign}${this.#space()}${inner.ours}`, js: `${sign} ${js}`, level: SIGN };
  }

  #power(depth: number): Text {
    const base = this.text(depth);
    const exponent = this.text(depth);
    const left = base.level < ATOM ? this.#inParentheses(base) : base;
    const right = exponent.level < POWER ? this.#inParentheses(exponent) : exponent;
    return { ...this.#between(left, '**', right), level: POWER };
  }

  #joined(depth: number): Text {
    const mark = this.#random.of(this.#binary);
    const level = marks[mark] as number;
    const left = this.text(depth);
    const right = this.text(depth);
    const one = left.level < level || isMixed(left.level, level) ? this.#inParentheses(left) : left;
    const other = right.level <= level || isMixed(right.level, level) ? this.#inParentheses(right) : right;
    return { ...this.#between(one, mark, other), level };
  }

  #choice(depth: number): Text {
    const condition = this.text(depth);
    const test = condition.level === 2 ? this.#inParentheses(condition) : condition;
    const choice = this.#between(test, '?', this.text(depth));
    return { ...this.#between(choice, ':', this.text(depth)), level: 2 };
  }

  #between(left: Omit<Text, 'level'>, mark: string, right: Text): Omit<Text, 'level'> {
    const ours = `${left.ours}${this.#space()}${mark}${this.#space()}${right.ours}`;
    return { ours, js: `${left.js} ${mark} ${right.js}` };
  }

  #space(): string {
    return this.#random.of(['', ' ', '\n', ' \t ']);
  }
}

/** What our parser refuses without parentheses. */
function isMixed(inner: number, outer: number): boolean {
  if (COMPARED.includes(inner)) return COMPARED.includes(outer) || BITWISE.includes(outer);
  return BITWISE.includes(inner) && COMPARED.includes(outer);
}

describe('random expressions', () => {
  test.each([
    ['of arithmetic', ['+', '-', '*', '/'], ['-']],
    ['of every operator that JavaScript has', Object.keys(marks), ['-', '+', '~', '!']],
  ])('%s have the value that JavaScript gives them', (_, binary, signs) => {
    const kinds = new Set<string>();
    const context = createContext({ v: [] });
    for (let seed = 1; seed <= 3000; seed++) {
      const source = new Expressions(seed, binary, signs);
      const { ours, js } = source.text(1 + (seed % 6));
      const tree = parseTemplate(ours.split('@'), functions);
      const wanted: unknown = runInContext(`v = ${JSON.stringify(source.values)}; ${js}`, context);
      const got = evaluate(tree, source.values);
      if (!Object.is(got, wanted))
        throw new Error(`seed ${seed}: ${ours} is ${String(got)}, not ${String(wanted)}: ${js}`);
      kinds.add(String(wanted));
    }
    // Enough different answers that a wrong tree would be seen.
    expect(kinds.size).toBeGreaterThan(200);
  });

  test('of any words are read or refused at a place in the line', () => {
    const words =
      '@ @ @ 1 2.5 3n 4j pi sin( pow( clip( ( ( ) ) , ? : + - * / // % ** ~ ! == === != < <= > >= & | ^ << >> '
        .concat('>>> && || = . [ ] { } # foo foo( and true 1__ 0x é 🦆 \u200b $ \\ ; ?? /* <> =>')
        .split(' ')
        .filter((word) => word !== '');
    const counts = { read: 0, refused: 0 };
    for (let seed = 1; seed <= 5000; seed++) {
      const random = new Random(seed);
      const text = Array.from({ length: 1 + random.below(seed % 3 === 0 ? 4 : 12) }, () => random.of(words)).join(
        random.of(['', ' ']),
      );
      const strings = text.split('@');
      try {
        show(parseTemplate(strings, functions));
        counts.read++;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        counts.refused++;
        const [message = '', line = '', carets = '', ...more] = error.message.split('\n');
        expect(more).toEqual([]);
        expect(message).toMatch(/^\S.{10,}[^.]$/u);
        const whole = strings.map((string, i) => (i === 0 ? string : `\${${i - 1}}${string}`)).join('');
        expect(line).toBe(`  ${whole.trim().replaceAll('\u200b', '?')}`);
        expect(carets).toMatch(/^ {2} *\^+$/);
        expect(carets.length).toBeLessThanOrEqual(line.length + 1);
      }
    }
    expect(counts.read).toBeGreaterThan(60);
    expect(counts.refused).toBeGreaterThan(4000);
  });
});
