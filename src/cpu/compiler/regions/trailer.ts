import { WIDE_LOOPS } from '../link.ts';
import type { DriverStyle } from './signature.ts';

// Far from LLVM's own numbers.
const GROUP = 90_000_000;
const PARALLEL = GROUP + 1;
const ACCESSES = GROUP + 2;
const SERIAL = GROUP + 3;
const WIDE = GROUP + 4;
const ENABLE = GROUP + 5;
const WIDTH = GROUP + 6;
const MIXED = GROUP + 7;
const NARROW = GROUP + 8;
const SMALL = GROUP + 9;
const SCHEDULER: readonly (readonly [name: string, declaration: string])[] = [
  ['__rt_uniform', 'declare i32 @__rt_uniform(ptr, i32)'],
  ['__rt_whole', 'declare i32 @__rt_whole(ptr, i32)'],
  ['__rt_all', 'declare void @__rt_all(ptr, i32, i32)'],
  ['__rt_held', 'declare i32 @__rt_held(ptr, i32)'],
  ['__rt_release', 'declare void @__rt_release(ptr, i32)'],
  ['__rt_step_block', 'declare void @__rt_step_block(ptr, ptr, ptr, ptr, ptr, i64)'],
  ['__rt_step_warps', 'declare void @__rt_step_warps(ptr, ptr, ptr, ptr, ptr, ptr, i64)'],
  ['__rt_step_block_shuffled', 'declare void @__rt_step_block_shuffled(ptr, ptr, ptr, ptr, ptr, i64)'],
  ['__rt_step_warps_shuffled', 'declare void @__rt_step_warps_shuffled(ptr, ptr, ptr, ptr, ptr, ptr, i64)'],
  ['__rt_turn', 'declare i32 @__rt_turn()'],
  ['__rt_shuffled', 'declare i32 @__rt_shuffled(i32, i32, i32, i32)'],
  ['__rt_pause', 'declare i32 @__rt_pause(i32)'],
  ['__rt_order', 'declare void @__rt_order(i32)'],
];

/** The declarations and the metadata that a module's text refers to. */
export function trailerOf(text: string): string[] {
  const declared = SCHEDULER.filter(
    ([name]) => text.includes(`@${name}(`) && !new RegExp(`^(?:declare|define) .*@${name}\\(`, 'm').test(text),
  );
  const wideLoops = [
    `!${WIDE} = distinct !{!${WIDE}, !${ACCESSES}, !${ENABLE}, !${WIDTH}}`,
    `!${ENABLE} = ${WIDE_LOOPS}`,
  ];
  return [
    ...declared.map(([, declaration]) => declaration),
    `!${GROUP} = distinct !{}`,
    `!${PARALLEL} = distinct !{!${PARALLEL}, !${ACCESSES}}`,
    `!${ACCESSES} = !{!"llvm.loop.parallel_accesses", !${GROUP}}`,
    `!${SERIAL} = distinct !{!${SERIAL}}`,
    `!${WIDTH} = !{!"llvm.loop.vectorize.width", i32 4}`,
    `!${MIXED} = distinct !{!${MIXED}, !${ACCESSES}, !${WIDTH}}`,
    `!${SMALL} = distinct !{!${SMALL}, !${ACCESSES}, !{!"llvm.loop.vectorize.width", i32 8}}`,
    `!${NARROW} = distinct !{!${NARROW}, !{!"llvm.loop.vectorize.enable", i1 false}}`,
    ...(text.includes(`!llvm.loop !${WIDE}`) ? wideLoops : []),
  ];
}

/** The metadata of loops over threads, and of the accesses in them. */
export function loopStyle(
  parallel: boolean,
): Pick<DriverStyle, 'group' | 'loop' | 'narrow' | 'wide' | 'mixed' | 'small'> {
  return {
    group: parallel ? `, !llvm.access.group !${GROUP}` : '',
    narrow: `!${NARROW}`,
    loop: `!${parallel ? PARALLEL : SERIAL}`,
    ...(parallel ? { wide: `!${WIDE}`, mixed: `!${MIXED}`, small: `!${SMALL}` } : { wide: undefined }),
  };
}
