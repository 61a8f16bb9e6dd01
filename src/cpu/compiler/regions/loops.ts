import { commonParameters, readCommon, writeCommon } from './common-slots.ts';
import type { Guard } from './guards.ts';
import type { KernelPlan } from './plan.ts';
import { leavesUniformly, onlyState } from './region-graph.ts';
import { LANES, lanesName } from './lanes.ts';
import { freeName, regionName, regionParameters } from './regions.ts';
import { BLOCK_PARAMETERS, BOX, named, parameterValues, type DriverStyle } from './signature.ts';

/** How a region returns the exits of its threads: not at all for one exit, as one state, or as a state for each thread. */
export type Leave = 'only' | 'uniform' | 'divergent';

export function leaveOf(plan: KernelPlan, region: number): Leave {
  if (onlyState(plan, region) !== undefined) return 'only';
  return leavesUniformly(plan, region) ? 'uniform' : 'divergent';
}

/** The call of a region's loop for a box of threads. */
export function loopCall(plan: KernelPlan, region: number, box: string): string {
  const args = [...parameterValues(plan), ...BLOCK_PARAMETERS, 'ptr %dynamic, ptr %ctx, i64 %n, ptr %states', box];
  return `call ${leaveOf(plan, region) === 'uniform' ? 'i32' : 'void'} ${named(plan, `loop${region}`, args)}`;
}

/**
 * One region for the threads of a box in the block. Where the threads may diverge, their new states are stored in
 * memory. Rows of threads for which the guard holds run code without the guard's conditions.
 */
export function emitLoop(plan: KernelPlan, region: number, style: DriverStyle, guard: Guard | undefined): string[] {
  const uniform = leaveOf(plan, region) === 'uniform';
  return emitRows(plan, region, style.shuffled, [
    ...(style.shuffled ? ['  %item.x.order = call i32 @__rt_turn()'] : []),
    ...(guard ? emitGuarded(plan, region, style) : emitAll(plan, region, style)),
    'rowend:',
    ...(uniform ? ['  %left = phi i32 [ %item.state, %item ]'] : []),
  ]);
}

/**
 * The function of a region's loop.
 *
 * @param entry - its first instructions
 * @param row - the code for a row, up to its block `rowend`, in which `%left` is the state of the leaving threads
 */
export function emitRows(
  plan: KernelPlan,
  region: number,
  shuffled: boolean,
  row: readonly string[],
  entry: readonly string[] = [],
): string[] {
  const leave = leaveOf(plan, region);
  const context = plan.privates.size > 0 ? 'ptr %ctx' : 'ptr noalias %ctx';
  const head = named(plan, `loop${region}`, [
    ...parameterValues(plan),
    ...BLOCK_PARAMETERS,
    'ptr %dynamic',
    context,
    'i64 %n',
    'ptr noalias %states',
    ...BOX.map((side) => `i32 %${side}`),
  ]);
  const many = plan.barriers.length > 0;
  return [
    `define internal ${leave === 'uniform' ? 'i32' : 'void'} ${head} ${many ? 'noinline ' : ''}nounwind {`,
    'entry:',
    ...entry,
    ...readCommon(plan, region),
    '  %plane = mul i32 %dx, %dy',
    '  %last = sub i32 %xe, 1',
    '  br label %slice',
    'slice:',
    '  %z = phi i32 [ %z0, %entry ], [ %z1, %sliceend ]',
    '  %before = mul i32 %z, %plane',
    ...(shuffled ? ['  %y.order = call i32 @__rt_turn()'] : []),
    '  br label %row',
    'row:',
    ...emitIndex('y', 'row', '%y0, %slice', '%y0', '%ye', shuffled),
    '  %rows = mul i32 %y, %dx',
    '  %from = add i32 %rows, %before',
    ...row,
    `  %y1 = add nuw nsw i32 %${shuffled ? 'y.at' : 'y'}, 1`,
    '  %morey = icmp ult i32 %y1, %ye',
    '  br i1 %morey, label %row, label %sliceend',
    'sliceend:',
    '  %z1 = add nuw nsw i32 %z, 1',
    '  %morez = icmp ult i32 %z1, %ze',
    '  br i1 %morez, label %slice, label %done',
    'done:',
    ...writeCommon(plan, region),
    leave === 'uniform' ? '  ret i32 %left' : '  ret void',
    '}',
  ];
}

/** The function that makes a guard's test. */
export function emitGuard(plan: KernelPlan, region: number, { lines, result }: Guard): string[] {
  const head = [...regionParameters(plan), 'i32 %rt.tx.b', 'i32 %rt.lin.b'];
  return [
    `define internal i1 ${named(plan, `guard${region}`, head)} alwaysinline nounwind {`,
    ...lines.map((line) => `  ${line}`),
    `  ret i1 ${result}`,
    '}',
  ];
}

