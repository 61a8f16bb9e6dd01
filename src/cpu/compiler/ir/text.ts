/** A name behind `@` or `%`: plain or in quotes. */
export const NAME: string = String.raw`"[^"]+"|[-\w.$]+`;

/** The parts of a list at its top level: `i32 %a, { i8, i8 } %b` has two. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '(' || char === '[' || char === '{' || char === '<') depth++;
    else if (char === ')' || char === ']' || char === '}' || char === '>') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start).trim();
  if (last !== '') parts.push(last);
  return parts;
}

/** Lines with another name for a value: one behind `%`. */
export function renameValue(lines: readonly string[], name: string, to: string): string[] {
  const uses = new RegExp(`${name.replace(/[.$]/g, '\\$&')}(?![-\\w.$])`, 'g');
  // A function, since `$` in a name would mean something.
  return lines.map((line) => (line.includes(name) ? line.replace(uses, () => to) : line));
}

/** The index after the bracket that closes the one at `open`. */
export function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const char = text[i];
    if (char === '(' || char === '[' || char === '{' || char === '<') depth++;
    else if (char === ')' || char === ']' || char === '}' || char === '>') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

const TYPE_START = /^(?:ptr\b|i\d+\b|float\b|double\b|half\b|bfloat\b|fp128\b|void\b|token\b|metadata\b|[<[{%])/;
const WORD_AND_GROUP = /^[-\w."=]+/;

/** The first type in a text, past attributes and flags, and the rest of the text. */
export function takeType(text: string): { readonly type: string; readonly rest: string } {
  let at = text.trimStart();
  while (!TYPE_START.test(at)) {
    const word = WORD_AND_GROUP.exec(at)?.[0];
    if (word === undefined) throw new IrError(`no type in '${text}'`);
    at = at.slice(word.length);
    if (at.startsWith('(')) at = at.slice(closing(at, 0));
    at = at.trimStart();
  }
  const end = /^[<[{]/.test(at) ? closing(at, 0) : (/^%(?:"[^"]+"|[-\w.$]+)|^\w+/.exec(at)?.[0].length ?? 0);
  return { type: at.slice(0, end), rest: at.slice(end).trimStart() };
}

/** Something in the intermediate code that this compiler does not know. It refuses to guess. */
export class IrError extends Error {
  override readonly name = 'IrError';
  /** Number of the debug location's metadata. */
  readonly debug: number | undefined;

  constructor(message: string, debug?: number) {
    super(message);
    this.debug = debug;
  }
}

/** Where a line names a symbol: its pattern. */
export function mentionOf(symbol: string): string {
  return `@"?${symbol.replace(/[.$]/g, '\\$&')}"?(?![-\\w.$])`;
}
