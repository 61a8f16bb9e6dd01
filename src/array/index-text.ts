import { brief } from './brief.ts';
import { Slice } from './slice.ts';

/** What one part of an index does: take an index, take a part of an axis, add an axis, or leave axes as they are. */
export type IndexPart = number | Slice | null | '...';

const INTEGER = /^[+-]?\s*\d+$/;
const NEW_AXIS = ['None', 'newaxis', 'null'];
const MOST_KNOWN = 256;
const read = new Map<string, readonly IndexPart[]>();

/**
 * The parts of an index in NumPy's notation: `'1:, ::2'`, `'..., 0'`, `':, None'`.
 *
 * @throws SyntaxError a part is not an index; the message has the text and the position, from 0
 * @throws RangeError a step of 0, or a number beyond 2^53
 */
export function readIndexText(text: string): readonly IndexPart[] {
  const known = read.get(text);
  if (known) return known;
  const parts = readParts(text);
  // A program writes a few texts, again and again; one that makes them is not to fill the memory.
  if (read.size === MOST_KNOWN) read.clear();
  read.set(text, parts);
  return parts;
}

function readParts(text: string): readonly IndexPart[] {
  const pieces = text.split(',');
  // As in Python, a comma may stand behind the last part.
  if (pieces.length > 1 && pieces.at(-1)?.trim() === '') pieces.pop();
  let at = 0;
  return pieces.map((piece) => {
    const position = at + piece.length - piece.trimStart().length;
    at += piece.length + 1;
    const part = readPart(piece.trim());
    if (part === undefined) throw unknownPart(text, piece.trim(), position);
    return part;
  });
}

function readPart(piece: string): IndexPart | undefined {
  if (piece === '...') return piece;
  if (NEW_AXIS.includes(piece)) return null;
  if (INTEGER.test(piece)) return readInteger(piece);
  const ends = piece.split(':').map((end) => end.trim());
  if (ends.length < 2 || ends.length > 3 || !ends.every((end) => end === '' || INTEGER.test(end))) return undefined;
  const [start, stop, step] = ends.map((end) => (end === '' ? null : readInteger(end)));
  return new Slice(start, stop, step);
}

function readInteger(digits: string): number {
  const number = Number(digits.replace(/\s/g, '')) + 0;
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`The numbers of an index must be within 2^53, got ${brief(digits)}`);
}

function unknownPart(text: string, piece: string, position: number): SyntaxError {
  const got = piece === '' ? 'nothing' : JSON.stringify(brief(piece));
  return new SyntaxError(
    `The index ${JSON.stringify(brief(text))} cannot be read: at position ${position} must be an integer, ` +
      `a slice such as 1:5:2, ... or None, got ${got}`,
  );
}
