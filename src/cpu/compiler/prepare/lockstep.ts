import { accessOf, type Instruction } from '../ir/instruction.ts';
import { idOf, rootOf, type KernelPlan } from '../regions/plan.ts';

/**
 * Reads of volatile shared memory after a write to it, without a barrier between the two. Such code relies on the
 * threads of a warp to run in lockstep, as they did on GPUs before Volta.
 *
 * @param shared - symbols of shared variables
 */
export function lockstepReads(plan: KernelPlan, shared: ReadonlyMap<string, number>): Instruction[] {
  const isShared = (one: Instruction): boolean => {
    const root = rootOf(plan, accessOf(one)?.pointer ?? '');
    if (root === undefined) return false;
    const definition = plan.definitions.get(root);
    return shared.has(root.slice(1)) || (definition !== undefined && idOf(definition) === 'dynamic');
  };
  // A barrier ends a block, so that each block is searched alone.
  return plan.blocks.flatMap(({ instructions }) => {
    const accesses = instructions.filter((one) => / volatile /.test(one.text.slice(0, 30)) && isShared(one));
    const written = accesses.findIndex(({ op }) => op === 'store');
    const read = written < 0 ? undefined : accesses.slice(written).find(({ op }) => op === 'load');
    return read ? [read] : [];
  });
}
