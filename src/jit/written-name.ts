import type { Origin } from './tree.ts';

/** What is left of a name by tools that keep names apart: esbuild writes `x2`, others `_x` and `x_1`. */
export function stemOf(name: string): string {
  const stem = name.replace(/^_+|[_$]*\d+$/g, '');
  return stem === '' ? name : stem;
}

/** A sentence about a function with the names that its author wrote, where a tool has written others to keep names apart. */
export function withWrittenNames(sentence: string, { text, locate }: Origin): string {
  if (locate === undefined) return sentence;
  return sentence.replaceAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g, (name) => {
    const stem = stemOf(name);
    const at = stem === name ? -1 : placeOfName(text, name);
    const place = at < 0 ? undefined : locate(at);
    const [written] = place ? (/^[\w$]+/.exec(place.text.slice(place.column)) ?? []) : [];
    return written === stem ? stem : name;
  });
}

/** Where a name stands first in a text; -1 where it does not. */
function placeOfName(text: string, name: string): number {
  for (const { 0: found, index } of text.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)) if (found === name) return index;
  return -1;
}
