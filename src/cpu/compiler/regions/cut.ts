import { calleeOf, incomingOf, type Instruction } from '../ir/instruction.ts';
import { closing, IrError } from '../ir/text.ts';
import type { Block, Body } from '../ir/body.ts';

/** A block that ends at a barrier or where it ended before. */
export interface CutBlock extends Block {
  /** Number of the barrier at its end. */
  readonly barrier: number | undefined;
}

/** A place where a thread waits; its number is its index plus 1. */
export interface Barrier {
  readonly kind: 'block' | 'warp' | 'grid';
  /** Whether it is known to be for all threads of the warp. */
  readonly whole: boolean;
  /** The block that follows it. */
  readonly next: string;
  readonly debug: number | undefined;
}

/** A kernel's blocks, cut at barriers. */
export interface CutBody {
  readonly blocks: readonly CutBlock[];
  readonly barriers: readonly Barrier[];
}

/** Stands before a barrier of a warp for the operand that names its threads. */
export const MASK = 'mask';

/** Added to the state of a thread that waits for other blocks. */
export const HELD: number = 2 ** 30;

/** The state of a thread at a barrier; 0 is the state of an ended thread. */
export function stateOf(barriers: readonly Barrier[], number: number): number {
  return stateAfter(barriers, number) + (barriers[number - 1]?.kind === 'grid' ? HELD : 0);
}

/** The state of a thread that continues after a barrier. */
export function stateAfter(barriers: readonly Barrier[], number: number): number {
  return number * 2 + (barriers[number - 1]?.kind === 'warp' ? 1 : 0);
}

/** Cut the blocks after each barrier. */
export function cutAtBarriers(body: Body): CutBody {
  const barriers: Barrier[] = [];
  const last = new Map<string, string>();
  const blocks = body.blocks.flatMap((block) => {
    const parts: CutBlock[] = [];
    let name = block.name;
    let instructions: Instruction[] = [];
    for (const instruction of block.instructions) {
      const kind = barrierKind(instruction);
      if (!kind) {
        instructions.push(instruction);
        continue;
      }
      const barrier = barriers.length + 1;
      const next = `${block.name}k${barrier}`;
      const mask = kind === 'warp' ? maskOf(instruction) : undefined;
      if (mask !== undefined) instructions.push({ ...instruction, op: MASK, text: mask });
      parts.push({ name, instructions, successors: [next], barrier });
      barriers.push({ kind, whole: mask === undefined || mask === '-1', next, debug: instruction.debug });
      name = next;
      instructions = [];
    }
    parts.push({ name, instructions, successors: block.successors, barrier: undefined });
    last.set(block.name, name);
    return parts;
  });
  return { blocks: blocks.map((block) => withPredecessors(block, last)), barriers };
}

/**
 * Insert barriers that the source does not have: at the end of each iteration of a grid-stride loop. With them the
 * threads go through memory side by side. Without them each thread would run its whole loop alone.
 *
 * @param sizes - parameters that hold a size of the grid
 */
export function withStrides(body: Body, sizes: ReadonlySet<string>): Body {
  const definitions = new Map(
    body.blocks.flatMap(({ instructions }) => instructions.map((one) => [one.result ?? '', one] as const)),
  );
  const isGridSized = (value: string, depth = 0): boolean => {
    if (sizes.has(value)) return true;
    const definition = definitions.get(value);
    if (!definition || depth > 8 || definition.op === 'phi' || definition.op === 'load') return false;
    return calleeOf(definition) === '__rt_id_gx' || definition.uses.some((use) => isGridSized(use, depth + 1));
  };
  const uncast = (value: string): string => {
    const text = definitions.get(value)?.text ?? '';
    const from = /^(?:trunc|sext|zext) (?:nuw |nsw |nneg )*i\d+ (%v\d+) to i\d+/.exec(text)?.[1];
    return from === undefined ? value : uncast(from);
  };
  const latches = new Set<string>();
  for (const { instructions } of body.blocks) {
    for (const phi of instructions) {
      if (phi.op !== 'phi') continue;
      for (const { value, block } of incomingOf(phi)) {
        const step = definitions.get(uncast(value));
        const [, left = '', right = ''] = /^add (?:nuw |nsw )*i\d+ (%v\d+), (%v\d+)/.exec(step?.text ?? '') ?? [];
        const [a, b] = [uncast(left), uncast(right)];
        if ((a === phi.result && isGridSized(right)) || (b === phi.result && isGridSized(left))) latches.add(block);
      }
    }
  }
  if (latches.size === 0) return body;
  const barrier: Instruction = {
    result: undefined,
    op: 'call',
    text: 'call void @__rt_barrier()',
    uses: [],
    debug: undefined,
  };
  const blocks = body.blocks.map((block) =>
    latches.has(block.name)
      ? { ...block, instructions: [...block.instructions.slice(0, -1), barrier, ...block.instructions.slice(-1)] }
      : block,
  );
  return { ...body, blocks };
}

const KINDS: ReadonlyMap<string | undefined, Barrier['kind']> = new Map([
  ['__rt_barrier', 'block'],
  ['__rt_warp_barrier', 'warp'],
  ['__rt_grid_barrier', 'grid'],
]);

/** Whether an instruction is a barrier. */
function barrierKind(instruction: Instruction): Barrier['kind'] | undefined {
  return KINDS.get(calleeOf(instruction));
}

function maskOf({ text }: Instruction): string {
  const open = text.indexOf('(', text.indexOf('@__rt_warp_barrier'));
  const mask = / (%v\d+|-?\d+|poison|undef)$/.exec(text.slice(open + 1, closing(text, open) - 1))?.[1];
  if (mask === undefined) throw new IrError(`unknown shape '${text}'`);
  return mask;
}

/** Phis name blocks that are now cut into several parts: the name becomes that of the last part. */
export function withPredecessors<B extends Block>(block: B, last: ReadonlyMap<string, string>): B {
  const instructions = block.instructions.map((instruction) =>
    instruction.op === 'phi'
      ? {
          ...instruction,
          text: instruction.text.replace(/%(b\w+) \]/g, (_, name: string) => `%${last.get(name) ?? name} ]`),
        }
      : instruction,
  );
  return { ...block, instructions };
}
