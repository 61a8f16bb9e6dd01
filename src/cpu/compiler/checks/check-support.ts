import type { DriverStyle } from '../regions/signature.ts';
import type { Variables } from './origin.ts';
import { LEFT_OFFSET, NOW, type Checks } from './instrument.ts';

/** Functions of the checked mode, as the compiler's code calls them. */
const FUNCTIONS: readonly string[] = [
  'ptr @__rk_bounds(ptr, i32, i32, i32)',
  'ptr @__rk_bounds_in(ptr, i32, i32, i32, i64, i64, i64)',
  'ptr @__rk_memory_in(ptr, i32, i32, i32, i32, i64, i64, i64, i64)',
  'ptr @__rk_inside(ptr, ptr, i64, i32, i32, i32)',
  'ptr @__rk_dynamic(ptr, i32, i32, i32)',
  'ptr @__rk_memory(ptr, i32, i32, i32, i32, i64)',
  'ptr @__rk_variable(ptr, ptr, i64, i32, i32, i32, i32, i64)',
  'ptr @__rk_shared(ptr, ptr, i64, i32, i32, i32, i32, i64)',
  'ptr @__rk_dynamic_shared(ptr, i32, i32, i32, i32, i64)',
  'i64 @__rk_fill(ptr, i64, i32, i32, i32)',
  'i64 @__rk_fill_bounds(ptr, i64, i32, i32, i32)',
  'i64 @__rk_copy(ptr, ptr, i64, i32, i32, i32, i32)',
  'i64 @__rk_copy_bounds(ptr, ptr, i64, i32, i32, i32, i32)',
  'void @__rk_unset(i1, i32)',
  'void @__rk_undefined(i32, i64, i32)',
  'void @__rk_fence()',
  'void @__rk_block(i32)',
  'void @__rk_block_bounds(i32)',
  'void @__rk_after_block_barrier()',
  'void @__rk_after_warp_barrier()',
  'void @__rk_set(i64, ptr, i32, i32, i32)',
  'void @__rk_exists(ptr, i64)',
  'i64 @__rk_known(i64)',
  'i1 @__rk_strip_bounds(ptr, i64, i32, i32, i32)',
  'i1 @__rk_strip_bounds_in(ptr, i64, i32, i32, i32, i64, i64, i64)',
  'i1 @__rk_strip_memory_in(ptr, i64, i32, i32, i32, i32, i32, i32, ptr, i64, i64, i64)',
  'i1 @__rk_strip_inside(ptr, i64, i32, i32, i32, ptr, i64)',
  'i1 @__rk_strip_dynamic(ptr, i64, i32, i32, i32)',
  'i1 @__rk_strip_memory(ptr, i64, i32, i32, i32, i32, i32, i32, ptr)',
  'i1 @__rk_strip_variable(ptr, i64, i32, i32, i32, ptr, i64, i32, i32, i32, ptr)',
  'i1 @__rk_strip_shared(ptr, i64, i32, i32, i32, ptr, i64, i32, i32, i32)',
  'i1 @__rk_strip_dynamic_shared(ptr, i64, i32, i32, i32, i32, i32, i32)',
  'void @__rk_note_memory(ptr, i64, i32, i32, i32, i32, i32, ptr)',
  'i1 @__rk_strip_memory_again(ptr, ptr, i64, i32, i32, i32, i32, i32, i32, ptr)',
  'void @__rk_note_memory_again(ptr, ptr, i64, i32, i32, i32, i32, i32, ptr)',
  'void @__rk_note_memory_in(ptr, i64, i32, i32, i32, i32, i32, ptr, i64, i64, i64)',
  'void @__rk_cover(ptr, i32)',
  'void @__rk_note_shared(ptr, i64, i32, i32, i32, i32, i32)',
  'i1 @__rk_strip_steady1(ptr, i32, i64)',
  'i1 @__rk_strip_steady4(ptr, i32, i64)',
  'i1 @__rk_strip_steady8(ptr, i32, i64)',
  'void @__rk_stretch_start(ptr)',
  'i1 @__rk_stretch_add(ptr, ptr, i64, i32, i32, i1)',
  'i1 @__rk_stretches_apart(ptr, ptr, i1)',
];

