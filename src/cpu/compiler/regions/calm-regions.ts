import { Does } from '../checks/instrument.ts';
import { isQuestion, lookOf, type Look } from '../checks/look.ts';
import { calleeOf, type Instruction } from '../ir/instruction.ts';
import { closing, splitList } from '../ir/text.ts';
import { idOf, rootOf, type KernelPlan } from './plan.ts';
import { blocksOf } from './region-graph.ts';
import { spaceOf, writes } from './strip-places.ts';

/** Checks of shared memory, and what is left of them where there can be no race: the check of the bounds. */
const BOUNDS = { shared: 'inside', dynamic_shared: 'dynamic' } as const;
const ORDERING = Does.ATOMIC | Does.VOLATILE;
const FREE_CALL = /^llvm\.(?!mem|trap|ubsantrap|debugtrap)/;

/**
 * A plan for one region in which shared memory that the region only reads is not recorded. Where all threads of a block go
 * from one barrier of the block to the next by the same region, no thread writes the memory in that time. What was written
 * before or is written afterwards is on the other side of a barrier.
 *
 * @param quiet - whether a function has no checked accesses
 */
export function withoutCalmLooks(plan: KernelPlan, region: number, quiet: (name: string) => boolean): KernelPlan {
  if (!plan.uniform || plan.barriers.some(({ kind }) => kind !== 'block')) return plan;
  const blocks = blocksOf(plan, region);
  const all = blocks.flatMap(({ instructions }) => instructions);
  if (!all.every((one) => isForeseen(plan, one, quiet))) return plan;
  const looks = all.map((one) => lookOf(one)).filter((look) => look !== undefined);
  const written = new Set(looks.filter(changes).map(spaceOf));
  const calm = (look: Look): look is Look & { readonly what: keyof typeof BOUNDS } =>
    (look.what === 'shared' || look.what === 'dynamic_shared') && !written.has(spaceOf(look));
  if (!looks.some(calm)) return plan;
  const names = new Set(blocks.map(({ name }) => name));
  const edited = plan.blocks.map((block) => {
    if (!names.has(block.name)) return block;
    const instructions = block.instructions.map((one) => {
      const look = lookOf(one);
      return look && calm(look) ? withBounds(one, look.what) : one;
    });
    return { ...block, instructions };
  });
  const definitions = new Map(plan.definitions);
  for (const { instructions } of edited) {
    for (const one of instructions) if (one.result !== undefined) definitions.set(one.result, one);
  }
  return { ...plan, blocks: edited, definitions };
}

/** Whether an access changes memory, or orders other accesses. */
function changes(look: Look): boolean {
  return writes(look) || (look.does & ORDERING) !== 0;
}

/** Whether an instruction writes no shared memory but by a check that names it. */
function isForeseen(plan: KernelPlan, one: Instruction, quiet: (name: string) => boolean): boolean {
  const callee = calleeOf(one);
  if (one.op !== 'call' || idOf(one) !== undefined) return one.op !== 'fence';
  const look = lookOf(one);
  if (!look) return callee !== undefined && (isQuestion(one) || FREE_CALL.test(callee) || quiet(callee));
  if (look.what !== 'memory' || !changes(look)) return true;
  const root = rootOf(plan, look.pointer);
  return root !== undefined && plan.parameters.some(({ name }) => name === root);
}

/** A check without what it does and the value. */
function withBounds(one: Instruction, what: keyof typeof BOUNDS): Instruction {
  const { text } = one;
  const at = text.indexOf(`@__rk_${what}(`);
  const open = text.indexOf('(', at);
  const end = closing(text, open);
  const args = splitList(text.slice(open + 1, end - 1)).slice(0, -2);
  const made = `${text.slice(0, at)}@__rk_${BOUNDS[what]}(${args.join(', ')})${text.slice(end)}`;
  return { ...one, text: made, uses: [...new Set(made.match(/%v\d+\b/g))] };
}
