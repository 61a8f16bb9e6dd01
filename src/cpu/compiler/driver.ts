import type { CpuParameter } from '../program.ts';
import { emitBlock, emitStep } from './block.ts';
import { guardOf } from './guards.ts';
import { emitGuard, emitLoop } from './loops.ts';
import type { KernelPlan } from './plan.ts';
import { emitRegion } from './regions.ts';
import { isWide } from './width.ts';
import { BLOCK_PARAMETERS, named, parameterLoads, parameterValues, type DriverStyle } from './signature.ts';

/** All code of one kernel: its regions, their loops over a block's threads, and `run_…` over blocks. */
export function emitKernel(plan: KernelPlan, layout: readonly CpuParameter[], style: DriverStyle): string[] {
  const regions = plan.barriers.length + 1;
  const parts: string[][] = [];
  for (let region = 0; region < regions; region++) {
    const guard = regions === 1 && !style.check ? guardOf(plan, region) : undefined;
    const wide = style.wide !== undefined && regions === 1 && isWide(plan, guard?.assumed ?? new Map());
    const loops = wide ? style : { ...style, wide: undefined };
    parts.push(emitRegion(plan, region, style), emitLoop(plan, region, loops, guard));
    if (guard) parts.push(emitRegion(plan, region, style, guard.assumed), emitGuard(plan, region, guard));
  }
  if (!plan.together) parts.push(emitStep(plan, layout));
  parts.push(emitBlock(plan, style), emitRun(plan, layout));
  return parts.flat();
}

/** The name under which a kernel is exported. */
export function runSymbol(symbol: string): string {
  return symbol.startsWith('"') ? `"run_${symbol.slice(1)}` : `run_${symbol}`;
}

/** The export: some blocks of a grid. */
function emitRun(plan: KernelPlan, layout: readonly CpuParameter[]): string[] {
  const [bx = '', by = '', bz = '', ...sizes] = BLOCK_PARAMETERS;
  const args = ['ptr %args', ...parameterValues(plan), bx, by, bz, ...sizes, 'ptr %dynamic, ptr %ctx'];
  return [
    `define void @${runSymbol(plan.symbol)}(ptr %args, i32 %first, i32 %count, ${sizes.join(', ')}, ptr %ctx, ptr %dynamic) nounwind {`,
    'entry:',
    ...parameterLoads(plan, layout),
    '  %end = add i32 %first, %count',
    '  %any = icmp ne i32 %count, 0',
    '  br i1 %any, label %next, label %done',
    'next:',
    '  %block = phi i32 [ %first, %entry ], [ %block1, %next ]',
    '  %bx = urem i32 %block, %gx',
    '  %rows = udiv i32 %block, %gx',
    '  %by = urem i32 %rows, %gy',
    '  %bz = udiv i32 %rows, %gy',
    `  call void ${named(plan, 'block', args)}`,
    '  %block1 = add i32 %block, 1',
    '  %more = icmp ne i32 %block1, %end',
    '  br i1 %more, label %next, label %done',
    'done:',
    '  ret void',
    '}',
  ];
}
