import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/root.ts';

/** A mistake of the guide: its kernel, how it is launched, and what the guide prints. */
export interface Bug {
  readonly title: string;
  readonly source: string;
  /** As the comment of the kernel's first line has it: `<<<4, 256>>>(float[1000], 1000)`. */
  readonly grid: number;
  readonly block: number;
  readonly args: readonly BugArgument[];
  readonly printed: string;
}

/** An array of so many elements, filled with zeros or not; one that was freed; a number; null. */
export type BugArgument =
  { readonly type: 'float' | 'int'; readonly count: number; readonly state: 'new' | 'freed' | 'zeros' } | number | null;

/** The page of the guide. */
const GUIDE: string = join(root, 'docs/guide/finding-bugs.md');

const SECTION = /^## (\d+\. .*)$/m;
const BLOCKS = /```cuda\n([^]*?)```\n[^]*?```text\n([^]*?)```/;
const LAUNCH = /^\/\/ <<<(\d+), (\d+)>>>\((.*)\)$/m;
const ARRAY = /^(?:(freed|new) )?(float|int)\[(\d+)\]$/;

/** The mistakes that the guide walks through. */
export function bugs(): readonly Bug[] {
  const [, ...parts] = readFileSync(GUIDE, 'utf8').split(/^(?=## \d)/m);
  return parts.map((part) => {
    const [, title = ''] = SECTION.exec(part) ?? [];
    const [, source = '', printed = ''] = BLOCKS.exec(part) ?? [];
    const [, grid, block, list = ''] = LAUNCH.exec(source) ?? [];
    if (grid === undefined || block === undefined) throw new Error(`${title}: the kernel says no launch`);
    const args = list.split(', ').filter((text) => text !== '');
    return { title, source, printed, grid: Number(grid), block: Number(block), args: args.map(argumentOf) };
  });
}

function argumentOf(text: string): BugArgument {
  const [, state = 'zeros', type, count] = ARRAY.exec(text) ?? [];
  if (type === undefined) return text === 'null' ? null : Number(text);
  return { type: type as 'float' | 'int', count: Number(count), state: state as 'zeros' };
}
