import type { Origin } from './tree.ts';

/** What is left of a name by tools that keep names apart: esbuild writes `x2`, others `_x` and `x_1`. */
export function stemOf(name: string): string {
  const stem = name.replace(/^_+|[_$]*\d+$/g, '');
  return stem === '' ? name : stem;
}

/** The name that the author wrote where the text that runs has one; undefined where the file does not tell. */
export function writtenNameAt({ locate }: Origin, offset: number): string | undefined {
  const place = locate?.(offset);
  return place && /^[A-Za-z_$][\w$]*/.exec(place.text.slice(place.column))?.[0];
}

/** A sentence about a function with the names that its author wrote, where a tool has written others to keep names apart. */
export function withWrittenNames(sentence: string, origin: Origin): string {
  return sentence.replaceAll(NAME, (name) => {
    const stem = stemOf(name);
    const at = stem === name ? undefined : placeOfName(origin.text, name);
    return at !== undefined && writtenNameAt(origin, at) === stem ? stem : name;
  });
}

/** Not that of a member. */
const NAME = /(?<![\w$.])[A-Za-z_$][\w$]*/g;

/** Where a name stands first in a text. */
function placeOfName(text: string, name: string): number | undefined {
  for (const { 0: found, index } of text.matchAll(NAME)) if (found === name) return index;
  return undefined;
}
