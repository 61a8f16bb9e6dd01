import type { CpuParameter } from '../../abi/program.ts';
import { withoutCalmLooks } from './calm-regions.ts';
import { blockCall, emitBlock, emitStep, isHeld, START } from './block.ts';
import { guardOf, type Guard } from './guards.ts';
import { emitGuard, emitLoop } from './loops.ts';
import type { Merge } from './merged-blocks.ts';
import type { KernelPlan } from './plan.ts';
import { lanesName, withLanes } from './lanes.ts';
import { blocksOf, onlyState } from './region-graph.ts';
import { emitRegion, part } from './regions.ts';
import { BLOCK_PARAMETERS, parameterLoads, parameterValues, type DriverStyle, type LookedStyle } from './signature.ts';
import { emitStripLoop } from './strip-loops.ts';
import { StripSlopes } from './strip-slopes.ts';
import { stripOf, withoutLooks } from './strips.ts';
import { withSmallIntegers } from './small-integers.ts';
import { blocksInLoops, isMixed, isNarrow, isWide } from './width.ts';

const MAX_WIDTH = 1024;

/** All code of one kernel: its regions, their loops over a block's threads, and `run_…` over blocks. */
export function emitKernel(plan: KernelPlan, layout: readonly CpuParameter[], style: DriverStyle): string[] {
  const regions = plan.barriers.length + 1;
  const parts: string[][] = [];
  const slopes = style.looked && !style.shuffled ? new StripSlopes(plan) : undefined;
  for (let region = 0; region < regions; region++) {
    const calm = style.looked ? withoutCalmLooks(plan, region, style.looked.quiet) : plan;
    const checked = slopes && emitStrips(calm, region, style, slopes);
    parts.push(checked ?? emitThreads(calm, region, style));
  }
  if (!plan.uniform) parts.push(emitStep(plan, layout));
  parts.push(emitBlock(plan, style), emitRun(plan, layout, style));
  if (plan.cooperative) parts.push(emitGrid(plan, layout, style));
  return parts.flat();
}

/** A region and the loop over its threads, with code for rows for which a guard holds and for four threads at once. */
function emitThreads(plan: KernelPlan, region: number, style: DriverStyle): string[] {
  const isWhole = plan.barriers.length === 0;
  const guard = isWhole && !style.calls && !style.shuffled ? guardOf(plan, region) : undefined;
  const lanes = isWhole ? lanesOf(plan, guard, style) : { loop: undefined, isFour: isFour(plan, region, style) };
  const inLanes = lanes.plan ?? plan;
  const code = emitRegion(guard ? plan : inLanes, region, style);
  const free = guard && emitRegion(inLanes, region, style, guard);
  const four = lanes.isFour === true ? fourOf(plan, region, free ?? code, style) : undefined;
  return [
    ...code,
    ...(four ?? []),
    ...emitLoop(plan, region, { ...style, wide: lanes.loop, lanes: four !== undefined }, guard),
    ...(free ?? []),
    ...(guard ? emitGuard(plan, region, guard) : []),
  ];
}

/** A region of a checked kernel, whose threads run strip by strip; undefined where no strip can be looked at. */
function emitStrips(plan: KernelPlan, region: number, style: DriverStyle, slopes: StripSlopes): string[] | undefined {
  const { looked } = style;
  const strip = looked && stripOf(plan, region, slopes, looked.quiet);
  if (!strip) return undefined;
  const { settled, lines, notes } = strip;
  const bare = withoutLooks(plan);
  const assumed = new Map([...settled].map((condition) => [condition, true]));
  const isSmall = plan.barriers.length === 0 && looked.small !== undefined && isMixed(bare, assumed);
  const small = isSmall ? withSmallIntegers(bare) : undefined;
  const wide = small ? looked.small : isSmall ? looked.mixed : undefined;
  const free = { ...freeStyle(bare, style, looked, assumed), ...(wide === undefined ? {} : { wide }) };
  const code = emitRegion(small ?? bare, region, free, { settled });
  const four = isFour(bare, region, free, assumed) ? fourOf(bare, region, code, free) : undefined;
  return [
    ...emitRegion(plan, region, style),
    ...code,
    ...(four ?? []),
    ...lines,
    ...emitStripLoop(bare, region, style, { ...free, lanes: four !== undefined }, notes),
  ];
}