function emitAll(plan: KernelPlan, region: number, style: DriverStyle): string[] {
  const { begin, lines, span, loop } = emitLanes(plan, region, style, 'item', ROW);
  return [`  br label %${begin}`, ...lines, ...emitItems(plan, region, style, 'item', regionName(region), loop, span)];
}

/** A loop over threads, and what comes before it. */
export interface Begun {
  /** The first block. */
  readonly begin: string;
  readonly lines: readonly string[];
  /** The threads that are left. */
  readonly span: Span;
  /** The metadata of the loop over them. */
  readonly loop: string;
}

/** The loop over threads that run four at once, if the style has them; the loop that is given comes after it. */
export function emitLanes(plan: KernelPlan, region: number, style: DriverStyle, label: string, span: Span): Begun {
  const { first, end, after, more, isCounted = false } = span;
  if (style.lanes !== true) return { begin: label, lines: [], span, loop: style.wide ?? style.loop };
  const run = named(plan, lanesName(region), [
    ...regionArguments(plan, '%lanes.x', '%lanes.lin'),
    ...commonParameters(plan, region),
    ...more.map((argument) => argument.replace(`%${label}.d`, '%lanes.d')),
  ]);
  const distance = (start: string, block: string): string[] =>
    isCounted ? [`  %${block === 'lanes' ? 'lanes.d' : 'lanes.left'} = phi i64 ${start}, [ %lanes.d1, %lanes ]`] : [];
  const lines = [
    'lanes.begin:',
    `  %lanes.count = sub i32 ${end}, ${first}`,
    `  %lanes.whole = and i32 %lanes.count, ${-LANES}`,
    `  %lanes.end = add i32 ${first}, %lanes.whole`,
    '  %lanes.any = icmp ne i32 %lanes.whole, 0',
    '  br i1 %lanes.any, label %lanes, label %lanes.rest',
    'lanes:',
    `  %lanes.x = phi i32 [ ${first}, %lanes.begin ], [ %lanes.x1, %lanes ]`,
    ...distance('[ 0, %lanes.begin ]', 'lanes'),
    '  %lanes.lin = add nuw nsw i32 %from, %lanes.x',
    `  %lanes.state = call i32 ${run}`,
    ...(isCounted ? [`  %lanes.d1 = add nuw nsw i64 %lanes.d, ${LANES}`] : []),
    `  %lanes.x1 = add nuw nsw i32 %lanes.x, ${LANES}`,
    '  %lanes.more = icmp ult i32 %lanes.x1, %lanes.end',
    `  br i1 %lanes.more, label %lanes, label %lanes.rest, !llvm.loop ${style.narrow}`,
    'lanes.rest:',
    `  %lanes.first = phi i32 [ ${first}, %lanes.begin ], [ %lanes.end, %lanes ]`,
    ...distance('[ 0, %lanes.begin ]', 'rest'),
    `  %lanes.some = icmp ult i32 %lanes.first, ${end}`,
    `  br i1 %lanes.some, label %${label}, label ${after}`,
  ];
  const rest = { before: '%lanes.rest', first: '%lanes.first', start: '%lanes.left' };
  return { begin: 'lanes.begin', lines, span: { ...span, ...rest }, loop: style.narrow };
}

/** The fewest threads that the guard is asked for. */
const FEWEST = 16;
const MOST = 2 ** 31 - 1;

/**
 * A row in parts, for each of which the guard holds, or which are short. A part for which it does not hold loses its last
 * threads, then half, then half again; behind a part for which it holds, and behind the row's first threads, all that is
 * left is tried at once. So only few threads beside a border run with all their conditions.
 */
function emitGuarded(plan: KernelPlan, region: number, style: DriverStyle): string[] {
  const ask = [...regionArguments(plan, '%part.a', '%part.lin'), 'i32 %part.b', 'i32 %part.lin.b'];
  const free = emitLanes(plan, region, style, 'free', FREE_PART);
  return [
    '  %width = sub i32 %xe, %x0',
    '  br label %part',
    'part:',
    '  %part.a = phi i32 [ %x0, %row ], [ %part.a, %less ], [ %part.e, %next ]',
    '  %part.most = phi i32 [ %width, %row ], [ %less.most, %less ], [ %next.most, %next ]',
    '  %part.left = sub i32 %xe, %part.a',
    '  %part.count = call i32 @llvm.umin.i32(i32 %part.left, i32 %part.most)',
    '  %part.e = add nuw nsw i32 %part.a, %part.count',
    '  %part.b = sub i32 %part.e, 1',
    '  %part.lin = add i32 %from, %part.a',
    '  %part.lin.b = add i32 %from, %part.b',
    `  %holds = call i1 ${named(plan, `guard${region}`, ask)}`,
    `  br i1 %holds, label %${free.begin}, label %fails`,
    'fails:',
    '  %start = icmp eq i32 %part.a, %x0',
    `  %item.most = select i1 %start, i32 ${MOST}, i32 ${2 * FEWEST}`,
    `  %few = icmp ule i32 %part.count, ${FEWEST}`,
    '  br i1 %few, label %item, label %less',
    'less:',
    '  %less.half = lshr i32 %part.count, 1',
    `  %less.end = sub i32 %part.count, ${FEWEST}`,
    '  %less.whole = icmp eq i32 %part.count, %part.left',
    `  %less.long = icmp ugt i32 %part.count, ${4 * FEWEST}`,
    '  %less.first = and i1 %less.whole, %less.long',
    '  %less.most = select i1 %less.first, i32 %less.end, i32 %less.half',
    '  br label %part',
    ...emitItems(plan, region, style, 'item', regionName(region), style.narrow, ITEM_PART),
    ...free.lines,
    ...emitItems(plan, region, style, 'free', freeName(region), free.loop, free.span),
    'next:',
    `  %next.most = phi i32 [ %item.most, %item ], [ ${MOST}, %free ]${free.lines.length > 0 ? `, [ ${MOST}, %lanes.rest ]` : ''}`,
    '  %ended = icmp uge i32 %part.e, %xe',
    '  br i1 %ended, label %rowend, label %part',
  ];
}

