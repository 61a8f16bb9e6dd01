import {
  adviceAfterValue,
  adviceFor,
  type Arity,
  chained,
  countOf,
  mixed,
  splitIt,
  unknownFunction,
  unknownValue,
} from './template-advice.ts';
import type { NumberLiteral } from './template-number.ts';
import { binaryOperators, type BinaryOperator, prefixOperators, templateConstants } from './template-operator.ts';
import { TemplateText } from './template-text.ts';
import { brief } from './brief.ts';
import { type TemplateToken, TemplateTokens } from './template-token.ts';

export type { Arity } from './template-advice.ts';

/** An expression as a tree. Operations have the Array API's names in camelCase. */
export type Syntax =
  /** The value with that index among those of the template. */
  | { readonly kind: 'value'; readonly index: number }
  /** `2`, `5n`, `0x1f`, `pi`; a sign before one is part of it. */
  | NumberLiteral
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** `at` is where its operator or name stands in the line of {@link templateMessage}. */
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Syntax[]; readonly at: number };

const MOST_OPERATIONS = 1000;
const DEEPEST = 200;

/**
 * Read the text of a tagged template as an expression over its values. It depends on nothing but its arguments, so a tree may
 * be kept for the strings of a template, which are the same object each time the template is reached.
 *
 * From loose to tight: `c ? a : b` · `||` · `&&` · `== != < <= > >=` · `|` · `^` · `&` · `<< >>` · `+ -` · `* / // %` ·
 * the signs `+ - ~ !` · `**`. It is Python's order, which differs from JavaScript's in three places:
 *
 * - `&`, `^` and `|` bind tighter than comparisons. As the reading differs, mixing the two takes parentheses.
 * - `-a ** 2` is `-(a ** 2)`, which JavaScript refuses.
 * - Comparisons do not group: JavaScript compares the first result, Python means both at once, so `a < b < c` is refused.
 *
 * `//` divides and rounds down, `/` and `%` are the Array API's. `!` binds as in JavaScript, tighter than Python's `not`.
 *
 * @param strings - the strings of the template
 * @param functions - the functions that may be called, with the number of their arguments
 * @throws SyntaxError it cannot be read; the message points at the place and says what would be right
 * @throws RangeError more than 1000 operations, or nested more than 200 deep
 * @throws TypeError no strings of a template
 */
export function parseTemplate(strings: readonly string[], functions: ReadonlyMap<string, Arity>): Syntax {
  return new Parser(new TemplateText(strings), functions).run();
}

/** A message about an operation of a template: its line follows, with a caret below the place. */
export function templateMessage(strings: readonly string[], message: string, at: number): string {
  return new TemplateText(strings).point(message, at);
}

/** A tree, and the operator at its top where no parentheses stand around it. */
interface Operand {
  readonly tree: Syntax;
  readonly operator?: BinaryOperator;
  readonly token?: TemplateToken;
}

class Parser {
  readonly #text: TemplateText;
  readonly #tokens: TemplateTokens;
  readonly #functions: ReadonlyMap<string, Arity>;
  #last: TemplateToken | undefined;
  #depth = 0;
  #operations = 0;

  constructor(text: TemplateText, functions: ReadonlyMap<string, Arity>) {
    this.#text = text;
    this.#tokens = new TemplateTokens(text);
    this.#functions = functions;
  }

  run(): Syntax {
    if (this.#text.line === '') throw new SyntaxError('An expression must not be empty; write one such as ${a} * 2');
    const tree = this.#choice();
    if (this.#tokens.peek().kind !== 'end') throw this.#afterValue();
    return tree;
  }

  #choice(): Syntax {
    const condition = this.#binary(1).tree;
    const mark = this.#accept('?');
    if (!mark) return condition;
    this.#enter(mark);
    const yes = this.#choice();
    if (!this.#accept(':')) {
      if (!/^[),]?$/.test(this.#tokens.peek().text)) throw this.#afterValue('or by : and another value');
      throw this.#error('? must be followed by two values with : between them; write c ? a : b', mark);
    }
    const no = this.#choice();
    this.#depth--;
    return this.#call('where', [condition, yes, no], mark);
  }

  /** Operators of a level and tighter ones. A chain takes turns of the loop, not of the stack. */
  #binary(least: number): Operand {
    let left: Operand = { tree: this.#signed() };
    for (;;) {
      const token = this.#tokens.peek();
      const operator = token.kind === 'mark' ? binaryOperators.get(token.text) : undefined;
      if (!operator || operator.level < least) return left;
      this.#take();
      this.#checkLeft(left, operator, token);
      const right = this.#binary(operator.level + 1);
      this.#checkRight(right, operator, token);
      left = { tree: this.#call(operator.name, [left.tree, right.tree], token), operator, token };
    }
  }

  #checkLeft({ operator: left, token: mark }: Operand, operator: BinaryOperator, token: TemplateToken): void {
    if (!left || !mark || operator.group !== 'comparison') return;
    if (left.group === 'comparison') throw this.#error(chained(mark.text, token.text), token);
    if (left.group === 'bitwise') throw this.#error(mixed(mark.text, token.text), token);
  }

  #checkRight({ operator: right, token: mark }: Operand, operator: BinaryOperator, token: TemplateToken): void {
    if (right?.group !== 'bitwise' || !mark || operator.group !== 'comparison') return;
    const next = this.#tokens.peek().text;
    const third = binaryOperators.get(next)?.group === 'comparison' ? next : undefined;
    throw this.#error(mixed(token.text, mark.text, third), mark);
  }

  #signed(): Syntax {
    const token = this.#tokens.peek();
    const name = token.kind === 'mark' ? prefixOperators.get(token.text) : undefined;
    if (name === undefined) return this.#power();
    this.#enter(this.#take());
    const operand = this.#signed();
    this.#depth--;
    return withSign(name, operand) ?? this.#call(name, [operand], token);
  }

