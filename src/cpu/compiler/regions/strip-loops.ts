import { commonValues } from './common-slots.ts';
import { emitItems, emitLanes, emitRows, leaveOf, regionArguments, type Span } from './loops.ts';
import type { KernelPlan } from './plan.ts';
import { freeName, regionName } from './regions.ts';
import { named, type DriverStyle } from './signature.ts';
import { noteName, stripName } from './strip-writer.ts';
import { MAX_LOOKS } from './strips.ts';

/** Threads of a strip, which are of one warp. */
const MAX = 32;
/** A strip of so few threads is not divided. */
const FEWEST = 4;
/** How many strips of a row may be divided. */
const MOST_DIVIDED = 10;

/**
 * A region of a checked kernel for the threads of a box, strip by strip. The threads of a strip whose accesses one
 * check covers run code without checks. A strip that fails the check, as at a border, is halved, as long as few of the
 * row do; in the end its threads run one by one.
 *
 * @param free - the style of threads whose accesses were checked
 * @param notes - whether their accesses are recorded
 */
export function emitStripLoop(
  plan: KernelPlan,
  region: number,
  style: DriverStyle,
  free: DriverStyle,
  notes: boolean,
): string[] {
  const uniform = leaveOf(plan, region) === 'uniform';
  const ends = ['i32 %strip.last', 'i32 %strip.lin.b', 'ptr %strip.changes'];
  const seen = [...regionArguments(plan, '%strip.x', '%strip.lin'), ...commonValues(plan, region), ...ends];
  const span: Span = { before: '%strip', first: '%strip.x', end: '%strip.end', after: '%stripend', more: [] };
  const checked: Span = { ...span, before: '%note', more: ['i32 %strip.x', 'i32 %strip.lin'] };
  const { begin, lines, loop, span: rest } = emitLanes(plan, region, free, 'free', checked);
  const entry = [`  %strip.changes = alloca [${MAX_LOOKS} x i8]`];
  const row = [
    '  br label %strip',
    'strip:',
    '  %strip.x = phi i32 [ %x0, %row ], [ %strip.end, %stripend ], [ %strip.x, %less ]',
    `  %strip.most = phi i32 [ ${MAX}, %row ], [ %next.most, %stripend ], [ %less.most, %less ]`,
    '  %strip.divided = phi i32 [ 0, %row ], [ %strip.divided, %stripend ], [ %less.divided, %less ]',
    '  %strip.lin = add i32 %from, %strip.x',
    `  %strip.lane = and i32 %strip.lin, ${MAX - 1}`,
    `  %strip.warp = sub i32 ${MAX}, %strip.lane`,
    '  %strip.room = call i32 @llvm.umin.i32(i32 %strip.warp, i32 %strip.most)',
    '  %strip.whole = add i32 %strip.x, %strip.room',
    '  %strip.inside = icmp ult i32 %strip.whole, %xe',
    '  %strip.end = select i1 %strip.inside, i32 %strip.whole, i32 %xe',
    '  %strip.last = sub i32 %strip.end, 1',
    '  %strip.lin.b = add i32 %from, %strip.last',
    `  %strip.clear = call i1 ${named(plan, stripName(region), seen)}`,
    '  br i1 %strip.clear, label %note, label %fails',
    'fails:',
    '  %fails.count = sub i32 %strip.end, %strip.x',
    `  %fails.few = icmp ule i32 %fails.count, ${FEWEST}`,
    `  %fails.often = icmp uge i32 %strip.divided, ${MOST_DIVIDED}`,
    '  %fails.last = or i1 %fails.few, %fails.often',
    '  %fails.double = shl i32 %fails.count, 1',
    `  %fails.most = select i1 %fails.often, i32 ${MAX}, i32 %fails.double`,
    '  br i1 %fails.last, label %item, label %less',
    'less:',
    '  %less.most = lshr i32 %fails.count, 1',
    '  %less.divided = add i32 %strip.divided, 1',
    '  br label %strip',
    'note:',
    ...(notes ? [`  call void ${named(plan, noteName(region), seen)}`] : []),
    `  br label %${begin}`,
    ...emitItems(plan, region, style, 'item', regionName(region), style.loop, { ...span, before: '%fails' }),
    ...lines,
    ...emitItems(plan, region, free, 'free', freeName(region), loop, rest),
    'stripend:',
    `  %next.most = phi i32 [ %fails.most, %item ], [ ${MAX}, %free ]${lines.length > 0 ? `, [ ${MAX}, %lanes.rest ]` : ''}`,
    ...(uniform ? ['  %left = phi i32 [ %item.state, %item ], [ %free.state, %free ]'] : []),
    '  %strip.more = icmp ult i32 %strip.end, %xe',
    '  br i1 %strip.more, label %strip, label %rowend',
    'rowend:',
  ];
  return emitRows(plan, region, false, row, entry);
}
