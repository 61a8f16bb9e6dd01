import { calleeOf, type Instruction } from '../ir/instruction.ts';
import { closing, splitList, takeType } from '../ir/text.ts';
import type { Origin } from './origin.ts';

/** The memory that a kernel reaches by its pointer parameters. */
export interface Reach {
  /** The parameters by which it makes accesses, in order: those for which a launch tells the range of the memory. */
  readonly parameters: readonly number[];
  /** Those by which it writes; undefined where it may also write memory that they do not lead to. */
  readonly written: ReadonlySet<number> | undefined;
  /** Whether it copies memory, so that bytes without a value may replace others. */
  readonly copies: boolean;
}

/** A line of a function, as far as it matters here. */
export interface ReachedLine {
  readonly op: string;
  /** Without its result and its debug location. */
  readonly text: string;
  /** The pointer of a load, store or atomic operation. */
  readonly pointer: string | undefined;
}

/** Ranges of a launch: `MOST_RANGES` of check.h. */
const MOST_RANGES = 16;
const TRANSFER = /^llvm\.(memcpy|memmove|memset)\./;
/** Intrinsic functions that write memory, but for those above. */
const WRITING = /^llvm\.(?:masked|vp|matrix|va_)/;
/** Functions of the device and of the checks that write no memory of the program. */
const HARMLESS = /^__(?:rt_(?:id_\w+|(?:warp_|grid_)?barrier|fault)|rk_asked|ubsan_handle_\w+)$/;

/**
 * Find out what memory a kernel can write, after all else was inlined. Pointers from memory, from integers and of functions
 * lead anywhere.
 *
 * @param originOf - where an address comes from
 * @param isQuiet - whether a function of the module writes no memory of the program
 */
export function reachOf(
  lines: readonly ReachedLine[],
  originOf: (pointer: string) => Origin,
  isQuiet: (name: string) => boolean,
): Reach {
  const parameters = new Set<number>();
  const written = new Set<number>();
  let isKnown = true;
  let copies = false;
  const write = (origin: Origin): void => {
    if (origin.kind === 'parameter') written.add(origin.parameter);
    else if (origin.kind === 'any') isKnown = false;
  };
  for (const { op, text, pointer } of lines) {
    if (pointer !== undefined) {
      const origin = originOf(pointer);
      if (origin.kind === 'parameter') parameters.add(origin.parameter);
      if (op !== 'load') write(origin);
    } else if (op === 'call') {
      const callee = calleeOf({ op, text } as Instruction);
      if (callee !== undefined && TRANSFER.test(callee)) {
        copies ||= !callee.startsWith('llvm.memset');
        write(originOf(firstArgument(text, callee)));
      } else isKnown &&= callee !== undefined && isHarmless(callee, isQuiet);
    }
  }
  return {
    parameters: [...parameters].sort((a, b) => a - b).slice(0, MOST_RANGES),
    written: isKnown ? written : undefined,
    copies,
  };
}

function isHarmless(callee: string, isQuiet: (name: string) => boolean): boolean {
  if (callee.startsWith('llvm.')) return !WRITING.test(callee);
  return HARMLESS.test(callee) || isQuiet(callee);
}

function firstArgument(text: string, callee: string): string {
  const open = text.indexOf('(', text.indexOf(`@${callee}`));
  const [first = ''] = splitList(text.slice(open + 1, closing(text, open) - 1));
  return takeType(first).rest.replace(/^.* (?=[%@])/, '');
}
