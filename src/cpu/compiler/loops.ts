import type { KernelPlan } from './plan.ts';
import { leavesTogether, onlyState } from './region-graph.ts';
import { BLOCK_PARAMETERS, BOX, named, parameterValues, type DriverStyle } from './signature.ts';

/** How a region tells where it leaves the threads of a box: not at all where there is one way, by one state, by many. */
export type Leave = 'only' | 'together' | 'apart';

export function leaveOf(plan: KernelPlan, region: number): Leave {
  if (onlyState(plan, region) !== undefined) return 'only';
  return leavesTogether(plan, region) ? 'together' : 'apart';
}

/** The call of a region's loop for a box of threads. */
export function loopCall(plan: KernelPlan, region: number, box: string): string {
  const args = [...parameterValues(plan), ...BLOCK_PARAMETERS, 'ptr %dynamic, ptr %ctx, i64 %n, ptr %states', box];
  return `call ${leaveOf(plan, region) === 'together' ? 'i32' : 'void'} ${named(plan, `loop${region}`, args)}`;
}

/** One region for the threads of a box in the block. Where they may go different ways, their new states go to memory. */
export function emitLoop(plan: KernelPlan, region: number, { group, loop, tick }: DriverStyle): string[] {
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
  const run = named(plan, `region${region}`, [
    ...parameterValues(plan),
    'i32 %x, i32 %y, i32 %z, i32 %lin',
    ...BLOCK_PARAMETERS,
    'ptr %dynamic, ptr %ctx, i64 %n',
  ]);
  const keep = [
    '  %index = zext i32 %lin to i64',
    '  %place = getelementptr i32, ptr %states, i64 %index',
    `  store i32 %state, ptr %place${group}`,
  ];
  const many = plan.barriers.length > 0;
  return [
    `define internal ${leave === 'together' ? 'i32' : 'void'} ${head} ${many ? 'noinline ' : ''}nounwind {`,
    'entry:',
    ...(tick === undefined ? [] : [`  ${tick}`]),
    '  %plane = mul i32 %dx, %dy',
    '  br label %slice',
    'slice:',
    '  %z = phi i32 [ %z0, %entry ], [ %z1, %sliceend ]',
    '  %before = mul i32 %z, %plane',
    '  br label %row',
    'row:',
    '  %y = phi i32 [ %y0, %slice ], [ %y1, %rowend ]',
    '  %rows = mul i32 %y, %dx',
    '  %from = add i32 %rows, %before',
    '  br label %item',
    'item:',
    '  %x = phi i32 [ %x0, %row ], [ %x1, %item ]',
    '  %lin = add nuw nsw i32 %from, %x',
    `  %state = call i32 ${run}`,
    ...(leave === 'apart' ? keep : []),
    '  %x1 = add nuw nsw i32 %x, 1',
    '  %morex = icmp ult i32 %x1, %xe',
    `  br i1 %morex, label %item, label %rowend, !llvm.loop ${loop}`,
    'rowend:',
    '  %y1 = add nuw nsw i32 %y, 1',
    '  %morey = icmp ult i32 %y1, %ye',
    '  br i1 %morey, label %row, label %sliceend',
    'sliceend:',
    '  %z1 = add nuw nsw i32 %z, 1',
    '  %morez = icmp ult i32 %z1, %ze',
    '  br i1 %morez, label %slice, label %done',
    'done:',
    leave === 'together' ? '  ret i32 %state' : '  ret void',
    '}',
  ];
}
