import { nameOf } from '../core/check.ts';
import { visible } from './brief.ts';

/** The text between two values of a template. */
export interface TemplatePart {
  readonly text: string;
  /** Where it begins in the line. */
  readonly at: number;
}

/** Longer lines are cut around the place, or the carets would not stand below it. */
const WIDEST = 120;

/** The text of a template, on one line for messages: `${0} * 2 + sin(${1})`. */
export class TemplateText {
  readonly line: string;
  /** One more than there are values. */
  readonly parts: readonly TemplatePart[];

  constructor(strings: readonly string[]) {
    const { cooked, raw } = readStrings(strings);
    const parts: TemplatePart[] = [];
    let line = '';
    cooked.forEach((string, i) => {
      let text = (string ?? raw?.[i] ?? '').replace(/\s+/g, ' ');
      if (i === 0) text = text.trimStart();
      if (i === cooked.length - 1) text = text.trimEnd();
      parts.push({ text, at: line.length });
      line += text + (i < cooked.length - 1 ? placeholder(i) : '');
    });
    this.line = line;
    this.parts = parts;
    this.#checkEscapes(cooked);
  }

  /** A message with the line and carets below the place. */
  point(message: string, at: number, length = 1): string {
    if (this.line === '') return message;
    const from = Math.max(0, Math.min(at - WIDEST / 2, this.line.length - WIDEST));
    const to = Math.min(this.line.length, from + WIDEST);
    const before = from > 0 ? '...' : '';
    const shown = before + this.line.slice(from, to) + (to < this.line.length ? '...' : '');
    const carets = '^'.repeat(Math.max(1, Math.min(length, to - at)));
    return `${message}\n  ${visible(shown)}\n  ${' '.repeat(before.length + at - from)}${carets}`;
  }

  /** JavaScript gives no text for an escape that it does not know, and throws nothing itself. */
  #checkEscapes(cooked: readonly (string | undefined)[]): void {
    const bad = cooked.indexOf(undefined);
    const part = this.parts[bad];
    if (!part) return;
    const inside = Math.max(0, part.text.search(/\\[ux\d]/));
    const message = 'The backslash begins an escape that JavaScript does not know; leave it out';
    throw new SyntaxError(this.point(message, part.at + inside));
  }
}

/** How a value is shown in the line. */
export function placeholder(index: number): string {
  return `\${${index}}`;
}

interface Strings {
  readonly cooked: readonly (string | undefined)[];
  readonly raw: readonly string[] | undefined;
}

function readStrings(strings: unknown): Strings {
  if (!Array.isArray(strings)) {
    throw new TypeError(
      `An expression must be given as a tagged template, got ${nameOf(strings)}; write evaluate\`\${a} + 1\``,
    );
  }
  const { raw } = strings as { readonly raw?: readonly string[] };
  for (const string of strings as readonly unknown[]) {
    if (typeof string === 'string' || (string === undefined && raw !== undefined)) continue;
    throw new TypeError(`The strings of a template must be strings, got ${nameOf(string)}`);
  }
  return { cooked: strings as readonly (string | undefined)[], raw };
}
