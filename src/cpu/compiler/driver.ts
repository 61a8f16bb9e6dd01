import { stateOf } from './cut.ts';
import type { KernelPlan } from './plan.ts';
import type { CpuParameter } from '../program.ts';
import { BLOCK_IDS, emitRegion, exitsOf, part, THREAD_IDS, type RegionStyle } from './regions.ts';

/** What the driver of a kernel is made with. */
export interface DriverStyle extends RegionStyle {
  /** Metadata of the loops over threads. */
  readonly loop: string;
  /** Number of the kernel's first site, which is that of its first barrier. */
  readonly sites: number;
  /** Call before each region: the checked mode counts them. */
  readonly tick: string | undefined;
}

/** All code of one kernel: its regions, their loops over a block's threads, and `run_…` over blocks. */
export function emitKernel(plan: KernelPlan, layout: readonly CpuParameter[], style: DriverStyle): string[] {
  const regions = plan.barriers.length + 1;
  const out: string[] = [];
  for (let region = 0; region < regions; region++) {
    out.push(...emitRegion(plan, region, style), ...emitLoop(plan, region, style));
  }
  if (regions > 1) out.push(...emitStep(plan, layout));
  out.push(...emitBlock(plan, style), ...emitRun(plan, layout));
  return out;
}

/** The name under which a kernel is exported. */
export function runSymbol(symbol: string): string {
  return symbol.startsWith('"') ? `"run_${symbol.slice(1)}` : `run_${symbol}`;
}

/** The sides of a box of threads: first and one past the last. */
const BOX = ['x0', 'xe', 'y0', 'ye', 'z0', 'ze'];
const WHOLE_BOX = 'i32 0, i32 %dx, i32 0, i32 %dy, i32 0, i32 %dz';
const BLOCK_PARAMETERS = BLOCK_IDS.map((id) => `i32 %${id}`);

/** `i32 %p.0, ptr %p.1`: kernel parameters, as the driver names them. */
function values(plan: KernelPlan): string[] {
  return plan.parameters.map(({ type }, i) => `${type} %p.${i}`);
}

function call(plan: KernelPlan, suffix: string, args: readonly string[]): string {
  return `@${part(plan.symbol, suffix)}(${args.join(', ')})`;
}

/** One region for the threads of a box in the block. Their new states go to memory. */
function emitLoop(plan: KernelPlan, region: number, { group, loop, tick }: DriverStyle): string[] {
  const many = plan.barriers.length > 0;
  const context = plan.privates.size > 0 ? 'ptr %ctx' : 'ptr noalias %ctx';
  const head = call(plan, `loop${region}`, [
    ...values(plan),
    ...BLOCK_PARAMETERS,
    'ptr %dynamic',
    context,
    'i64 %n',
    'ptr noalias %states',
    ...BOX.map((side) => `i32 %${side}`),
  ]);
  const run = call(plan, `region${region}`, [
    ...values(plan),
    'i32 %x, i32 %y, i32 %z, i32 %lin',
    ...BLOCK_PARAMETERS,
    'ptr %dynamic, ptr %ctx, i64 %n',
  ]);
  const keep = [
    '  %index = zext i32 %lin to i64',
    '  %place = getelementptr i32, ptr %states, i64 %index',
    `  store i32 %state, ptr %place${group}`,
  ];
  return [
    `define internal void ${head} ${many ? 'noinline ' : ''}nounwind {`,
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
    ...(many ? keep : []),
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
    '  ret void',
    '}',
  ];
}

/** Whether a region leads all threads to one and the same place, so that states need not be looked at. */
function isSingle(plan: KernelPlan, region: number): boolean {
  const exits = exitsOf(plan, region);
  const [exit] = exits;
  return exits.length === 1 && (exit === 0 || plan.barriers[(exit ?? 0) - 1]?.whole === true);
}

/** Loads of the parameters from the argument block. */
function loads(plan: KernelPlan, layout: readonly CpuParameter[]): string[] {
  return plan.parameters.flatMap(({ type }, i) => {
    const address = `getelementptr i8, ptr %args, i64 ${layout[i]?.offset ?? 0}`;
    // An aggregate stays in the argument block; its code takes the address.
    if (type === 'ptr' && layout[i]?.ptx !== 'u64') return [`  %p.${i} = ${address}`];
    const from = [`  %pa.${i} = ${address}`];
    if (type !== 'i1') return [...from, `  %p.${i} = load ${type}, ptr %pa.${i}`];
    return [...from, `  %pb.${i} = load i8, ptr %pa.${i}`, `  %p.${i} = icmp ne i8 %pb.${i}, 0`];
  });
}

/** One region for one thread: for blocks whose threads go different ways. */
function emitStep(plan: KernelPlan, layout: readonly CpuParameter[]): string[] {
  const box = 'i32 %tx, i32 %xe, i32 %ty, i32 %ye, i32 %tz, i32 %ze';
  const args = [...values(plan), ...BLOCK_PARAMETERS, 'ptr %dynamic, ptr %ctx, i64 %n, ptr %states', box];
  const numbers = plan.barriers.map((_, i) => i + 1);
  const head = ['ptr %args', 'ptr %place', 'i32 %state', 'ptr %states', 'ptr %ctx', 'i64 %n'];
  return [
    `define internal void ${call(plan, 'step', head)} nounwind {`,
    'entry:',
    ...loads(plan, layout),
    ...[...THREAD_IDS, ...BLOCK_IDS].flatMap((id, i) => [
      `  %a.${id} = getelementptr i32, ptr %place, i64 ${i}`,
      `  %${id} = load i32, ptr %a.${id}`,
    ]),
    `  %a.dynamic = getelementptr i8, ptr %place, i64 56`,
    '  %dynamic = load ptr, ptr %a.dynamic',
    ...['x', 'y', 'z'].map((axis) => `  %${axis}e = add i32 %t${axis}, 1`),
    `  switch i32 %state, label %done [ ${numbers.map((n) => `i32 ${stateOf(plan.barriers, n)}, label %from${n}`).join(' ')} ]`,
    ...numbers.flatMap((n) => [`from${n}:`, `  call void ${call(plan, `loop${n}`, args)}`, '  br label %done']),
    'done:',
    '  ret void',
    '}',
  ];
}

