import type { CpuParameter } from '../../abi/program.ts';
import { HELD, stateAfter, stateOf } from './cut.ts';
import { leaveOf, loopCall } from './loops.ts';
import type { KernelPlan } from './plan.ts';
import { onlyState } from './region-graph.ts';
import { BLOCK_IDS, part, THREAD_IDS } from './regions.ts';
import {
  BLOCK_PARAMETERS,
  named,
  parameterLoads,
  parameterValues,
  type DriverCalls,
  type DriverStyle,
} from './signature.ts';

const boxOf = (width: string): string => `i32 0, i32 ${width}, i32 0, i32 %dy, i32 0, i32 %dz`;
/** Of a block, or of several that run as one. */
const WIDTH = 'i32 %width';
/** Bytes of the place that the scheduler keeps for a step function, and where things are in it. */
const Place = { SITES: 13, DYNAMIC: 56, END: 64 } as const;
/** Beside the number of the kernel's first site, for the scheduler: divergent barriers are a finding. */
const CHECKED = 1 << 31;
/** The result of a step function that has stored the new states in memory. */
const STORED = -1;

/** One region for consecutive threads: for blocks with divergent threads. */
export function emitStep(plan: KernelPlan, layout: readonly CpuParameter[]): string[] {
  const numbers = plan.barriers.map((_, i) => i + 1);
  const head = ['ptr %args', 'ptr %place', 'i32 %state', 'ptr %states', 'ptr %ctx', 'i64 %n'];
  const box = 'i32 %tx, i32 %xe, i32 %ty, i32 %ye, i32 %tz, i32 %ze';
  return [
    `define internal i32 ${named(plan, 'step', head)} nounwind {`,
    'entry:',
    ...parameterLoads(plan, layout),
    ...[...THREAD_IDS, ...BLOCK_IDS].flatMap((id, i) => [
      `  %a.${id} = getelementptr i32, ptr %place, i64 ${i}`,
      `  %${id} = load i32, ptr %a.${id}`,
    ]),
    `  %a.dynamic = getelementptr i8, ptr %place, i64 ${Place.DYNAMIC}`,
    '  %dynamic = load ptr, ptr %a.dynamic',
    `  %a.xe = getelementptr i8, ptr %place, i64 ${Place.END}`,
    '  %xe = load i32, ptr %a.xe',
    '  %ye = add i32 %ty, 1',
    '  %ze = add i32 %tz, 1',
    `  switch i32 %state, label %none [ ${numbers.map((n) => `i32 ${stateAfter(plan.barriers, n)}, label %from${n}`).join(' ')} ]`,
    ...numbers.flatMap((n) => {
      const uniform = leaveOf(plan, n) === 'uniform';
      const left = uniform ? `%left${n}` : (onlyState(plan, n) ?? STORED);
      return [`from${n}:`, `  ${uniform ? `%left${n} = ` : ''}${loopCall(plan, n, box)}`, `  ret i32 ${left}`];
    }),
    'none:',
    `  ret i32 ${STORED}`,
    '}',
  ];
}

/** The state of threads that have not started. */
export const START = 1;
/** The state of a block with threads that wait for other blocks at different places. */
const MIXED = -1;

/** Whether blocks of a kernel may wait for other blocks. */
export function isHeld({ barriers }: KernelPlan): boolean {
  return barriers.some(({ kind }) => kind === 'grid');
}

/** The call of a block; where it may wait for others, it returns the state to call it with again, or 0. */
export function blockCall(
  plan: KernelPlan,
  args: readonly string[],
  from: number | string,
  width: string | undefined,
): string {
  return isHeld(plan)
    ? `call i32 ${named(plan, 'block', [...args, `i32 ${from}`])}`
    : `call void ${named(plan, 'block', width === undefined ? args : [...args, `i32 ${width}`])}`;
}

/** A whole block: region by region while all threads take the same path, else run by run. */
export function emitBlock(plan: KernelPlan, { sites, calls, shuffled, merge }: DriverStyle): string[] {
  const { barriers, uniform, strided } = plan;
  const held = isHeld(plan);
  const head = ['ptr %args', ...parameterValues(plan), ...BLOCK_PARAMETERS, 'ptr %dynamic, ptr %ctx'];
  if (merge) head.push(WIDTH);
  const box = boxOf(merge ? '%width' : '%dx');
  const regions = [0, ...barriers.map((_, i) => i + 1)];
  return [
    // A separate function, since an engine replaces slow code by fast code only between calls.
    `define internal ${held ? 'i32' : 'void'} ${named(plan, 'block', held ? [...head, 'i32 %from'] : head)} noinline nounwind {`,
    'entry:',
    '  %n0 = mul i32 %dx, %dy',
    '  %threads = mul i32 %n0, %dz',
    '  %n1 = add i32 %threads, 15',
    '  %n2 = and i32 %n1, -16',
    '  %n = zext i32 %n2 to i64',
    `  %so = mul i64 %n, ${plan.stateOffset}`,
    '  %states = getelementptr i8, ptr %ctx, i64 %so',
    ...(uniform ? [] : ['  %place = alloca [16 x i64]', '  %mo = mul i64 %n, 4']),
    ...(uniform ? [] : ['  %masks = getelementptr i8, ptr %states, i64 %mo']),
    ...(held ? emitResume(plan) : ['  br label %next']),
    ...emitNext(plan),
    ...regions.flatMap((region) => emitGo(plan, region, box, calls)),
    ...(uniform
      ? []
      : [
          ...emitAsk(plan),
          ...emitLook(),
          ...emitSplit(plan, calls && !strided ? sites | CHECKED : sites, shuffled ? '_shuffled' : ''),
        ]),
    ...(held ? emitHeld(plan) : []),
    'done:',
    held ? '  ret i32 0' : '  ret void',
    '}',
  ];
}

