import { accessOf, type Instruction } from '../ir/instruction.ts';
import { idOf, rootOf, type KernelPlan } from '../regions/plan.ts';

/**
 * Where threads write volatile shared memory and then read some with nothing between that makes them wait: code that
 * counts on the threads of a warp to go in lockstep, as GPUs did long ago.
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
  // A block ends where its threads wait.
  return plan.blocks.flatMap(({ instructions }) => {
    const accesses = instructions.filter((one) => / volatile /.test(one.text.slice(0, 30)) && isShared(one));
    const written = accesses.findIndex(({ op }) => op === 'store');
    const read = written < 0 ? undefined : accesses.slice(written).find(({ op }) => op === 'load');
    return read ? [read] : [];
  });
}