/** The bounds of an innermost loop, and the arguments that it passes to its code besides the thread's. */
export interface Span {
  readonly before: string;
  readonly first: string;
  readonly end: string;
  readonly after: string;
  readonly more: readonly string[];
  /** Whether the code gets the distance to the first thread, too. */
  readonly isCounted?: boolean;
  /** That distance, where the loop begins at another one. */
  readonly start?: string;
}

const ROW: Span = { before: '%row', first: '%x0', end: '%xe', after: '%rowend', more: [] };
const PART = { first: '%part.a', end: '%part.e', after: '%next' };
const ITEM_PART: Span = { ...PART, before: '%fails', more: [] };
const FREE_PART: Span = {
  ...PART,
  before: '%part',
  more: ['i32 %part.a', 'i32 %part.lin', 'i64 %free.d'],
  isCounted: true,
};

/** The innermost loop: the threads of a row, or of a part of it. */
export function emitItems(
  plan: KernelPlan,
  region: number,
  { group, shuffled }: DriverStyle,
  label: string,
  code: string,
  loop: string,
  { before, first, end, after, more, isCounted = false, start = '0' }: Span = ROW,
): string[] {
  const run = named(plan, code, [
    ...regionArguments(plan, `%${label}.x`, `%${label}.lin`),
    ...commonParameters(plan, region),
    ...more,
  ]);
  const keep = [
    `  %${label}.index = zext i32 %${label}.lin to i64`,
    `  %${label}.place = getelementptr i32, ptr %states, i64 %${label}.index`,
    `  store i32 %${label}.state, ptr %${label}.place${group}`,
  ];
  return [
    `${label}:`,
    ...emitIndex(`${label}.x`, label, `${first}, ${before}`, first, end, shuffled),
    ...(isCounted ? [`  %${label}.d = phi i64 [ ${start}, ${before} ], [ %${label}.d1, %${label} ]`] : []),
    `  %${label}.lin = add nuw nsw i32 %from, %${label}.x`,
    `  %${label}.state = call i32 ${run}`,
    ...(leaveOf(plan, region) === 'divergent' ? keep : []),
    ...(isCounted ? [`  %${label}.d1 = add nuw nsw i64 %${label}.d, 1`] : []),
    `  %${label}.x1 = add nuw nsw i32 %${label}.x${shuffled ? '.at' : ''}, 1`,
    `  %${label}.more = icmp ult i32 %${label}.x1, ${end}`,
    `  br i1 %${label}.more, label %${label}, label ${after}, !llvm.loop ${loop}`,
  ];
}

/** A loop's index: one after another, or in an order that was drawn before the loop. */
function emitIndex(
  name: string,
  block: string,
  start: string,
  first: string,
  end: string,
  shuffled: boolean,
): readonly string[] {
  const next = `%${name === 'y' ? 'y1, %rowend' : `${name}1, %${block}`}`;
  const phi = (index: string): string => `  %${index} = phi i32 [ ${start} ], [ ${next} ]`;
  if (!shuffled) return [phi(name)];
  return [
    phi(`${name}.at`),
    `  %${name} = call i32 @__rt_shuffled(i32 ${first}, i32 ${end}, i32 %${name}.at, i32 %${name}.order)`,
  ];
}

/** The arguments of a region's code. */
export function regionArguments(plan: KernelPlan, x: string, lin: string): string[] {
  return [
    ...parameterValues(plan),
    `i32 ${x}, i32 %y, i32 %z, i32 ${lin}`,
    ...BLOCK_PARAMETERS,
    'ptr %dynamic, ptr %ctx, i64 %n',
  ];
}