/** How threads run in the lanes of vectors, where LLVM's own choice is not the best. */
interface Lanes {
  /** The metadata of the loop over threads. */
  readonly loop: string | undefined;
  /** The plan with numbers of fewer bits. */
  readonly plan?: KernelPlan;
  /** The lanes are written here, not by LLVM. */
  readonly isFour?: boolean;
}

/** The code of a region for four threads; undefined where it cannot be. */
function fourOf(
  plan: KernelPlan,
  region: number,
  code: readonly string[],
  { group }: DriverStyle,
): string[] | undefined {
  if (onlyState(plan, region) === undefined) return undefined;
  const name = `define internal i32 @${part(plan.symbol, lanesName(region))}`;
  return withLanes(code, plan.types, name, group);
}

/** The most values that each step of a loop leaves to the next: a processor has 16 registers of vectors. */
const MOST_KEPT = 8;

/** Whether a region has a loop that pays for lanes. LLVM finds out itself what is the same in a loop without another one. */
function isFour(plan: KernelPlan, region: number, style: DriverStyle, assumed: Guard['assumed'] = new Map()): boolean {
  if (style.group === '' || style.shuffled || style.spillIds) return false;
  const blocks = blocksOf(plan, region);
  const looped = blocksInLoops(blocks);
  if (looped.size === 0) return false;
  const kept = blocks.filter(({ name }) => looped.has(name)).flatMap(({ instructions }) => instructions);
  const isCrowded = kept.filter(({ op, result = '' }) => op === 'phi' && plan.divergent.has(result)).length > MOST_KEPT;
  return !isCrowded && isWide(plan, assumed, region);
}

function lanesOf(plan: KernelPlan, guard: Guard | undefined, style: DriverStyle): Lanes {
  const { wide, mixed, small, narrow, shuffled, looked } = style;
  if (wide === undefined || shuffled) return { loop: undefined };
  const assumed = guard?.assumed ?? new Map<string, boolean>();
  if (isWide(plan, assumed)) return { loop: wide, isFour: isFour(plan, 0, style, assumed) };
  if (isMixed(plan, assumed)) {
    const less = looked ? undefined : withSmallIntegers(plan);
    return less ? { loop: small, plan: less } : { loop: mixed };
  }
  return { loop: isNarrow(plan) ? narrow : undefined };
}

/** The style of threads whose accesses were checked strip by strip: without checks and without a record of the thread. */
function freeStyle(
  bare: KernelPlan,
  style: DriverStyle,
  { group, loop, wide }: LookedStyle,
  assumed: ReadonlyMap<string, boolean>,
): DriverStyle {
  const isLoopOfLanes = bare.barriers.length === 0 && wide !== undefined && isWide(bare, assumed);
  return { ...style, thread: undefined, group, loop, wide: isLoopOfLanes ? wide : undefined };
}

/** The name under which a kernel is exported. */
export function runSymbol(symbol: string): string {
  return symbol.startsWith('"') ? `"run_${symbol.slice(1)}` : `run_${symbol}`;
}

/** The name under which a kernel's entry for cooperative launches is exported. */
export function gridSymbol(symbol: string): string {
  return symbol.startsWith('"') ? `"grid_${symbol.slice(1)}` : `grid_${symbol}`;
}

