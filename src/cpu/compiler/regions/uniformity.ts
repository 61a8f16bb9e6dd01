import type { CutBlock } from './cut.ts';
import { calleeOf, type Instruction } from '../ir/instruction.ts';
import { naturalLoops, predecessorsOf } from './natural-loops.ts';
import { END, postDominators } from './post-dominators.ts';

/** Indices that differ between the threads of a block. */
const THREAD_INDEX = /^__rt_id_(?:tx|ty|tz|lin)$/;
const BLOCK_INDEX = /^__rt_id_/;
/** Loads may differ even at one address, and undefined values may differ at each use. */
const UNKNOWN = new Set(['load', 'alloca', 'atomicrmw', 'cmpxchg', 'freeze']);
const PURE_CALL = new RegExp(
  `^llvm\\.(?:${[
    '[su](?:max|min)|abs|ctpop|ctlz|cttz|bitreverse|bswap|fsh[lr]|[su](?:add|sub|mul|shl)\\.(?:sat|with\\.overflow)',
    'fabs|sqrt|floor|ceil|trunc|rint|nearbyint|round|roundeven|copysign|(?:min|max)(?:num|imum)|fpto[su]i\\.sat',
  ].join('|')})\\.`,
);

/**
 * Values that may differ between the threads of a block that compute them together. All other values are the same for
 * these threads, in each iteration of a loop. Behind a divergent branch a value differs if it depends on the path, or
 * if it leaves a loop that the threads leave in different iterations.
 */
export function divergentValues(blocks: readonly CutBlock[]): ReadonlySet<string> {
  const loops = naturalLoops(blocks);
  const values = blocks.flatMap(({ instructions }) => instructions.map(({ result }) => result));
  if (!loops) return new Set(values.filter((value) => value !== undefined));
  const ways = new ControlFlow(blocks);
  const outside = usesOutside(blocks, loops);
  const divergent = new Set<string>();
  const meets = new Set<string>();
  const branches = blocks.filter(({ barrier, successors }) => barrier === undefined && successors.length > 1);
  const taken = new Set<CutBlock>();
  for (let changed = true; changed;) {
    changed = false;
    for (const { name, instructions } of blocks) {
      for (const one of instructions) {
        if (one.result === undefined || divergent.has(one.result)) continue;
        const byWay = one.op === 'phi' && meets.has(name);
        if (!byWay && !isSource(one) && !one.uses.some((use) => divergent.has(use))) continue;
        divergent.add(one.result);
        changed = true;
      }
    }
    for (const block of branches) {
      if (taken.has(block) || !splits(block, divergent)) continue;
      taken.add(block);
      changed = true;
      for (const name of ways.meetings(block)) meets.add(name);
      for (const [i, loop] of loops.entries()) {
        if (!loop.has(block.name) || loop.has(ways.after(block))) continue;
        for (const value of outside[i] ?? []) divergent.add(value);
      }
    }
  }
  return divergent;
}

/** Whether a path leads on from a block; without one, the kernel fails. */
export function goesOn({ instructions }: CutBlock): boolean {
  return instructions.at(-1)?.op !== 'unreachable';
}

/** Whether threads may leave a block on different paths. */
export function splits({ instructions }: CutBlock, divergent: ReadonlySet<string>): boolean {
  return instructions.at(-1)?.uses.some((use) => divergent.has(use)) ?? false;
}

function isSource(one: Instruction): boolean {
  if (UNKNOWN.has(one.op) || /\bundef\b/.test(one.text)) return true;
  if (one.op !== 'call') return false;
  const callee = calleeOf(one);
  if (callee === undefined || THREAD_INDEX.test(callee)) return true;
  return !BLOCK_INDEX.test(callee) && !PURE_CALL.test(callee);
}

/** Of each loop, the values that are made in it and read outside. */
function usesOutside(blocks: readonly CutBlock[], loops: readonly ReadonlySet<string>[]): string[][] {
  const home = new Map<string, string>();
  for (const { name, instructions } of blocks) {
    for (const { result } of instructions) if (result !== undefined) home.set(result, name);
  }
  const found = loops.map(() => new Set<string>());
  const use = (value: string, block: string): void => {
    const from = home.get(value);
    if (from === undefined || from === block) return;
    for (const [i, loop] of loops.entries()) if (loop.has(from) && !loop.has(block)) found[i]?.add(value);
  };
  for (const { name, instructions } of blocks) {
    for (const one of instructions) for (const value of one.uses) use(value, name);
  }
  return found.map((values) => [...values]);
}

/** The blocks where the paths from a branch join. */
class ControlFlow {
  readonly #byName: ReadonlyMap<string, CutBlock>;
  readonly #before: ReadonlyMap<string, readonly string[]>;
  readonly #after: ReadonlyMap<string, string>;

  constructor(blocks: readonly CutBlock[]) {
    this.#byName = new Map(blocks.map((block) => [block.name, block]));
    this.#before = predecessorsOf(blocks);
    this.#after = postDominators(blocks.filter(goesOn));
  }

  /** The first block that all paths from a block go through. */
  after({ name }: CutBlock): string {
    return this.#after.get(name) ?? END;
  }

  /** Blocks where different paths from a branch join. */
  meetings(branch: CutBlock): string[] {
    const end = this.after(branch);
    const region = this.#reached(branch, end);
    // For each block: the branch's edge that reaches it, or the last block where paths join.
    const source = new Map<string, string>();
    const sourcesOf = (name: string): Set<string> => {
      const sources = new Set<string>();
      for (const from of this.#before.get(name) ?? []) {
        // Paths are not followed beyond the end.
        const known = from === branch.name ? `${from}>${name}` : from === end ? undefined : source.get(from);
        if (known !== undefined) sources.add(known);
      }
      return sources;
    };
    for (let rounds = 0, changed = true; changed; rounds++) {
      changed = false;
      for (const name of region) {
        const [first, ...more] = sourcesOf(name);
        const next = more.length > 0 || rounds > region.length ? name : first;
        if (next === undefined || source.get(name) === next || source.get(name) === name) continue;
        source.set(name, next);
        changed = true;
      }
    }
    return region.filter((name) => source.get(name) === name);
  }

  /** The blocks between a branch and its end, and the end; each, but in loops, after those that lead to it. */
  #reached({ successors }: CutBlock, end: string): string[] {
    const seen = new Set<string>();
    const finished: string[] = [];
    const visit = (first: string): void => {
      const stack: { readonly name: string; at: number }[] = [];
      const open = (name: string): void => {
        if (seen.has(name)) return;
        seen.add(name);
        stack.push({ name, at: 0 });
      };
      open(first);
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        const next = top.name === end ? undefined : this.#byName.get(top.name)?.successors[top.at++];
        if (next === undefined) finished.push(stack.pop()?.name ?? END);
        else open(next);
      }
    };
    for (const name of successors) visit(name);
    return finished.reverse();
  }
}
