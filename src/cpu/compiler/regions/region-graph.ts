import { stateOf, type Barrier, type CutBlock } from './cut.ts';
import { END, postDominators } from './post-dominators.ts';
import { goesOn, splits } from './uniformity.ts';

/** The blocks of a kernel, its barriers, and the values that decide where threads go. */
export interface ControlFlow {
  readonly blocks: readonly CutBlock[];
  readonly barriers: readonly Barrier[];
  /** Values that may differ between threads. */
  readonly divergent: ReadonlySet<string>;
}

/** Where a region begins. */
export function startOf({ blocks, barriers }: ControlFlow, region: number): string {
  return (region === 0 ? blocks[0]?.name : barriers[region - 1]?.next) ?? '';
}

/** The blocks of a region, in the kernel's order. */
export function blocksOf(plan: ControlFlow, region: number): CutBlock[] {
  const byName = new Map(plan.blocks.map((block) => [block.name, block]));
  const seen = new Set<string>();
  const queue = [startOf(plan, region)];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const block = byName.get(name);
    if (block?.barrier === undefined) queue.push(...(block?.successors ?? []));
  }
  return plan.blocks.filter(({ name }) => seen.has(name));
}

/** The barriers, by number, at which a region can end; 0 stands for the kernel's end. */
function exitsOf(plan: ControlFlow, region: number): number[] {
  const exits = new Set<number>();
  for (const block of blocksOf(plan, region)) {
    const exit = exitOf(block);
    if (exit !== undefined) exits.add(exit);
  }
  return [...exits];
}

/** Whether all threads that go through a region together leave it at the same exit. */
export function leavesUniformly(plan: ControlFlow, region: number): boolean {
  const exits = exitsOf(plan, region);
  if (exits.length < 2) return true;
  const blocks = blocksOf(plan, region);
  const nodes = blocks.filter(goesOn).map((block) => {
    const exit = exitOf(block);
    return exit === undefined ? block : { name: block.name, successors: [nameOf(exit)] };
  });
  const after = postDominators([...nodes, ...exits.map((exit) => ({ name: nameOf(exit), successors: [] }))]);
  const branches = blocks.filter((block) => exitOf(block) === undefined && block.successors.length > 1);
  return branches.every((block) => !splits(block, plan.divergent) || (after.get(block.name) ?? END) !== END);
}

/** Whether the threads of a block always take the same path. */
export function staysUniform(plan: ControlFlow): boolean {
  const { barriers } = plan;
  return barriers.every(({ whole }) => whole) && [-1, ...barriers.keys()].every((i) => leavesUniformly(plan, i + 1));
}

/** The state in which a region's only exit leaves the threads; undefined where there are several. */
export function onlyState(plan: ControlFlow, region: number): number | undefined {
  const [exit, ...more] = exitsOf(plan, region);
  if (exit === undefined || more.length > 0) return undefined;
  return exit === 0 ? 0 : stateOf(plan.barriers, exit);
}

function exitOf({ barrier, instructions }: CutBlock): number | undefined {
  return barrier ?? (instructions.at(-1)?.op === 'ret' ? 0 : undefined);
}

const nameOf = (exit: number): string => `exit${exit}`;
