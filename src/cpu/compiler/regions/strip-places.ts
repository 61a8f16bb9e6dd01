import { Does } from '../checks/instrument.ts';
import { lookOf, type Look } from '../checks/look.ts';
import type { Instruction } from '../ir/instruction.ts';
import type { CutBlock } from './cut.ts';
import type { StripSlopes } from './strip-slopes.ts';
import { blocksInLoops } from './width.ts';

/** Checks of accesses that are recorded. */
export const NOTED: ReadonlySet<Look['what']> = new Set<Look['what']>([
  'memory',
  'variable',
  'shared',
  'dynamic_shared',
]);

/** Thrown where a region cannot be checked strip by strip, as for an address without a constant slope. */
export class Unsteady extends Error {}

/** The check of one access, with the known facts on its address. */
export interface Placed {
  readonly look: Look;
  readonly step: number;
  /** The number of the stretch that stores its addresses, for checks that must stay separate. */
  readonly stretch: number | undefined;
  /** Whether it only asks for the value, as the same thread writes the same place afterwards, which is checked, too. */
  readonly isUpdated: boolean;
  /** The number of a check that is made once, under which the check stores whether there is something to record. */
  readonly once: number | undefined;
}

/** The addresses of a region's checks, and the checks that must stay separate. */
export function placesOf(blocks: readonly CutBlock[], slopes: StripSlopes): ReadonlyMap<Instruction, Placed> {
  const placed = new Map<Instruction, Placed>();
  const looped = blocksInLoops(blocks);
  const found: (Pick<Placed, 'look' | 'step' | 'isUpdated'> & {
    readonly one: Instruction;
    readonly loops: boolean;
  })[] = [];
  for (const { name, instructions } of blocks) {
    for (const [i, one] of instructions.entries()) {
      const look = lookOf(one);
      if (!look) continue;
      const step = slopes.of(look.pointer);
      if (step === undefined || (step !== 0 && Math.abs(step) < look.size)) throw new Unsteady();
      if (look.base !== undefined && !look.base.startsWith('@')) throw new Unsteady();
      if (NOTED.has(look.what) && look.size % 4 !== 0 && !hasParts(look, step)) throw new Unsteady();
      if (look.size > 16 || look.align < look.size) throw new Unsteady();
      found.push({ one, look, step, isUpdated: isUpdated(look, instructions.slice(i + 1)), loops: looped.has(name) });
    }
  }
  let stretches = 0;
  const compared = found.filter((other) => isCompared(other.look) && !isCalm(other.look) && !other.isUpdated);
  for (const place of found) {
    const { one, look, step, loops } = place;
    const kin = compared.filter((other) => spaceOf(other.look) === spaceOf(look));
    const written = kin.some((other) => writes(other.look));
    const separate = compared.includes(place) && written && (kin.length > 1 || loops);
    const once = loops ? undefined : placed.size;
    placed.set(one, { look, step, isUpdated: place.isUpdated, stretch: separate ? stretches++ : undefined, once });
  }
  if (stretches > MAX_STRETCHES) throw new Unsteady();
  return placed;
}

/** Variables with the latest address of each check in a loop: it is not made again for the same one. */
export function latestOf(placed: Iterable<Placed>): ReadonlyMap<Placed, string> {
  const repeated = [...placed].filter(({ once, look }) => once === undefined && look.what === 'memory' && !look.range);
  return new Map(repeated.map((one, i) => [one, `%rt.latest${i}`]));
}

/** Whether an access writes. */
export function writes({ does }: Look): boolean {
  return (does & Does.WRITE) !== 0;
}

/**
 * Whether an access to a part of a word can be checked strip by strip: a read of memory that the launch may only read, a
 * write of parts side by side, and any where no races are looked for.
 */
function hasParts(look: Look, step: number): boolean {
  if (look.what !== 'memory' || look.size > 2) return false;
  return look.range !== undefined || (writes(look) && step === look.size);
}

/**
 * Whether a read of global memory is the first half of an update: the same code writes the place afterwards. The
 * check of the write looks at the records, and leaves one.
 */
function isUpdated(look: Look, later: readonly Instruction[]): boolean {
  if (look.what !== 'memory' || look.range || writes(look) || (look.does & Does.BLOCKS) === 0) return false;
  return later.some((one) => {
    const other = lookOf(one);
    return other?.what === 'memory' && writes(other) && other.pointer === look.pointer && other.size === look.size;
  });
}

/** Whether a strip passes the check of an access only if the launch writes nothing of the memory. */
function isCalm({ range, does }: Look): boolean {
  return range !== undefined && (does & Does.BLOCKS) !== 0;
}

/** Whether the record of an access tells threads or blocks apart. */
function isCompared({ what, does }: Look): boolean {
  return what === 'shared' || what === 'dynamic_shared' || (does & Does.BLOCKS) !== 0;
}

/** Whether a sound access is recorded. */
export function isNoted(look: Look): boolean {
  return NOTED.has(look.what) && !isCalm(look) && (isCompared(look) || writes(look));
}

/** The most checks of a region that must stay separate from each other. */
const MAX_STRETCHES = 10;

/** The memory of a check: accesses to different memories never overlap. */
export function spaceOf({ what, base }: Look): string {
  if (what === 'shared') return base ?? '';
  return what === 'dynamic_shared' ? what : 'global';
}
