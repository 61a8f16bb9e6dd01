import type { KernelArgument } from '../../../../src/cuda/kernel/kernel-argument.ts';
import type { DeviceAllocation } from '../../../../src/cuda/memory/memory.ts';
import type { Numbers } from '../case.ts';

/** What the checked mode is to find. */
export type Finding =
  | 'out-of-bounds'
  | 'use-after-free'
  | 'null'
  | 'misaligned'
  | 'uninitialised'
  | 'shift'
  | 'missing-return'
  | 'shared-race'
  | 'global-race'
  | 'divergent-barrier'
  | 'warp-deadlock';

/** The words by which a report of each is known. */
export const findings: Readonly<Record<Finding, RegExp>> = {
  'out-of-bounds': /out.of.bounds/i,
  'use-after-free': /after.free|freed/i,
  null: /\bnull/i,
  misaligned: /misaligned/i,
  uninitialised: /uninitiali[sz]ed/i,
  shift: /invalid.shift/i,
  'missing-return': /missing.return/i,
  'shared-race': /\brace\b[^]*shared|shared[^]*\brace\b/i,
  'global-race': /\brace\b[^]*(global|device)|(global|device)[^]*\brace\b/i,
  'divergent-barrier': /barrier/i,
  'warp-deadlock': /deadlock/i,
};

/**
 * A kernel with one mistake. The comment `// <- finding` marks each line that a report must name; with
 * `// <- finding?` the line may stand in the report or not.
 */
export interface BrokenKernel {
  readonly name: string;
  readonly finding: Finding;
  readonly source: string;
  /** What device memory holds at the start; a number: so many bytes that nobody has written. */
  readonly memory: Readonly<Record<string, Numbers | number>>;
  /** Freed again before the launch. */
  readonly freed?: readonly string[];
  /** Numbers, or names of `memory`. */
  readonly args: readonly (string | number | null)[];
  readonly block: number | [number, number];
  readonly grid?: number;
  readonly shared?: number;
  /** Why a checker may fail to see it. */
  readonly hard?: string;
}

/** The lines of a source, from 1, that a report must name. */
export function markedLines({ source, finding }: BrokenKernel): number[] {
  return source.split('\n').flatMap((line, i) => (line.trimEnd().endsWith(`// <- ${finding}`) ? [i + 1] : []));
}

/** The arguments of a launch. */
export function argumentsOf(
  { args }: BrokenKernel,
  memory: Readonly<Record<string, DeviceAllocation | bigint>>,
): KernelArgument[] {
  return args.map((arg) => {
    if (typeof arg !== 'string') return arg;
    const found = memory[arg];
    if (found === undefined) throw new RangeError(`There is no memory '${arg}'`);
    return found;
  });
}
