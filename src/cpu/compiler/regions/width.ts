import { accessOf, calleeOf, type Instruction } from '../ir/instruction.ts';
import { layoutOf } from '../ir/value-type.ts';
import { takeType } from '../ir/text.ts';
import type { KernelPlan } from './plan.ts';
import { blocksOf } from './region-graph.ts';
import { Slopes } from './slopes.ts';
import { splits } from './uniformity.ts';

/** The amount of arithmetic for which vector lanes pay in a kernel without a loop. */
const HEAVY = 48;
/** The number of vector operations that pay for one operation that runs lane by lane. */
const PAYS = 6;
/** The most instructions of a kernel for lanes: LLVM takes time with their square, 20 s for 6500 of them. */
const LONG = 3000;
export const FREE: RegExp = /^llvm\.(?:lifetime|assume|dbg|experimental\.noalias|invariant)\b/;
/** Functions that a WebAssembly vector instruction computes; other calls run lane by lane. */
export const WIDE_CALL: RegExp =
  /^llvm\.(?:fabs|sqrt|floor|ceil|trunc|nearbyint|rint|[su](?:min|max)|abs|[su](?:add|sub)\.sat)\./;
const NARROW = new Set(['udiv', 'sdiv', 'urem', 'srem', 'frem']);
const PLAIN = new Set(
  'add sub mul shl lshr ashr and or xor fadd fsub fmul fdiv fneg icmp fcmp select uitofp sitofp fptoui fptosi fptrunc fpext'.split(
    ' ',
  ),
);

/**
 * Whether the threads of a region should run in the lanes of a vector, even against LLVM's estimate:
 * if all take the same path, and it has a loop (LLVM would not vectorise the loop around it) or much arithmetic.
 *
 * @param assumed - conditions that are known to be the same for all threads
 */
export function isWide(plan: KernelPlan, assumed: ReadonlyMap<string, boolean>, region = 0): boolean {
  const blocks = blocksOf(plan, region);
  if (isLong(blocks)) return false;
  const known = new Set([...plan.divergent].filter((value) => !assumed.has(value)));
  if (blocks.some((block) => block.successors.length > 1 && splits(block, known))) return false;
  const looped = blocksInLoops(blocks);
  const slopes = new Slopes(plan.definitions, (value) => !plan.divergent.has(value));
  const cost = { wide: 0, narrow: 0 };
  for (const { name, instructions } of blocks) {
    for (const one of instructions) {
      const kind = kindOf(one, plan, slopes);
      if (kind === 'never') return false;
      if (kind !== 'free' && (looped.size === 0 || looped.has(name))) cost[kind] += kind === 'wide' ? lanesOf(one) : 1;
    }
  }
  if (looped.size === 0) for (const { op } of plan.repeated) if (PLAIN.has(op)) cost.wide++;
  return cost.wide >= (looped.size === 0 ? HEAVY : 1) && cost.narrow * PAYS <= cost.wide;
}

/** The types of small integers in memory. */
const SMALL = /^i(?:8|16)$/;

/**
 * Whether threads should run four by four because a kernel without a loop reads or writes small integers and computes
 * with larger numbers. LLVM would fill its vectors with the small ones and split each larger one into four parts, for
 * which the registers do not suffice.
 *
 * @param assumed - conditions that are known to be the same for all threads
 */
export function isMixed(plan: KernelPlan, assumed: ReadonlyMap<string, boolean>): boolean {
  const blocks = blocksOf(plan, 0);
  if (isLong(blocks)) return false;
  const known = new Set([...plan.divergent].filter((value) => !assumed.has(value)));
  if (blocks.some((block) => block.successors.length > 1 && splits(block, known))) return false;
  if (blocksInLoops(blocks).size > 0) return false;
  const slopes = new Slopes(plan.definitions, (value) => !plan.divergent.has(value));
  const all = blocks.flatMap(({ instructions }) => instructions);
  const accesses = all.map(accessOf).filter((access) => access !== undefined);
  return (
    accesses.some(({ type }) => SMALL.test(type)) &&
    accesses.every(({ pointer }) => stepOf(pointer, plan, slopes) !== undefined) &&
    all.some(({ op, text }) => PLAIN.has(op) && /\b(?:i32|float)\b/.test(text)) &&
    all.every((one) => kindOf(one, plan, slopes) !== 'never')
  );
}