/** The races that are looked for on global memory: `Races` of check.h. */
const RACES: Readonly<Record<Checks, number>> = { bounds: 0, shared: 0, blocks: 1, all: 2 };

/** The start of the variable that contains an address: below its number plus 1, or 0 for other memory. */
const BASE = '__rk_base';
const NUMBER_SHIFT = 32;

function baseFunction(variables: readonly (readonly [symbol: string, bytes: number])[]): string[] {
  const lines = [`define i64 @${BASE}(i64 %a) nounwind {`, '  %r0 = call i64 @__rk_known(i64 %a)'];
  variables.forEach(([symbol, bytes], i) => {
    const number = BigInt(i + 1) << BigInt(NUMBER_SHIFT);
    lines.push(
      `  %b${i} = ptrtoint ptr @${symbol} to i64`,
      `  %o${i} = sub i64 %a, %b${i}`,
      `  %i${i} = icmp ult i64 %o${i}, ${bytes}`,
      `  %n${i} = add i64 %b${i}, ${number}`,
      `  %s${i} = select i1 %i${i}, i64 %n${i}, i64 %r${i}`,
      `  %r${i + 1} = add i64 %s${i}, 0`,
    );
  });
  const all = variables.length;
  const result = [
    `  %known = icmp ne i64 %r0, 0`,
    `  %r = select i1 %known, i64 %r0, i64 %r${all}`,
    '  ret i64 %r',
    '}',
  ];
  return [...lines, ...result];
}

/**
 * The parts of a driver's style that differ for a checked kernel.
 *
 * @param everyExit - all threads must reach each barrier, as in OpenCL. Otherwise an ended thread counts as arrived,
 * unless it has written since the latest barrier: then it has skipped this one
 */
export function checkedStyle(checks: Checks, everyExit: boolean): Pick<DriverStyle, 'thread' | 'calls' | 'left'> {
  const all = checks !== 'bounds';
  return {
    thread: `@${NOW}`,
    left: { pointer: `getelementptr (i8, ptr @${NOW}, i64 ${LEFT_OFFSET})`, always: everyExit },
    calls: {
      block: all ? '@__rk_block' : '@__rk_block_bounds',
      blockBarrier: all ? '@__rk_after_block_barrier' : undefined,
      warpBarrier: all ? '@__rk_after_warp_barrier' : undefined,
    },
  };
}

/** A checked program's additions: declarations, and functions that the runtime calls. */
export function checkSupport(
  checks: Checks,
  { shared, device }: Variables,
): { readonly lines: readonly string[]; readonly exports: readonly string[] } {
  const lines = [
    `@${NOW} = external thread_local(localexec) global [8 x i64], align 16`,
    ...FUNCTIONS.map((one) => `declare ${one}`),
    'define void @__rk_enter(i64 %tag, ptr %dynamic, i32 %bytes, i32 %excused) nounwind {',
    `  call void @__rk_set(i64 %tag, ptr %dynamic, i32 %bytes, i32 %excused, i32 ${RACES[checks]})`,
    '  ret void',
    '}',
    'define void @__rk_know(ptr %given, i32 %count) nounwind {',
    '  call void @__rk_cover(ptr %given, i32 %count)',
    '  ret void',
    '}',
    'define ptr @__rk_where() nounwind {',
    `  ret ptr @${NOW}`,
    '}',
    'define void @__rk_start() nounwind {',
    ...[...shared].map(([symbol, bytes]) => `  call void @__rk_exists(ptr @${symbol}, i64 ${bytes})`),
    '  ret void',
    '}',
    ...baseFunction([...shared, ...device]),
  ];
  return { lines, exports: ['__rk_enter', '__rk_know', '__rk_where', '__rk_start', BASE] };
}
