import { commonParameters, readCommon, writeCommon } from './common-slots.ts';
import type { Guard } from './guards.ts';
import type { KernelPlan } from './plan.ts';
import { leavesUniformly, onlyState } from './region-graph.ts';
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
    ...(guard ? askGuard(plan, region) : ['  br label %item']),
    ...emitItems(plan, region, style, 'item', regionName(region), guard ? style.loop : (style.wide ?? style.loop)),
    ...(guard ? emitItems(plan, region, style, 'free', freeName(region), style.wide ?? style.loop) : []),
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

function askGuard(plan: KernelPlan, region: number): string[] {
  const ask = named(plan, `guard${region}`, [...regionArguments(plan, '%x0', '%lin.a'), 'i32 %last', 'i32 %lin.b']);
  return [
    '  %lin.a = add i32 %from, %x0',
    '  %lin.b = add i32 %from, %last',
    `  %holds = call i1 ${ask}`,
    '  br i1 %holds, label %free, label %item',
  ];
}

/** The bounds of an innermost loop, and the arguments that it passes to its code besides the thread's. */
export interface Span {
  readonly before: string;
  readonly first: string;
  readonly end: string;
  readonly after: string;
  readonly more: readonly string[];
}

const ROW: Span = { before: '%row', first: '%x0', end: '%xe', after: '%rowend', more: [] };

/** The innermost loop: the threads of a row, or of a part of it. */
export function emitItems(
  plan: KernelPlan,
  region: number,
  { group, shuffled }: DriverStyle,
  label: string,
  code: string,
  loop: string,
  { before, first, end, after, more }: Span = ROW,
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
    `  %${label}.lin = add nuw nsw i32 %from, %${label}.x`,
    `  %${label}.state = call i32 ${run}`,
    ...(leaveOf(plan, region) === 'divergent' ? keep : []),
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
