import { nameOf } from '../../core/check.ts';
import { brief } from '../brief.ts';
import { shapeText } from '../shape.ts';

/** The axes of operands and of the result, each by a letter; those of `...` are `.0`, `.1`, counted from the last one. */
export interface Subscripts {
  readonly inputs: readonly (readonly string[])[];
  readonly output: readonly string[];
  /** The length of the axes of each letter. */
  readonly lengths: ReadonlyMap<string, number>;
}

/** What stands for any axes. */
const DOTS = '...';

/**
 * The axes that subscripts such as `'ij,jk->ik'` name.
 *
 * @throws TypeError no text
 * @throws RangeError it has no meaning, or does not fit the shapes; the message points at the letter
 */
export function readSubscripts(value: unknown, shapes: readonly (readonly number[])[]): Subscripts {
  if (typeof value !== 'string') {
    throw new TypeError(`einsum: subscripts must be a string such as 'ij,jk->ik', got ${nameOf(value)}`);
  }
  const arrow = value.indexOf('->');
  const left = arrow < 0 ? value : value.slice(0, arrow);
  const parts = left.split(',');
  if (parts.length !== shapes.length) {
    throw new RangeError(
      `einsum: subscripts must name the axes of ${shapes.length} operands, got ${parts.length} in '${brief(value)}'`,
    );
  }
  const lengths = new Map<string, number>();
  let start = 0;
  const inputs = parts.map((part, i) => {
    const at = start;
    start += part.length + 1;
    return readInput(value, part, at, i, shapes[i] as readonly number[], lengths);
  });
  const dots = [...lengths.keys()].filter((label) => label.startsWith('.'));
  dots.sort((a, b) => Number(b.slice(1)) - Number(a.slice(1)));
  const output =
    arrow < 0 ? impliedOutput(inputs, dots) : readOutput(value, value.slice(arrow + 2), arrow + 2, lengths, dots);
  return { inputs, output, lengths };
}

/** A letter, or the dots, with its place in the text. */
interface Token {
  readonly text: string;
  readonly at: number;
}

function tokensOf(whole: string, part: string, start: number): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < part.length; i++) {
    const letter = part.charAt(i);
    if (letter === ' ') continue;
    if (part.startsWith(DOTS, i)) {
      if (tokens.some(({ text }) => text === DOTS)) throw mistake(whole, start + i, `'...' stands twice`);
      tokens.push({ text: DOTS, at: start + i });
      i += 2;
    } else if (/^[A-Za-z]$/.test(letter)) tokens.push({ text: letter, at: start + i });
    else throw mistake(whole, start + i, `'${brief(letter)}' is neither a letter nor '...'`);
  }
  return tokens;
}

function readInput(
  whole: string,
  part: string,
  start: number,
  operand: number,
  shape: readonly number[],
  lengths: Map<string, number>,
): string[] {
  const tokens = tokensOf(whole, part, start);
  const letters = tokens.filter(({ text }) => text !== DOTS).length;
  const hasDots = letters < tokens.length;
  if (hasDots ? letters > shape.length : letters !== shape.length) {
    throw mistake(
      whole,
      start,
      `'${brief(part)}' names ${letters} axes${hasDots ? ' or more' : ''}, operand ${operand} of shape ${shapeText(shape)} has ${shape.length}`,
    );
  }
  const labels: string[] = [];
  for (const { text, at } of tokens) {
    const more = text === DOTS ? shape.length - letters : 1;
    for (let i = more - 1; i >= 0; i--) {
      const label = text === DOTS ? `.${i}` : text;
      noteLength(whole, at, label, shape[labels.length] as number, lengths, { operand, shape });
      labels.push(label);
    }
  }
  return labels;
}

function noteLength(
  whole: string,
  at: number,
  label: string,
  length: number,
  lengths: Map<string, number>,
  { operand, shape }: { operand: number; shape: readonly number[] },
): void {
  const known = lengths.get(label);
  if (known === undefined || known === 1) lengths.set(label, length);
  else if (length !== known && length !== 1) {
    const name = label.startsWith('.') ? `an axis of '...'` : `'${label}'`;
    throw mistake(
      whole,
      at,
      `${name} has ${known} elements before, ${length} in operand ${operand} of shape ${shapeText(shape)}`,
    );
  }
}

function readOutput(
  whole: string,
  part: string,
  start: number,
  lengths: ReadonlyMap<string, number>,
  dots: readonly string[],
): string[] {
  const labels: string[] = [];
  const tokens = tokensOf(whole, part, start);
  for (const { text, at } of tokens) {
    if (text === DOTS) labels.push(...dots);
    else if (!lengths.has(text)) throw mistake(whole, at, `'${text}' is no axis of an operand`);
    else if (labels.includes(text)) throw mistake(whole, at, `'${text}' stands twice in the result`);
    else labels.push(text);
  }
  if (dots.length > 0 && !tokens.some(({ text }) => text === DOTS)) {
    throw mistake(whole, start, `the result must have '...', since an operand has axes there`);
  }
  return labels;
}

/** Without an arrow: the axes of '...', then in alphabetical order the letters that stand once. */
function impliedOutput(inputs: readonly (readonly string[])[], dots: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const label of inputs.flat()) counts.set(label, (counts.get(label) ?? 0) + 1);
  const once = [...counts].filter(([label, count]) => count === 1 && !label.startsWith('.')).map(([label]) => label);
  return [...dots, ...once.sort()];
}

function mistake(whole: string, at: number, reason: string): RangeError {
  if (whole.length > 60) return new RangeError(`einsum: ${reason} (character ${at} of the subscripts)`);
  return new RangeError(`einsum: ${reason}\n  ${whole}\n  ${' '.repeat(at)}^`);
}
