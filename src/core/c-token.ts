export interface Token {
  /** `branch` stands for a preprocessor conditional. */
  readonly kind: 'word' | 'number' | 'string' | 'mark' | 'branch';
  readonly text: string;
  readonly line: number;
  /** A macro of several possible meanings: all of them type words, or anything at all. */
  readonly doubt?: 'type' | 'anything';
}

interface Macro {
  /** Undefined: the value depends on a conditional. */
  readonly body: readonly Token[] | undefined;
  readonly doubt: 'none' | 'type' | 'anything';
  readonly callable: boolean;
}

/** The tokens of C or C++ text, without comments, with the object-like macros it defines itself expanded. Linear, never throws. */
export function tokenize(source: string, defined: ReadonlySet<string> = new Set()): Token[] {
  return new Tokenizer(source, defined).run();
}

/** Tokens as one line of C, spaced only where words would run together. */
export function joinTokens(tokens: readonly Token[]): string {
  let text = '';
  let previous: Token | undefined;
  for (const token of tokens) {
    if (token.kind === 'branch') continue;
    const words = previous && previous.kind !== 'mark' && token.kind !== 'mark';
    text += (words || previous?.text === ',' ? ' ' : '') + token.text;
    previous = token;
  }
  return text;
}

/** `done`: dead, because an earlier branch was live. */
type Branch = 'live' | 'dead' | 'done' | 'unsure';

// A hostile chain of macros can double its size at every step.
const EXPANSION_BUDGET = 100_000;
const DEEPEST_EXPANSION = 16;
const CONDITIONALS = new Set(['if', 'ifdef', 'ifndef', 'else', 'elif', 'elifdef', 'elifndef', 'endif']);
const RAW_PREFIXES = new Set(['R', 'LR', 'uR', 'UR', 'u8R']);

class Tokenizer {
  readonly #text: string;
  /** Macros that every compiler of the dialect defines. */
  readonly #defined: ReadonlySet<string>;
  /** Offsets in the spliced text where a line continuation was. */
  readonly #joins: number[] = [];
  readonly #tokens: Token[] = [];
  readonly #macros = new Map<string, Macro>();
  /** One entry for each open conditional. */
  readonly #branches: Branch[] = [];
  #dead = 0;
  #unsure = 0;
  #at = 0;
  #line = 1;
  #counted = 0;
  #join = 0;
  #budget = EXPANSION_BUDGET;

  constructor(source: string, defined: ReadonlySet<string>) {
    this.#defined = defined;
    let text = '';
    let from = 0;
    for (const match of source.matchAll(/\\[ \t]*\r?\n/g)) {
      text += source.slice(from, match.index);
      this.#joins.push(text.length);
      from = match.index + match[0].length;
    }
    this.#text = from === 0 ? source : text + source.slice(from);
  }

