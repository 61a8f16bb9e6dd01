import { END, postDominators, type Node } from './post-dominators.ts';

/** The blocks of each loop: its head, and all blocks with a path to its back edges that avoids the head. */
export type Loops = readonly ReadonlySet<string>[];

/** The loops of a graph; undefined for a graph with a loop of several entries. The first block is the graph's entry. */
export function naturalLoops(blocks: readonly Node[]): Loops | undefined {
  const before = predecessorsOf(blocks);
  // Dominators are the post-dominators of the reversed graph, which ends at the entry.
  const dominators = postDominators(blocks.map(({ name }) => ({ name, successors: before.get(name) ?? [] })));
  const dominates = (head: string, name: string): boolean => {
    for (let at = name; at !== END; at = dominators.get(at) ?? END) if (at === head) return true;
    return false;
  };
  const bodies = new Map<string, Set<string>>();
  for (const [from, to] of backEdges(blocks)) {
    if (!dominates(to, from)) return undefined;
    const body = bodies.get(to) ?? new Set([to]);
    bodies.set(to, body);
    const queue = [from];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (body.has(name)) continue;
      body.add(name);
      queue.push(...(before.get(name) ?? []));
    }
  }
  return [...bodies.values()];
}

/** The blocks that lead to each block. */
export function predecessorsOf(blocks: readonly Node[]): ReadonlyMap<string, readonly string[]> {
  const before = new Map<string, string[]>(blocks.map(({ name }) => [name, []]));
  for (const { name, successors } of blocks) for (const next of successors) before.get(next)?.push(name);
  return before;
}

/** Back edges: edges to a block on the path from the entry. */
function backEdges(blocks: readonly Node[]): (readonly [from: string, to: string])[] {
  const nextOf = new Map(blocks.map(({ name, successors }) => [name, successors]));
  const edges: (readonly [string, string])[] = [];
  const state = new Map<string, 'open' | 'closed'>();
  const entry = blocks[0]?.name ?? END;
  const stack = [{ name: entry, at: 0 }];
  state.set(entry, 'open');
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = nextOf.get(top.name)?.[top.at++];
    if (next === undefined) {
      state.set(top.name, 'closed');
      stack.pop();
    } else if (state.get(next) === 'open') edges.push([top.name, next]);
    else if (!state.has(next)) {
      state.set(next, 'open');
      stack.push({ name: next, at: 0 });
    }
  }
  return edges;
}
