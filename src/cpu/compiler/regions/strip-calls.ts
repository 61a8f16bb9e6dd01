import { Does } from '../checks/instrument.ts';
import type { Look } from '../checks/look.ts';
import { isNoted, NOTED, spaceOf, writes, type Placed } from './strip-places.ts';

/** The values that the call for an access names besides constants. */
export interface CallValues {
  readonly pointer: string;
  /** Where the check stores whether there is something to record; `null` in a loop. */
  readonly changes: string;
  /** The variable with the latest address of a check in a loop. */
  readonly latest: string | undefined;
}

/** The call that checks an access of all threads of a strip, up to its result. */
export function checkCall(placed: Placed, values: CallValues): string {
  const { look } = placed;
  const { base, bytes, range, what, align } = look;
  const within = base === undefined ? '' : `, ptr ${base}, i64 ${bytes ?? 0}`;
  const noted = NOTED.has(what) ? kindOf(placed, values) : '';
  const [known, ends] = rangeOf(range);
  const [again, latest] = latestOf(values);
  return `i1 @__rk_strip_${what}${known}${again}(${latest}${whereOf(placed, values)}, i32 ${align}${within}${noted}${ends})`;
}

/** The call that records a checked access; undefined for one that leaves no record. */
export function noteCall(placed: Placed, values: CallValues): string | undefined {
  const { look, isUpdated } = placed;
  if (!isNoted(look) || isUpdated) return undefined;
  const [known, ends] = rangeOf(look.range);
  const [again, latest] = latestOf(values);
  const kind = kindOf(placed, values);
  return `void @__rk_note_${tableOf(look)}${known}${again}(${latest}${whereOf(placed, values)}${kind}${ends})`;
}

/** The address of the first thread's access, the distance to the next one's, the number of threads, and the bytes. */
export function whereOf({ look, step }: Placed, { pointer }: Pick<CallValues, 'pointer'>): string {
  return `ptr ${pointer}, i64 ${step}, i32 %rt.count, i32 ${look.size}`;
}

function kindOf({ look, isUpdated }: Placed, { changes }: CallValues): string {
  const does = isUpdated ? look.does & ~(Does.BLOCKS | Does.THREADS) : look.does;
  return `, i32 ${look.site}, i32 ${does}, i32 %rt.lin${tableOf(look) === 'memory' ? `, ptr ${changes}` : ''}`;
}

function tableOf({ what }: Look): 'memory' | 'shared' {
  return what === 'memory' || what === 'variable' ? 'memory' : 'shared';
}

function rangeOf(range: Look['range']): readonly [suffix: string, values: string] {
  return range ? ['_in', range.map((part) => `, i64 ${part}`).join('')] : ['', ''];
}

function latestOf({ latest }: CallValues): readonly [suffix: string, value: string] {
  return latest === undefined ? ['', ''] : ['_again', `ptr ${latest}, `];
}

/** A place whose addresses are stored. */
type Stretched = Placed & { readonly stretch: number };

export function stretchedOf(placed: Iterable<Placed>): Stretched[] {
  return [...placed].flatMap((one) => (one.stretch === undefined ? [] : [{ ...one, stretch: one.stretch }]));
}

/** The calls that check that threads do not write at one place what others access at another one, up to their results. */
export function apartCalls(all: readonly Stretched[]): string[] {
  return all.flatMap((a, i) =>
    all.slice(i + 1).flatMap((b) => {
      if (spaceOf(a.look) !== spaceOf(b.look) || !(writes(a.look) || writes(b.look))) return [];
      const alike = a.step === b.step && a.step !== 0 && a.look.size === b.look.size;
      return [`i1 @__rk_stretches_apart(ptr %rt.stretch${a.stretch}, ptr %rt.stretch${b.stretch}, i1 ${alike})`];
    }),
  );
}
