import { accessOf, type Instruction } from '../ir/instruction.ts';
import { isShared, type KernelPlan } from '../regions/plan.ts';

/**
 * Reads of volatile shared memory after a write to it, without a barrier between the two. Such code relies on the
 * threads of a warp to run in lockstep, as they did on GPUs before Volta.
 *
 * @param shared - symbols of shared variables
 */
export function lockstepReads(plan: KernelPlan, shared: ReadonlyMap<string, number>): Instruction[] {
  // A barrier ends a block, so that each block is searched alone.
  return plan.blocks.flatMap(({ instructions }) => {
    const accesses = instructions.filter(
      (one) => / volatile /.test(one.text.slice(0, 30)) && isShared(plan, accessOf(one)?.pointer ?? '', shared),
    );
    const written = accesses.findIndex(({ op }) => op === 'store');
    const read = written < 0 ? undefined : accesses.slice(written).find(({ op }) => op === 'load');
    return read ? [read] : [];
  });
}
