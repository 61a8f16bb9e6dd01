import { isQuestion, lookOf } from '../checks/look.ts';
import { calleeOf, type Instruction } from '../ir/instruction.ts';
import type { CutBlock } from './cut.ts';
import { idOf, type KernelPlan } from './plan.ts';
import { blocksOf } from './region-graph.ts';
import type { StripSlopes } from './strip-slopes.ts';
import { isNoted, Unsteady } from './strip-places.ts';
import { StripWriter } from './strip-writer.ts';

/**
 * One check for a strip: up to 32 consecutive threads of one warp in a row. It is the region's code for the strip's
 * first and last thread, reduced to the computation of addresses and conditions. Where each condition is the same for
 * the whole strip and each address is linear in the thread, these two threads tell the accesses of all: an inspector,
 * as in the inspector/executor scheme of Saltz, Mirchandaney and Crowley (IEEE Transactions on Computers, 1991). The
 * accesses of the strip's threads then need no check of their own.
 */
export interface Strip {
  readonly lines: readonly string[];
  /** Whether the checked accesses are recorded. */
  readonly notes: boolean;
  /** Conditions that are the same for all threads of a strip that passes the check. */
  readonly settled: ReadonlySet<string>;
}

/** Kinds of accesses that are never checked strip by strip: atomic and volatile ones. */
const ALONE = 2 | 4;
const FREE_CALL = /^llvm\.(?!mem|trap|ubsantrap|debugtrap)/;

/**
 * A plan to check a region's accesses strip by strip; undefined where that is impossible or there are none.
 *
 * @param quiet - whether a function has no checked accesses
 */
export function stripOf(
  plan: KernelPlan,
  region: number,
  slopes: StripSlopes,
  quiet: (name: string) => boolean,
): Strip | undefined {
  const blocks = blocksOf(plan, region);
  const all = blocks.flatMap(({ instructions }) => instructions);
  const looks = all.map((one) => lookOf(one)).filter((look) => look !== undefined);
  if (looks.length === 0 || looks.length > MAX_LOOKS || !all.every((one) => isPlain(one, quiet))) return undefined;
  try {
    const test = new StripWriter(plan, region, slopes, blocks, true).write();
    const notes = looks.some(isNoted);
    const lines = notes ? [...test, ...new StripWriter(plan, region, slopes, blocks, false).write()] : test;
    return { lines, notes, settled: conditionsOf(plan, blocks, slopes) };
  } catch (error) {
    if (error instanceof Unsteady) return undefined;
    throw error;
  }
}

/** Repeated conditions on which threads may diverge. */
function conditionsOf(plan: KernelPlan, blocks: readonly CutBlock[], slopes: StripSlopes): Set<string> {
  const repeated = new Set(plan.repeated.map(({ result }) => result));
  const conditions = blocks.flatMap(({ barrier, instructions }) => {
    const condition = barrier === undefined ? /^br i1 (%v\d+),/.exec(instructions.at(-1)?.text ?? '')?.[1] : undefined;
    return condition !== undefined && repeated.has(condition) && slopes.of(condition) === undefined ? [condition] : [];
  });
  return new Set(conditions);
}

/** The most checks of a region for which a second copy of the code pays. */
export const MAX_LOOKS = 64;

function isPlain(one: Instruction, quiet: (name: string) => boolean): boolean {
  const { op, text } = one;
  if (op === 'atomicrmw' || op === 'cmpxchg' || op === 'fence') return false;
  if (op === 'load' || op === 'store') return !/^\w+ (?:atomic|volatile)\b/.test(text);
  if (op !== 'call' || idOf(one) !== undefined) return true;
  const look = lookOf(one);
  if (look) return (look.does & ALONE) === 0;
  const callee = calleeOf(one) ?? '';
  return isQuestion(one) || FREE_CALL.test(callee) || quiet(callee);
}

/** A plan without checks, for threads whose accesses were checked strip by strip. */
export function withoutLooks(plan: KernelPlan): KernelPlan {
  const blocks = plan.blocks.map((block) => ({
    ...block,
    instructions: block.instructions.flatMap((one) => (isQuestion(one) ? [] : [withoutLook(one)])),
  }));
  const definitions = new Map(plan.definitions);
  for (const { instructions } of blocks) {
    for (const one of instructions) if (one.result !== undefined) definitions.set(one.result, one);
  }
  return { ...plan, blocks, definitions };
}

function withoutLook(one: Instruction): Instruction {
  const look = lookOf(one);
  if (!look) return one;
  const text = `getelementptr i8, ptr ${look.pointer}, i64 0`;
  return { ...one, op: 'getelementptr', text, uses: look.pointer.startsWith('%') ? [look.pointer] : [] };
}
