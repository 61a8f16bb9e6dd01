import { brief } from './brief.ts';

/**
 * The values of a Python dictionary whose keys are strings, such as `{'shape': (3,), 'descr': '<f4'}`: each one's own source,
 * in which brackets are closed. The depth of brackets costs nothing.
 *
 * @param problem - begins the message of an error
 * @throws SyntaxError it is no such dictionary, or has a key twice
 */
export function readPythonDict(text: string, problem: string): ReadonlyMap<string, string> {
  const source = new Source(text, problem);
  const values = new Map<string, string>();
  source.expect('{');
  while (!source.take('}')) {
    const key = pythonString(source.value());
    if (key === undefined) throw new SyntaxError(`${problem}: its keys must be strings`);
    if (values.has(key)) throw new SyntaxError(`${problem}: '${brief(key)}' is there twice`);
    source.expect(':');
    values.set(key, source.value());
    if (source.take(',')) continue;
    source.expect('}');
    break;
  }
  source.expectEnd();
  return values;
}

/** What is in a string's quotes; undefined where the source is not a string. Python 2 may have written `u'...'`. */
export function pythonString(source: string): string | undefined {
  const start = /^[uU]?['"]/.exec(source)?.[0].length;
  return start === undefined ? undefined : source.slice(start, -1);
}

const BLANKS = /[ \t\n\r\f]*/y;
const WORD = /[^\s,:'"()[\]{}]+/y;

/** Where reading has come to. */
class Source {
  readonly #text: string;
  readonly #problem: string;
  #at = 0;

  constructor(text: string, problem: string) {
    this.#text = text;
    this.#problem = problem;
  }

  take(mark: string): boolean {
    this.#match(BLANKS);
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  expect(mark: string): void {
    if (!this.take(mark)) throw this.#unexpected(`'${mark}'`);
  }

  expectEnd(): void {
    this.#match(BLANKS);
    if (this.#at < this.#text.length) throw this.#unexpected('its end');
  }

  /** The source of a string, of brackets with all that is in them, or of a word. */
  value(): string {
    this.#match(BLANKS);
    const start = this.#at;
    if (/^(?:[uU]?['"])/.test(this.#text.slice(start, start + 2))) this.#skipString();
    else if (this.#isAt('([{')) this.#skipBrackets();
    else this.#match(WORD);
    if (this.#at === start) throw this.#unexpected('a value');
    return this.#text.slice(start, this.#at);
  }

  #skipBrackets(): void {
    const start = this.#at;
    let depth = 0;
    do {
      if (this.#isAt('\'"')) {
        this.#skipString();
        continue;
      }
      if (this.#isAt('([{')) depth++;
      else if (this.#isAt(')]}')) depth--;
      this.#at++;
    } while (depth > 0 && this.#at < this.#text.length);
    if (depth > 0) throw this.#open(start);
  }

  #skipString(): void {
    const start = this.#at;
    if (!this.#isAt('\'"')) this.#at++;
    const quote = this.#text[this.#at];
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at];
      if (sign === '\n') break;
      if (sign === '\\') this.#at++;
      else if (sign === quote) {
        this.#at++;
        return;
      }
    }
    throw this.#open(start);
  }

  #isAt(signs: string): boolean {
    const sign = this.#text[this.#at];
    return sign !== undefined && signs.includes(sign);
  }

  #match(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  #open(start: number): SyntaxError {
    return new SyntaxError(`${this.#problem}: ${brief(this.#text.slice(start))} is not closed`);
  }

  #unexpected(wanted: string): SyntaxError {
    const rest = this.#text.slice(this.#at);
    const found = rest === '' ? 'the end' : brief(rest);
    return new SyntaxError(`${this.#problem}: expected ${wanted} at its character ${this.#at}, got ${found}`);
  }
}
