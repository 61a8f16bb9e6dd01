import { Unreadable } from '../../core/c-type.ts';

/** A cursor over a symbol. */
export class MangledText {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character, or the one `ahead` of it; empty past the end. */
  peek(ahead = 0): string {
    return this.#text[this.#at + ahead] ?? '';
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** Exactly so many characters. */
  read(length: number): string {
    const text = this.#text.slice(this.#at, this.#at + length);
    if (text.length < length) throw new Unreadable('the end');
    this.#at += length;
    return text;
  }

  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw new Unreadable(`no ${text}`);
  }

  match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }

  /** `3foo` */
  sourceName(): string {
    const name = this.read(Number(this.match(/[1-9]\d{0,5}/y) ?? 0));
    if (!/^[\w$.\u0080-\uffff]+$/.test(name)) throw new Unreadable('name');
    return /^_GLOBAL_[_.$]N/.test(name) ? '(anonymous namespace)' : name;
  }

  /** `_` is the first, `0_` the second. */
  ordinal(): number {
    const digits = this.match(/\d{0,6}_/y);
    if (digits === undefined) throw new Unreadable('ordinal');
    return digits === '_' ? 1 : Number.parseInt(digits, 10) + 2;
  }

  /** `S_` is 0, `S0_` is 1; `T` counts in tens, `S` in thirty-sixes. */
  sequence(letter: 'S' | 'T', radix: 10 | 36): number {
    this.expect(letter);
    const digits = this.match(radix === 10 ? /\d{0,4}_/y : /[\dA-Z]{0,4}_/y);
    if (digits === undefined) throw new Unreadable('sequence');
    return digits === '_' ? 0 : Number.parseInt(digits, radix) + 1;
  }
}
