import { placeInText } from '../text-place.ts';
import type { Origin } from '../tree.ts';

/** A place in a program: the line from 1, the column from 0. Without a file they are those of the function's own text. */
export interface Position {
  readonly file: string | undefined;
  readonly line: number;
  readonly column: number;
  /** The text that the place is in where there is no file. */
  readonly text: string;
}

/** Where a character of a function's text stands in the program. */
export function positionAt({ text, locate }: Origin, offset: number): Position {
  const found = locate?.(offset);
  if (found) return { file: found.file, line: found.line, column: found.column, text };
  return { file: undefined, ...placeInText(text, offset), text };
}