/** Continue after the barrier of the grid at which the block has returned. */
function emitResume({ uniform }: KernelPlan): string[] {
  const begin = `  %begin = and i32 %from, ${~HELD}`;
  if (uniform) return [begin, '  br label %next'];
  return [
    begin,
    `  %mixed = icmp eq i32 %from, ${MIXED}`,
    '  br i1 %mixed, label %release, label %next',
    'release:',
    '  call void @__rt_release(ptr %states, i32 %threads)',
    '  br label %look',
  ];
}

/** Return from a block with threads that wait for other blocks. */
function emitHeld({ uniform }: KernelPlan): string[] {
  const whole = ['held:', '  ret i32 %at'];
  if (uniform) return whole;
  return [
    ...whole,
    'divergent:',
    '  %waits = call i32 @__rt_held(ptr %states, i32 %threads)',
    '  %leaves = icmp ne i32 %waits, 0',
    '  br i1 %leaves, label %leave, label %split',
    'leave:',
    `  ret i32 ${MIXED}`,
  ];
}

/**
 * The dispatch from a state to its region. All paths go through it: paths from region to region would form loops with
 * many entries, which LLVM takes very long to remove.
 */
function emitNext(plan: KernelPlan): string[] {
  const { barriers, uniform } = plan;
  const held = isHeld(plan);
  const regions = [0, ...barriers.map((_, i) => i + 1)];
  const from = regions.flatMap((region) => {
    const leave = leaveOf(plan, region);
    if (leave === 'divergent') return [];
    return [`[ ${leave === 'uniform' ? `%left${region}` : (onlyState(plan, region) ?? 0)}, %go${region} ]`];
  });
  const cases = barriers.flatMap(({ whole, kind }, i) => {
    const number = i + 1;
    const go = `i32 ${stateAfter(barriers, number)}, label %${whole ? 'go' : 'ask'}${number}`;
    return kind === 'grid' ? [go, `i32 ${stateOf(barriers, number)}, label %held`] : [go];
  });
  const otherwise = uniform ? 'done' : held ? 'divergent' : 'split';
  return [
    'next:',
    `  %at = phi i32 ${[`[ ${held ? '%begin' : START}, %entry ]`, ...from, ...(uniform ? [] : ['[ %same, %look ]'])].join(', ')}`,
    `  switch i32 %at, label %${otherwise} [ i32 0, label %done i32 ${START}, label %go0 ${cases.join(' ')} ]`,
  ];
}

/** A region for all threads, and where it leads. */
function emitGo(plan: KernelPlan, region: number, box: string, calls: DriverCalls | undefined): string[] {
  const leave = leaveOf(plan, region);
  const left = leave === 'uniform' ? `%left${region} = ` : '';
  const barrier = plan.barriers[region - 1];
  const told = !plan.strided && barrier && (barrier.kind === 'warp' ? calls?.warpBarrier : calls?.blockBarrier);
  return [
    `go${region}:`,
    ...(told === undefined || told === false ? [] : [`  call void ${told}()`]),
    `  ${left}${loopCall(plan, region, box)}`,
    `  br label %${leave === 'divergent' ? 'look' : 'next'}`,
  ];
}

/** At barriers of warps: do they name all threads? */
function emitAsk(plan: KernelPlan): string[] {
  return plan.barriers.flatMap(({ whole }, i) => {
    const n = i + 1;
    if (whole) return [];
    return [
      `ask${n}:`,
      `  %whole${n} = call i32 @__rt_whole(ptr %masks, i32 %threads)`,
      `  %is${n} = icmp ne i32 %whole${n}, 0`,
      `  br i1 %is${n}, label %go${n}, label %part${n}`,
      `part${n}:`,
      `  call void @__rt_all(ptr %states, i32 %threads, i32 ${stateOf(plan.barriers, n)})`,
      '  br label %split',
    ];
  });
}

function emitLook(): string[] {
  return ['look:', '  %same = call i32 @__rt_uniform(ptr %states, i32 %threads)', '  br label %next'];
}

function emitSplit(plan: KernelPlan, sites: number, order: string): string[] {
  const warps = plan.barriers.some(({ kind }) => kind === 'warp');
  const step = `ptr @${part(plan.symbol, 'step')}, ptr %args, ptr %place, ptr %states`;
  return [
    'split:',
    ...BLOCK_IDS.flatMap((id, i) => [
      `  %a.${id} = getelementptr i32, ptr %place, i64 ${i + THREAD_IDS.length}`,
      `  store i32 %${id}, ptr %a.${id}`,
    ]),
    `  %a.sites = getelementptr i32, ptr %place, i64 ${Place.SITES}`,
    `  store i32 ${sites}, ptr %a.sites`,
    `  %a.dynamic = getelementptr i8, ptr %place, i64 ${Place.DYNAMIC}`,
    '  store ptr %dynamic, ptr %a.dynamic',
    warps
      ? `  call void @__rt_step_warps${order}(${step}, ptr %masks, ptr %ctx, i64 %n)`
      : `  call void @__rt_step_block${order}(${step}, ptr %ctx, i64 %n)`,
    '  br label %look',
  ];
}
