import type { CutBlock } from './cut.ts';
import { calleeOf, type Instruction } from './ir-instruction.ts';
import { END, postDominators } from './post-dominators.ts';

/** Indices that differ between the threads of a block. */
const THREAD_INDEX = /^__rt_id_(?:tx|ty|tz|lin)$/;
const BLOCK_INDEX = /^__rt_id_/;
/** What is read may differ, even at one address, and what is undefined may be something else each time. */
const UNKNOWN = new Set(['load', 'alloca', 'atomicrmw', 'cmpxchg', 'freeze']);
const PURE_CALL = new RegExp(
  `^llvm\\.(?:${[
    '[su](?:max|min)|abs|ctpop|ctlz|cttz|bitreverse|bswap|fsh[lr]|[su](?:add|sub|mul|shl)\\.(?:sat|with\\.overflow)',
    'fabs|sqrt|floor|ceil|trunc|rint|nearbyint|round|roundeven|copysign|(?:min|max)(?:num|imum)|fpto[su]i\\.sat',
  ].join('|')})\\.`,
);

/**
 * Values that may differ between the threads of a block that compute them together. All others are the same for all of
 * them, each time round a loop.
 */
export function divergentValues(blocks: readonly CutBlock[]): ReadonlySet<string> {
  const byName = new Map(blocks.map((block) => [block.name, block]));
  const after = postDominators(blocks.filter(goesOn));
  const divergent = new Set<string>();
  const joins = new Set<string>();
  const spread = (block: CutBlock): void => {
    const end = after.get(block.name) ?? END;
    const seen = new Set<string>();
    const queue = [...block.successors];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      joins.add(name);
      if (name !== end) queue.push(...(byName.get(name)?.successors ?? []));
    }
  };
  const branches = blocks.filter(({ barrier, successors }) => barrier === undefined && successors.length > 1);
  const taken = new Set<CutBlock>();
  for (let changed = true; changed;) {
    changed = false;
    for (const { name, instructions } of blocks) {
      for (const one of instructions) {
        if (one.result === undefined || divergent.has(one.result)) continue;
        if (!isSource(one) && !(one.op === 'phi' && joins.has(name)) && !one.uses.some((use) => divergent.has(use)))
          continue;
        divergent.add(one.result);
        changed = true;
      }
    }
    for (const block of branches) {
      if (taken.has(block) || !splits(block, divergent)) continue;
      taken.add(block);
      spread(block);
      changed = true;
    }
  }
  return divergent;
}

/** Whether there is a way on from a block: where there is none, the kernel fails. */
export function goesOn({ instructions }: CutBlock): boolean {
  return instructions.at(-1)?.op !== 'unreachable';
}

/** Whether threads may leave a block on different ways. */
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
