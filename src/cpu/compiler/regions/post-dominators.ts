/** A node of a graph of blocks. */
export interface Node {
  readonly name: string;
  readonly successors: readonly string[];
}

/** Stands for the end of the graph, where every block without successors leads. */
export const END = '';

/**
 * For each block, the first block that every path from it goes through; {@link END} where there is none. Blocks without
 * a path to the end are not in the answer.
 */
export function postDominators(blocks: readonly Node[]): ReadonlyMap<string, string> {
  const names = new Set(blocks.map(({ name }) => name));
  const nextOf = new Map(
    blocks.map(({ name, successors }) => {
      const inside = successors.filter((next) => names.has(next));
      return [name, inside.length > 0 ? inside : [END]] as const;
    }),
  );
  const { order, place } = backwards(nextOf);
  const found = new Map([[END, END]]);
  const meet = (a: string, b: string): string => {
    let [left, right] = [a, b];
    while (left !== right) {
      while ((place.get(left) ?? 0) > (place.get(right) ?? 0)) left = found.get(left) ?? END;
      while ((place.get(right) ?? 0) > (place.get(left) ?? 0)) right = found.get(right) ?? END;
    }
    return left;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const name of order) {
      const known = (nextOf.get(name) ?? []).filter((next) => found.has(next));
      const first = known.reduce((a, b) => meet(a, b));
      if (found.get(name) === first) continue;
      found.set(name, first);
      changed = true;
    }
  }
  found.delete(END);
  return found;
}

/** The blocks in post-order (each after its successors, except in loops), and their places in it. */
function backwards(nextOf: ReadonlyMap<string, readonly string[]>): {
  readonly order: readonly string[];
  readonly place: ReadonlyMap<string, number>;
} {
  const before = new Map<string, string[]>();
  for (const [name, successors] of nextOf) {
    for (const next of successors) {
      const list = before.get(next) ?? [];
      list.push(name);
      before.set(next, list);
    }
  }
  const finished: string[] = [];
  const seen = new Set([END]);
  const stack: { readonly name: string; at: number }[] = [{ name: END, at: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = before.get(top.name)?.[top.at++];
    if (next === undefined) {
      finished.push(top.name);
      stack.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      stack.push({ name: next, at: 0 });
    }
  }
  const all = finished.reverse();
  return { order: all.filter((name) => name !== END), place: new Map(all.map((name, i) => [name, i])) };
}
