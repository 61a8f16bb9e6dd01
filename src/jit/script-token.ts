/** A word, a literal or one character of a program in TypeScript or JavaScript. */
export interface ScriptToken {
  readonly start: number;
  readonly end: number;
  /** As written; tools write literals in other ways: strings in one kind of quotes, numbers as JavaScript prints them. */
  readonly text: string;
  readonly isName: boolean;
}

const BLANK = /(?:\s+|\/\/.*|\/\*[^]*?(?:\*\/|$))+/y;
const NAME = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /(?:0[xob][\da-f_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?[\d_]+)?n?)/iy;
/** A string ends with its line, whether it is closed or not: in JSX an apostrophe opens none. */
const STRING = /'(?:[^'\\\n]|\\[^])*'?|"(?:[^"\\\n]|\\[^])*"?/y;
const TEMPLATE = /[`}](?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{|$)/y;
const QUOTES = /^['"]|['"]$/g;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** What a value ends with: behind it a slash divides. */
const ENDS_VALUE = /^(?:[\])}]|[\p{ID_Continue}$"].*)$/su;
/** Words that a value follows. */
const BEFORE_VALUE = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw', 'new', 'else', 'do']);

/** The tokens of a program. No text fails: what no program has is a token, too. */
export function scriptTokens(text: string): readonly ScriptToken[] {
  return new Scanner(text).run();
}

class Scanner {
  readonly #text: string;
  readonly #tokens: ScriptToken[] = [];
  /** For each template around, how many braces are open in its expression. */
  readonly #templates: number[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): readonly ScriptToken[] {
    for (;;) {
      this.#at += this.#match(BLANK)?.length ?? 0;
      if (this.#at >= this.#text.length) return this.#tokens;
      this.#token();
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #token(): void {
    const name = this.#match(NAME);
    const number = name === undefined ? this.#match(NUMBER) : undefined;
    const literal = this.#match(STRING) ?? this.#template() ?? this.#regex();
    if (name !== undefined) this.#add(name, name, true);
    else if (number !== undefined) this.#add(number, numberText(number));
    else if (literal !== undefined) this.#add(literal, `"${literal.replace(QUOTES, '')}`);
    else this.#character(this.#text.charAt(this.#at));
  }

  #character(char: string): void {
    const open = this.#templates.at(-1);
    if (open !== undefined && char === '{') this.#templates.splice(-1, 1, open + 1);
    if (open !== undefined && char === '}') this.#templates.splice(-1, 1, open - 1);
    this.#add(char, char);
  }

  /** A piece of a template, up to its end or to an expression. */
  #template(): string | undefined {
    const first = this.#text.charAt(this.#at);
    if (first !== '`' && !(first === '}' && this.#templates.at(-1) === 0)) return undefined;
    const piece = this.#match(TEMPLATE);
    if (first === '}') this.#templates.pop();
    if (piece?.endsWith('${') === true) this.#templates.push(0);
    return piece;
  }

  #regex(): string | undefined {
    return this.#isBehindValue() ? undefined : this.#match(REGEX);
  }

  #isBehindValue(): boolean {
    const last = this.#tokens.at(-1);
    if (last === undefined || BEFORE_VALUE.has(last.text)) return false;
    // TypeScript's `x! / 2`
    const value = last.text === '!' ? this.#tokens.at(-2) : last;
    return value !== undefined && ENDS_VALUE.test(value.text) && !BEFORE_VALUE.has(value.text);
  }

  #add(written: string, text: string, isName = false): void {
    const start = this.#at;
    this.#at += written.length;
    this.#tokens.push({ start, end: this.#at, text, isName });
  }
}

function numberText(written: string): string {
  const digits = written.replaceAll('_', '');
  const value = Number(digits);
  return Number.isNaN(value) ? digits : String(value);
}