  #power(): Syntax {
    const base = this.#primary();
    const mark = this.#accept('**');
    if (!mark) return base;
    this.#enter(mark);
    const exponent = this.#signed();
    this.#depth--;
    return this.#call('pow', [base, exponent], mark);
  }

  #primary(): Syntax {
    const token = this.#tokens.peek();
    switch (token.kind) {
      case 'value':
        this.#take();
        return { kind: 'value', index: token.index };
      case 'number':
        this.#take();
        return token.literal;
      case 'name':
        return this.#named();
      default:
        if (token.text === '(') return this.#parenthesised();
        throw this.#beforeValue(token);
    }
  }

  #parenthesised(): Syntax {
    const open = this.#take();
    this.#enter(open);
    const tree = this.#choice();
    this.#close(open);
    return tree;
  }

  #close(open: TemplateToken): void {
    if (!this.#accept(')')) {
      if (this.#tokens.peek().kind === 'end') throw this.#error('( must be closed by )', open);
      throw this.#afterValue('or )');
    }
    this.#depth--;
  }

  #named(): Syntax {
    const name = this.#tokens.peek();
    const advice = adviceFor.get(name.text);
    if (advice !== undefined) throw this.#error(advice, name);
    this.#take();
    const next = this.#tokens.peek();
    const dot = next.text === '.' ? adviceFor.get('.') : undefined;
    if (dot !== undefined) throw this.#error(dot, next);
    if (next.text === '(') return this.#called(name);
    const constant = templateConstants.get(name.text);
    if (constant === undefined) throw this.#error(unknownValue(name.text, this.#functions), name);
    return typeof constant === 'boolean' ? { kind: 'boolean', value: constant } : { kind: 'number', value: constant };
  }

  #called(name: TemplateToken): Syntax {
    const arity = this.#functions.get(name.text);
    if (arity === undefined) throw this.#error(unknownFunction(name.text, this.#functions), name);
    const open = this.#take();
    this.#enter(open);
    const args: Syntax[] = [];
    // Both languages allow a comma after the last argument.
    while (this.#tokens.peek().text !== ')') {
      args.push(this.#choice());
      if (!this.#accept(',')) break;
    }
    this.#close(open);
    const [least, most] = typeof arity === 'number' ? [arity, arity] : arity;
    if (args.length < least || args.length > most) {
      throw this.#error(`${name.text} must have ${countOf(arity)}, got ${args.length}`, name);
    }
    return this.#call(name.text, args, name);
  }

  #call(name: string, args: readonly Syntax[], { at, text }: TemplateToken): Syntax {
    if (++this.#operations > MOST_OPERATIONS) {
      const message = `An expression must have at most ${MOST_OPERATIONS} operations, got more`;
      throw new RangeError(this.#text.point(`${message}; ${splitIt}`, at, text.length));
    }
    return { kind: 'call', name, args, at };
  }

  #enter({ at, text }: TemplateToken): void {
    if (++this.#depth <= DEEPEST) return;
    const message = `An expression must be nested at most ${DEEPEST} levels deep, got more`;
    throw new RangeError(this.#text.point(`${message}; ${splitIt}`, at, text.length));
  }

  #take(): TemplateToken {
    this.#last = this.#tokens.take();
    return this.#last;
  }

  #accept(mark: string): TemplateToken | undefined {
    const token = this.#tokens.peek();
    return token.kind === 'mark' && token.text === mark ? this.#take() : undefined;
  }

  /** Where a value has to begin, something else stands. */
  #beforeValue(token: TemplateToken): SyntaxError {
    const known = binaryOperators.has(token.text) || token.kind === 'end' || /^[),:?]$|^\*\*$/.test(token.text);
    if (!known) return this.#meaningless(token);
    const got = token.kind === 'end' ? 'nothing' : token.text;
    const last = this.#last;
    if (!last) return this.#error(`An expression must begin with a value, got ${got}`, token);
    return this.#error(`${brief(last.text)} must be followed by a value, got ${got}`, token);
  }

  /** What follows a value does not continue the expression. */
  #afterValue(also?: string): SyntaxError {
    const token = this.#tokens.peek();
    const advice = adviceAfterValue.get(token.text);
    if (advice !== undefined) return this.#error(advice, token);
    if ((token.kind === 'mark' && token.text !== '(') || adviceFor.has(token.text)) return this.#meaningless(token);
    const wanted = `an operator${also === undefined ? '' : ` ${also}`}`;
    const message = `${brief(this.#last?.text ?? '')} must be followed by ${wanted}, got ${brief(token.text)}`;
    return this.#error(`${message}; write * to multiply`, token);
  }

  #meaningless(token: TemplateToken): SyntaxError {
    const code = (token.text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const message = `${brief(token.text)} (U+${code}) has no meaning in an expression; leave it out`;
    return this.#error(adviceFor.get(token.text) ?? message, token);
  }

  #error(message: string, { at, text }: TemplateToken): SyntaxError {
    return new SyntaxError(this.#text.point(message, at, text.length));
  }
}

/** A number with its sign, as `-9223372036854775808n` fits an element that the number without the sign does not. */
function withSign(name: string, operand: Syntax): Syntax | undefined {
  if (operand.kind !== 'number' && operand.kind !== 'imaginary') return undefined;
  if (name === 'positive') return operand;
  if (name !== 'negative') return undefined;
  return operand.kind === 'number' ? { kind: 'number', value: -operand.value } : { ...operand, value: -operand.value };
}
