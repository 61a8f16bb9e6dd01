import { type NumberLiteral, readNumber } from './template-number.ts';
import { brief } from './brief.ts';
import { placeholder, type TemplateText } from './template-text.ts';

interface Place {
  readonly text: string;
  /** Where it begins in the line of the template. */
  readonly at: number;
}

/** A word of an expression. A `mark` may be one that has no meaning: the parser knows what to say about it. */
export type TemplateToken =
  | (Place & { readonly kind: 'name' | 'mark' | 'end' })
  | (Place & { readonly kind: 'value'; readonly index: number })
  | (Place & { readonly kind: 'number'; readonly literal: NumberLiteral });

const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const NUMBER = /\.?\d/y;
const MARK = />>>|===|!==|\*\*|\/\/|\/\*|<<|>>|<=|>=|==|!=|<>|=>|&&|\|\||\?\?|./suy;

/** The words of a template one after the other, so that what is wrong first is reported first. */
export class TemplateTokens {
  readonly #text: TemplateText;
  #part = 0;
  /** In the part's own text. */
  #at = 0;
  #next: TemplateToken | undefined;

  constructor(text: TemplateText) {
    this.#text = text;
  }

  peek(): TemplateToken {
    this.#next ??= this.#read();
    return this.#next;
  }

  take(): TemplateToken {
    const token = this.peek();
    this.#next = undefined;
    return token;
  }

  #read(): TemplateToken {
    const part = this.#text.parts[this.#part];
    if (!part) return { kind: 'end', text: '', at: this.#text.line.length };
    // Space was folded into single blanks.
    if (part.text[this.#at] === ' ') this.#at++;
    const at = part.at + this.#at;
    if (this.#at >= part.text.length) return this.#readValue(at);
    const name = this.#match(NAME, part.text);
    if (name !== undefined) return { kind: 'name', text: name, at };
    NUMBER.lastIndex = this.#at;
    if (NUMBER.test(part.text)) return this.#readNumber(part.text, at);
    return { kind: 'mark', text: this.#match(MARK, part.text) ?? '', at };
  }

  /** Between two parts stands a value, after the last one nothing. */
  #readValue(at: number): TemplateToken {
    const index = this.#part++;
    this.#at = 0;
    if (this.#part === this.#text.parts.length) return { kind: 'end', text: '', at };
    return { kind: 'value', index, text: placeholder(index), at };
  }

  #readNumber(source: string, at: number): TemplateToken {
    const read = readNumber(source, this.#at);
    this.#at += read.text.length;
    if ('literal' in read) return { kind: 'number', literal: read.literal, text: read.text, at };
    const message = `${brief(read.text)} cannot be read: ${read.problem}`;
    throw new SyntaxError(this.#text.point(message, at, read.text.length));
  }

  #match(pattern: RegExp, source: string): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(source)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }
}