/** What a product of 64 bits costs in a vector beyond that of one thread: there is no such instruction before AVX-512. */
const PRODUCT = 4;

/**
 * Whether threads should run one by one, against LLVM's estimate: because of products of 64 bits, as in hashes. Its loops
 * count alone, if a kernel has any: LLVM may write them out.
 */
export function isNarrow(plan: KernelPlan): boolean {
  const blocks = blocksOf(plan, 0);
  const looped = blocksInLoops(blocks);
  const slopes = new Slopes(plan.definitions, (value) => !plan.divergent.has(value));
  let gain = 0;
  const inside = blocks.filter(({ name }) => looped.size === 0 || looped.has(name));
  for (const one of inside.flatMap(({ instructions }) => instructions)) {
    if (!PLAIN.has(one.op) || !plan.divergent.has(one.result ?? '')) continue;
    // An index is no product in a loop over threads, but a sum.
    const isIndex = one.uses.every((use) => slopes.of(use) !== undefined);
    if (/^mul .*\bi64\b/.test(one.text)) gain -= isIndex ? 0 : PRODUCT;
    else gain += lanesOf(one) === 1 ? 0.75 : 0.5;
  }
  return gain < 0;
}

function isLong(blocks: readonly { readonly instructions: readonly Instruction[] }[]): boolean {
  return blocks.reduce((count, { instructions }) => count + instructions.length, 0) > LONG;
}

/** The share of a vector's lanes that an operation fills: a vector holds only two numbers of 64 bits. */
function lanesOf({ text }: Instruction): number {
  return /\b(?:i64|double)\b/.test(text) ? 0.5 : 1;
}

function kindOf(one: Instruction, plan: KernelPlan, slopes: Slopes): 'wide' | 'narrow' | 'free' | 'never' {
  const { op, text } = one;
  if (op === 'atomicrmw' || op === 'cmpxchg' || op === 'fence' || op === 'alloca') return 'never';
  if (op === 'call') {
    const callee = calleeOf(one) ?? '';
    if (!callee.startsWith('llvm.') || /^llvm\.(?:mem|trap|ubsantrap)/.test(callee)) return 'never';
    return FREE.test(callee) ? 'free' : WIDE_CALL.test(callee) ? 'wide' : 'narrow';
  }
  const access = accessOf(one);
  // What is the same for a row stays one number.
  if (!access && one.result !== undefined && slopes.of(one.result) === 0) return 'free';
  if (access) {
    if (access.kind === 'atomic' || /^\w+ (?:volatile|atomic) /.test(text)) return 'never';
    const step = stepOf(access.pointer, plan, slopes);
    return step === 0 || step === layoutOf(access.type, plan.types).size ? 'free' : 'narrow';
  }
  if (NARROW.has(op) || / <\d+ x /.test(text) || /^mul .*\bi64\b/.test(text)) return 'narrow';
  return PLAIN.has(op) ? 'wide' : 'free';
}

/** The distance in bytes between the accesses of one thread and the next. */
export function stepOf(
  pointer: string,
  plan: Pick<KernelPlan, 'definitions' | 'types'>,
  slopes: Slopes,
  depth = 0,
): number | undefined {
  const one = plan.definitions.get(pointer);
  const [, type = '', base = '', index = ''] =
    /^getelementptr (?:inbounds |nuw |nusw )*(.+), ptr (\S+), i\d+ (\S+)$/.exec(one?.text ?? '') ?? [];
  if (type === '' || depth > 32) return slopes.of(pointer);
  const start = stepOf(base, plan, slopes, depth + 1);
  const slope = slopes.of(index);
  if (start === undefined || slope === undefined) return undefined;
  return start + slope * layoutOf(takeType(type).type, plan.types).size;
}

/** The blocks that a path leads back to. */
export function blocksInLoops(
  blocks: readonly { readonly name: string; readonly successors: readonly string[] }[],
): Set<string> {
  const nextOf = new Map(blocks.map(({ name, successors }) => [name, successors]));
  const found = new Set<string>();
  for (const { name, successors } of blocks) {
    const seen = new Set<string>();
    const queue = [...successors];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(nextOf.get(next) ?? []));
    }
    if (seen.has(name)) found.add(name);
  }
  return found;
}