/** The export: some blocks of a grid. */
function emitRun(plan: KernelPlan, layout: readonly CpuParameter[], { calls, merge }: DriverStyle): string[] {
  const [bx = '', by = '', bz = '', ...sizes] = BLOCK_PARAMETERS;
  const args = ['ptr %args', ...parameterValues(plan), bx, by, bz, ...sizes, 'ptr %dynamic, ptr %ctx'];
  return [
    `define void @${runSymbol(plan.symbol)}(ptr %args, i32 %first, i32 %count, ${sizes.join(', ')}, ptr %ctx, ptr %dynamic) nounwind {`,
    'entry:',
    ...parameterLoads(plan, layout),
    ...(plan.cooperative ? ['  store i32 0, ptr @__rt_cooperative'] : []),
    '  %end = add i32 %first, %count',
    '  %any = icmp ne i32 %count, 0',
    ...(merge ? emitMost(merge) : []),
    '  br i1 %any, label %next, label %done',
    'next:',
    '  %block = phi i32 [ %first, %entry ], [ %block1, %next ]',
    '  %bx = urem i32 %block, %gx',
    '  %rows = udiv i32 %block, %gx',
    '  %by = urem i32 %rows, %gy',
    '  %bz = udiv i32 %rows, %gy',
    ...(calls ? [`  call void ${calls.block}(i32 %block)`] : []),
    ...(merge ? emitMerge() : []),
    `  ${blockCall(plan, args, START, merge && '%width')}`,
    `  %block1 = add i32 %block, ${merge ? '%merged' : 1}`,
    '  %more = icmp ne i32 %block1, %end',
    '  br i1 %more, label %next, label %done',
    'done:',
    '  ret void',
    '}',
  ];
}

/** The most blocks that run as one: LLVM was told that no x is greater. */
function emitMost({ width, isFlat }: Merge): string[] {
  const conditions = [
    ...(width === undefined ? [] : [`icmp eq i32 %dx, ${width}`]),
    ...(isFlat ? ['icmp eq i32 %dy, 1', 'icmp eq i32 %dz, 1'] : []),
  ];
  let most = `udiv i32 ${MAX_WIDTH}, %dx`;
  const lines: string[] = [];
  conditions.forEach((condition, i) => {
    lines.push(`  %most${i} = ${most}`, `  %fits${i} = ${condition}`);
    most = `select i1 %fits${i}, i32 %most${i}, i32 1`;
  });
  return [...lines, `  %most = ${most}`];
}

/** The blocks that run as one from here on: of one row of the grid. */
function emitMerge(): string[] {
  return [
    '  %ahead = sub i32 %gx, %bx',
    '  %left = sub i32 %end, %block',
    '  %within = call i32 @llvm.umin.i32(i32 %ahead, i32 %left)',
    '  %merged = call i32 @llvm.umin.i32(i32 %within, i32 %most)',
    '  %width = mul i32 %merged, %dx',
  ];
}

/**
 * The export for cooperative launches: it runs one block up to its next barrier of the grid. It returns the state to
 * call the block with again, or 0 when the block has ended. The first call passes {@link START}.
 */
function emitGrid(plan: KernelPlan, layout: readonly CpuParameter[], { calls, merge }: DriverStyle): string[] {
  const [bx = '', by = '', bz = '', ...sizes] = BLOCK_PARAMETERS;
  const args = ['ptr %args', ...parameterValues(plan), bx, by, bz, ...sizes, 'ptr %dynamic, ptr %ctx'];
  return [
    `define i32 @${gridSymbol(plan.symbol)}(ptr %args, i32 %block, i32 %from, ${sizes.join(', ')}, ptr %ctx, ptr %dynamic) nounwind {`,
    ...parameterLoads(plan, layout),
    '  store i32 1, ptr @__rt_cooperative',
    '  %bx = urem i32 %block, %gx',
    '  %rows = udiv i32 %block, %gx',
    '  %by = urem i32 %rows, %gy',
    '  %bz = udiv i32 %rows, %gy',
    ...(calls ? [`  call void ${calls.block}(i32 %block)`] : []),
    `  ${isHeld(plan) ? '%left = ' : ''}${blockCall(plan, args, '%from', merge && '%dx')}`,
    `  ret i32 ${isHeld(plan) ? '%left' : 0}`,
    '}',
  ];
}
