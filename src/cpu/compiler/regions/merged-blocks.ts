import { calleeOf, type Instruction } from '../ir/instruction.ts';
import { idOf, type KernelPlan } from './plan.ts';
import { Slopes } from './slopes.ts';

/** A kernel whose blocks side by side run as one. */
export interface Merge {
  /** The block's width that the code has as a number in it; undefined where it asks for it. */
  readonly width: number | undefined;
  /** Only blocks of one row of threads: see {@link isStrided}. */
  readonly isFlat: boolean;
}

/** From this many elements a step from one thread to the next leaves a cache line. */
const LINE = 16;

/** What a value is made of: the block's number, that number times the width, or a thread's x. */
type Part = 'block' | 'start' | 'thread';

const EXTENSION = /^[sz]ext (?:nneg )?i32 \S+ to i64$/;
const HALF = /^trunc (?:nuw |nsw )*i64 \S+ to i32$/;
const SUM = /^(?:add|or disjoint) (?:nuw |nsw )*i(?:32|64) (\S+), (\S+)$/;
const PRODUCT = /^(mul|shl) (?:nuw |nsw )*i(?:32|64) (\S+), (\S+)$/;
/** Calls whose order shows. */
const VISIBLE = /printf|assert|print/;

/**
 * Whether a kernel knows a thread's x and its block's x only as their sum, `blockIdx.x * blockDim.x + threadIdx.x`: the
 * threads of several blocks in a row are then those of one wider block. Rows become longer, which costs less for each
 * thread where blocks are narrow, and fewer rows meet a border.
 */
export function mergeOf(plan: KernelPlan, usesShared: boolean): Merge | undefined {
  const all = [...plan.repeated, ...plan.blocks.flatMap(({ instructions }) => instructions)];
  const ids = new Map(all.map((one) => [one.result ?? '', idOf(one)]));
  const isApart = usesShared || plan.barriers.length > 0;
  if (isApart || all.some((one) => VISIBLE.test(calleeOf(one) ?? '') || isOwnId(idOf(one)))) return undefined;
  const users = new Map<string, Instruction[]>();
  for (const one of all) for (const use of one.uses) users.set(use, [...(users.get(use) ?? []), one]);
  const parts = new Map<string, Part>();
  const queue: string[] = [];
  const add = (value: string, part: Part): void => {
    if (parts.has(value)) return;
    parts.set(value, part);
    queue.push(value);
  };
  const widths = new Set<number | undefined>();
  const isCast = (value: string, text: string): boolean =>
    HALF.test(text) || (EXTENSION.test(text) && ids.get(value) !== undefined);
  // What comes from the block's number is found first: a thread's part is in a sum with what is no start.
  const seeds = (wanted: string, part: Part): void => {
    for (const [value, id] of ids) if (id === wanted) add(value, part);
  };
  seeds('tx', 'thread');
  seeds('bx', 'block');
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    const part = parts.get(value);
    for (const { result = '', text } of users.get(value) ?? []) {
      if (isCast(value, text)) add(result, part ?? 'thread');
      const product = part === 'block' ? widthOf(text, value, ids, parts, plan) : undefined;
      if (product) {
        widths.add(product.width);
        add(result, 'start');
      }
      const other = part === 'block' ? undefined : otherOf(SUM.exec(text), value);
      if (other !== undefined && isSame(plan, other) && !parts.has(other)) add(result, part ?? 'thread');
    }
  }
  const isTold = (value: string, { result = '', text }: Instruction): boolean => {
    const other = otherOf(SUM.exec(text), value);
    const theirs = other === undefined ? undefined : parts.get(other);
    if (theirs === undefined) return parts.has(result);
    const pair = [parts.get(value), theirs];
    return !parts.has(result) && pair.includes('start') && pair.includes('thread');
  };
  for (const value of parts.keys()) if (!(users.get(value) ?? []).every((one) => isTold(value, one))) return undefined;
  return widths.size > 1 ? undefined : { width: [...widths][0], isFlat: isStrided(plan, all) };
}

/**
 * Whether threads side by side use places far from each other (`b[x * n + y]`). The rows of a narrow block then share
 * cache lines, which a wide row would throw out before the next one comes.
 */
function isStrided(plan: KernelPlan, all: readonly Instruction[]): boolean {
  const slopes = new Slopes(plan.definitions, (value) => isSame(plan, value));
  return all.some(({ op, uses, result = '' }) => {
    if (op !== 'mul' && op !== 'shl') return false;
    const slope = slopes.of(result);
    return slope === undefined ? uses.some((use) => Boolean(slopes.of(use))) : Math.abs(slope) >= LINE;
  });
}

function isOwnId(id: string | undefined): boolean {
  return id === 'lin' || id === 'dynamic';
}

/** A value that no thread has for itself and that no block has. */
function isSame(plan: KernelPlan, value: string): boolean {
  return !value.startsWith('%') || !plan.divergent.has(value);
}

function otherOf(sum: RegExpExecArray | null, value: string): string | undefined {
  const [, left = '', right = ''] = sum ?? [];
  return sum === null ? undefined : left === value ? right : left;
}

/** The width of a block in a product with its number. */
function widthOf(
  text: string,
  value: string,
  ids: ReadonlyMap<string, string | undefined>,
  parts: ReadonlyMap<string, Part>,
  plan: KernelPlan,
): Pick<Merge, 'width'> | undefined {
  const [, op, left = '', right = ''] = PRODUCT.exec(text) ?? [];
  if (op === undefined || (op === 'shl' && left !== value)) return undefined;
  const other = left === value ? right : left;
  if (/^\d+$/.test(other)) return { width: op === 'shl' ? 2 ** Number(other) : Number(other) };
  if (op === 'shl' || parts.has(other)) return undefined;
  const cast = plan.definitions.get(other);
  const source = cast && /^[sz]ext /.test(cast.text) ? (cast.uses[0] ?? '') : other;
  return ids.get(source) === 'dx' ? { width: undefined } : undefined;
}
