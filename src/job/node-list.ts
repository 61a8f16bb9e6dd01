/** More names than any job has nodes. */
const MAX_NODES = 65536;

/** A list of numbers in brackets, such as `001-003,7`, or a text. */
type Part = readonly string[];

/**
 * The names of Slurm's short form, in its order: `node[001-003,7],login1` is node001, node002, node003, node7, login1. A
 * name may have several brackets, and text behind them (https://slurm.schedmd.com/scontrol.html, "hostlist").
 *
 * @returns undefined where the text is not such a list
 */
export function expandNodeList(text: string): readonly string[] | undefined {
  const names: string[] = [];
  for (const group of splitGroups(text)) {
    const expanded = expandGroup(group);
    if (expanded === undefined || names.length + expanded.length > MAX_NODES) return undefined;
    names.push(...expanded);
  }
  return names;
}

/** Split at the commas outside of brackets. */
function splitGroups(text: string): readonly string[] {
  return text.split(/,(?![^[\]]*\])/);
}

function expandGroup(group: string): readonly string[] | undefined {
  const pieces = [...group.matchAll(/\[([^[\]]*)\]|([^[\],\s]+)/g)];
  // What the pattern has skipped belongs to no name.
  if (pieces.length === 0 || pieces.reduce((sum, [all]) => sum + all.length, 0) !== group.length) return undefined;
  const parts: Part[] = [];
  for (const [, inner, literal] of pieces) {
    const part = literal === undefined ? expandRanges(inner ?? '') : [literal];
    if (part === undefined) return undefined;
    parts.push(part);
  }
  if (parts.reduce((product, { length }) => product * length, 1) > MAX_NODES) return undefined;
  return parts.reduce<readonly string[]>(
    (names, part) => names.flatMap((name) => part.map((each) => name + each)),
    [''],
  );
}

/** `001-003,7`: the first number of a range has the width of all. */
function expandRanges(text: string): Part | undefined {
  const numbers: string[] = [];
  for (const range of text.split(',')) {
    const [, low, high = low] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
    if (low === undefined || high === undefined) return undefined;
    const count = Number(high) - Number(low) + 1;
    if (count < 1 || numbers.length + count > MAX_NODES) return undefined;
    for (let i = 0; i < count; i++) numbers.push(String(Number(low) + i).padStart(low.length, '0'));
  }
  return numbers;
}