  run(): Token[] {
    let fresh = true;
    for (;;) {
      if (this.#skipBlank(true)) fresh = true;
      if (this.#at >= this.#text.length) return this.#tokens;
      if (fresh && this.#text[this.#at] === '#') {
        this.#at++;
        this.#directive();
        continue;
      }
      fresh = false;
      const token = this.#next();
      if (this.#dead === 0) this.#emit(token, 0, undefined);
    }
  }

  #emit(token: Token, depth: number, following: Token | undefined): void {
    const macro = token.kind === 'word' ? this.#macros.get(token.text) : undefined;
    const called = macro?.callable === true && (following ? following.text === '(' : this.#callFollows());
    if (!macro || (macro.callable && !called)) {
      this.#tokens.push(token);
    } else if (macro.body && !macro.callable && depth < DEEPEST_EXPANSION && this.#budget > macro.body.length) {
      this.#budget -= macro.body.length;
      // A macro is not expanded inside itself.
      this.#macros.delete(token.text);
      const { body } = macro;
      body.forEach((part, i) => this.#emit({ ...part, line: token.line }, depth + 1, body[i + 1]));
      this.#macros.set(token.text, macro);
    } else {
      const doubt = macro.body ? 'anything' : macro.doubt;
      this.#tokens.push(doubt === 'none' ? token : { ...token, doubt });
    }
  }

  #callFollows(): boolean {
    let at = this.#at;
    while (isBlank(this.#text.charCodeAt(at))) at++;
    return this.#text[at] === '(';
  }

  #directive(): void {
    const line: Token[] = [];
    let bodyAt = -1;
    for (;;) {
      this.#skipBlank(false);
      if (this.#at >= this.#text.length || this.#text[this.#at] === '\n') break;
      const token = this.#next();
      line.push(token);
      if (line.length === 2) bodyAt = this.#at;
    }
    const [name, subject] = line;
    if (!name) return;
    if (CONDITIONALS.has(name.text)) {
      this.#conditional(name, line);
    } else if (subject && this.#dead === 0 && name.text === 'define') {
      this.#define(subject.text, line.slice(2), this.#text[bodyAt] === '(');
    } else if (subject && this.#dead === 0 && name.text === 'undef') {
      const old = this.#macros.get(subject.text);
      if (this.#unsure === 0) this.#macros.delete(subject.text);
      else if (old) this.#macros.set(subject.text, { ...old, body: undefined, doubt: meaning(old) });
    }
  }

  #conditional(name: Token, line: readonly Token[]): void {
    const opens = name.text.startsWith('if');
    const was = opens ? undefined : this.#branches.pop();
    if (was) this.#count(was, -1);
    const now = opens ? opening(line, this.#defined) : name.text === 'endif' ? undefined : following(was, name.text);
    if (now) {
      this.#branches.push(now);
      this.#count(now, 1);
    }
    if (was !== 'unsure' && now !== 'unsure') return;
    this.#tokens.push({ kind: 'branch', text: opens ? 'if' : now ? 'else' : 'endif', line: name.line });
  }

  #count(branch: Branch, by: number): void {
    if (branch === 'unsure') this.#unsure += by;
    else if (branch !== 'live') this.#dead += by;
  }

  #define(name: string, body: readonly Token[], callable: boolean): void {
    const known = { body, doubt: 'none', callable } as const;
    if (this.#unsure === 0 && !callable && !body.some((part) => part.text === '#')) {
      this.#macros.set(name, known);
      return;
    }
    const old = this.#macros.get(name);
    const meanings = old ? [meaning(old), meaning(known)] : [meaning(known)];
    const doubt = meanings.includes('anything') ? 'anything' : meanings.includes('type') ? 'type' : 'none';
    this.#macros.set(name, { body: undefined, doubt, callable: callable && old?.callable !== false });
  }

  /** Skips blanks and comments; true if a line ended. */
  #skipBlank(lines: boolean): boolean {
    const text = this.#text;
    let ended = false;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === 10) {
        if (!lines) return ended;
        ended = true;
        this.#at++;
      } else if (isBlank(code)) {
        this.#at++;
      } else if (code === 47 && text[this.#at + 1] === '/') {
        this.#at = endOf(text, '\n', this.#at) - 1;
        if (text[this.#at] !== '\n') this.#at++;
      } else if (code === 47 && text[this.#at + 1] === '*') {
        this.#at = endOf(text, '*/', this.#at + 2);
      } else {
        return ended;
      }
    }
  }

  #next(): Token {
    const text = this.#text;
    const start = this.#at;
    const line = this.#lineAt(start);
    const code = text.charCodeAt(start);
    if (isWord(code)) {
      const number = isDigit(code);
      while (isWord(text.charCodeAt(this.#at)) || (number && this.#inNumber())) this.#at++;
      const word = text.slice(start, this.#at);
      if (text[this.#at] !== '"' || !RAW_PREFIXES.has(word))
        return { kind: number ? 'number' : 'word', text: word, line };
      const open = text.indexOf('(', this.#at);
      this.#at = open < 0 ? text.length : endOf(text, `)${text.slice(this.#at + 1, open)}"`, open);
      return { kind: 'string', text: '""', line };
    }
    if (code === 34 || code === 39) {
      this.#at++;
      while (this.#at < text.length && text[this.#at] !== '\n' && text.charCodeAt(this.#at) !== code) {
        this.#at += text[this.#at] === '\\' && text[this.#at + 1] !== '\n' ? 2 : 1;
      }
      if (text.charCodeAt(this.#at) === code) this.#at++;
      this.#at = Math.min(this.#at, text.length);
      return { kind: 'string', text: text.slice(start, this.#at), line };
    }
    const pair = text.slice(start, start + 2);
    this.#at += text.startsWith('...', start) ? 3 : pair === '::' || pair === '->' || pair === '&&' ? 2 : 1;
    return { kind: 'mark', text: text.slice(start, this.#at), line };
  }

  #inNumber(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    if (code === 46) return true;
    if (code === 39) return isWord(this.#text.charCodeAt(this.#at + 1));
    return (code === 43 || code === 45) && /[eEpP]/.test(this.#text[this.#at - 1] ?? '');
  }

  #lineAt(offset: number): number {
    for (; this.#counted < offset; this.#counted++) if (this.#text.charCodeAt(this.#counted) === 10) this.#line++;
    while ((this.#joins[this.#join] ?? Infinity) <= offset) {
      this.#join++;
      this.#line++;
    }
    return this.#line;
  }
}

function opening([name, subject, ...more]: readonly Token[], defined: ReadonlySet<string>): Branch {
  if (!name || !subject || more.length > 0) return 'unsure';
  if (name.text === 'if') return subject.text === '0' ? 'dead' : subject.text === '1' ? 'live' : 'unsure';
  if (!defined.has(subject.text)) return 'unsure';
  return name.text === 'ifdef' ? 'live' : 'dead';
}

function following(was: Branch | undefined, directive: string): Branch {
  if (was === 'live' || was === 'done') return 'done';
  return was === 'dead' && directive === 'else' ? 'live' : 'unsure';
}

/** What a macro could stand for when it is not certain that it does. */
function meaning(macro: Macro): 'none' | 'type' | 'anything' {
  if (!macro.body || macro.callable) return macro.callable ? 'anything' : macro.doubt;
  if (macro.body.length > 0 && macro.body.every((part) => part.kind === 'word')) return 'type';
  const value = macro.body.some((part) => part.kind === 'number');
  return value && !macro.body.some((part) => ',;{}[]='.includes(part.text)) ? 'none' : 'anything';
}

function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xfeff || code === 0xa0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWord(code: number): boolean {
  return (
    isDigit(code) ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 36 ||
    code > 0xff
  );
}