/** A whole block: region by region for as long as all threads go the same way, else thread by thread. */
function emitBlock(plan: KernelPlan, { sites }: DriverStyle): string[] {
  const { barriers } = plan;
  const warps = barriers.some(({ kind }) => kind === 'warp');
  const args = [...values(plan), ...BLOCK_PARAMETERS, 'ptr %dynamic, ptr %ctx, i64 %n, ptr %states', WHOLE_BOX];
  const numbers = barriers.map((_, i) => i + 1);
  const after = (region: number): string => {
    const [exit] = exitsOf(plan, region);
    return !isSingle(plan, region) ? 'look' : exit === 0 ? 'done' : `go${exit ?? ''}`;
  };
  const head = call(plan, 'block', ['ptr %args', ...values(plan), ...BLOCK_PARAMETERS, 'ptr %dynamic, ptr %ctx']);
  const start = [
    `define internal void ${head} nounwind {`,
    'entry:',
    '  %n0 = mul i32 %dx, %dy',
    '  %threads = mul i32 %n0, %dz',
    '  %n1 = add i32 %threads, 15',
    '  %n2 = and i32 %n1, -16',
    '  %n = zext i32 %n2 to i64',
    `  %so = mul i64 %n, ${plan.stateOffset}`,
    '  %states = getelementptr i8, ptr %ctx, i64 %so',
    `  call void ${call(plan, 'loop0', args)}`,
  ];
  if (barriers.length === 0) return [...start, '  ret void', '}'];
  const target = (n: number): string => (barriers[n - 1]?.kind === 'warp' ? `ask${n}` : `go${n}`);
  const ids = BLOCK_IDS.flatMap((id, i) => [
    `  %a.${id} = getelementptr i32, ptr %place, i64 ${i + THREAD_IDS.length}`,
    `  store i32 %${id}, ptr %a.${id}`,
  ]);
  const step = `ptr @${part(plan.symbol, 'step')}, ptr %args, ptr %place, ptr %states`;
  return [
    ...start.slice(0, -1),
    '  %place = alloca [16 x i64]',
    '  %mo = mul i64 %n, 4',
    '  %masks = getelementptr i8, ptr %states, i64 %mo',
    ...start.slice(-1),
    `  br label %${after(0)}`,
    'look:',
    '  %same = call i32 @__rt_uniform(ptr %states, i32 %threads)',
    `  switch i32 %same, label %split [ i32 0, label %done ${numbers
      .map((n) => `i32 ${stateOf(barriers, n)}, label %${target(n)}`)
      .join(' ')} ]`,
    ...numbers.flatMap((n) => [
      ...(target(n) === `ask${n}`
        ? [
            `ask${n}:`,
            `  %whole${n} = call i32 @__rt_whole(ptr %masks, i32 %threads)`,
            `  %is${n} = icmp ne i32 %whole${n}, 0`,
            `  br i1 %is${n}, label %go${n}, label %split`,
          ]
        : []),
      `go${n}:`,
      `  call void ${call(plan, `loop${n}`, args)}`,
      `  br label %${after(n)}`,
    ]),
    'split:',
    ...ids,
    `  %a.sites = getelementptr i32, ptr %place, i64 13`,
    `  store i32 ${sites}, ptr %a.sites`,
    `  %a.dynamic = getelementptr i8, ptr %place, i64 56`,
    '  store ptr %dynamic, ptr %a.dynamic',
    warps
      ? `  call void @__rt_step_warps(${step}, ptr %masks, ptr %ctx, i64 %n)`
      : `  call void @__rt_step_block(${step}, ptr %ctx, i64 %n)`,
    '  br label %look',
    'done:',
    '  ret void',
    '}',
  ];
}

/** The export: some blocks of a grid. */
function emitRun(plan: KernelPlan, layout: readonly CpuParameter[]): string[] {
  const [bx = '', by = '', bz = '', ...sizes] = BLOCK_PARAMETERS;
  const args = ['ptr %args', ...values(plan), bx, by, bz, ...sizes, 'ptr %dynamic, ptr %ctx'];
  return [
    `define void @${runSymbol(plan.symbol)}(ptr %args, i32 %first, i32 %count, ${sizes.join(', ')}, ptr %ctx, ptr %dynamic) nounwind {`,
    'entry:',
    ...loads(plan, layout),
    '  %end = add i32 %first, %count',
    '  %any = icmp ne i32 %count, 0',
    '  br i1 %any, label %next, label %done',
    'next:',
    '  %block = phi i32 [ %first, %entry ], [ %block1, %next ]',
    '  %bx = urem i32 %block, %gx',
    '  %rows = udiv i32 %block, %gx',
    '  %by = urem i32 %rows, %gy',
    '  %bz = udiv i32 %rows, %gy',
    `  call void ${call(plan, 'block', args)}`,
    '  %block1 = add i32 %block, 1',
    '  %more = icmp ne i32 %block1, %end',
    '  br i1 %more, label %next, label %done',
    'done:',
    '  ret void',
    '}',
  ];
}
