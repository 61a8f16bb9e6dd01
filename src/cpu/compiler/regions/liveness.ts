import type { CutBlock } from './cut.ts';
import { incomingOf } from '../ir/instruction.ts';

/** The uses and definitions of a block. */
export interface Flow {
  /** Values that it makes. */
  readonly makes: ReadonlySet<string>;
  /** Values from elsewhere that it reads, phis not counted. */
  readonly reads: ReadonlySet<string>;
  /** Values that its phis read, by the block that they come from. */
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values that are needed when it begins. */
  readonly live: ReadonlySet<string>;
}

/** Which values are needed where. A phi's values count as read on the edge. */
export function flowOf(blocks: readonly CutBlock[], tracked: (value: string) => boolean): Map<string, Flow> {
  const flows = new Map(blocks.map((block) => [block.name, localFlow(block, tracked)]));
  for (let changed = true; changed;) {
    changed = false;
    for (let i = blocks.length - 1; i >= 0; i--) {
      const block = blocks[i];
      const flow = block && flows.get(block.name);
      if (!flow) continue;
      const before = flow.live.size;
      for (const name of block.successors) {
        const next = flows.get(name);
        for (const value of next?.live ?? []) if (!flow.makes.has(value)) flow.live.add(value);
        for (const value of next?.edges.get(block.name) ?? []) if (!flow.makes.has(value)) flow.live.add(value);
      }
      changed ||= flow.live.size > before;
    }
  }
  return flows;
}

interface GrowingFlow extends Flow {
  readonly live: Set<string>;
}

function localFlow(block: CutBlock, tracked: (value: string) => boolean): GrowingFlow {
  const makes = new Set<string>();
  const reads = new Set<string>();
  const edges = new Map<string, Set<string>>();
  for (const instruction of block.instructions) {
    if (instruction.op === 'phi') {
      for (const { value, block: from } of incomingOf(instruction)) {
        if (tracked(value)) edges.set(from, (edges.get(from) ?? new Set()).add(value));
      }
    } else {
      for (const use of instruction.uses) if (tracked(use) && !makes.has(use)) reads.add(use);
    }
    if (instruction.result !== undefined) makes.add(instruction.result);
  }
  return { makes, reads, edges, live: new Set(reads) };
}
