import type { Finding } from '../broken/broken-kernel.ts';
import type { Numbers } from '../case.ts';

/** An argument: a number, the name of memory, bytes of local memory, or NULL. */
export type Argument = number | string | { readonly local: number } | null;

/** A launch. */
export interface Launch {
  readonly kernel: string;
  readonly args: readonly Argument[];
  readonly global: number | [number, number];
  readonly local?: number | [number, number];
}

/**
 * Kernels with one mistake, in OpenCL C. The comment `// <- finding` marks each line that a report must name; with
 * `// <- finding?` the line may stand in the report or not.
 */
export interface BrokenKernel {
  readonly name: string;
  readonly finding: Finding;
  readonly source: string;
  /** What buffers hold at the start; a number: so many bytes that nobody has written. */
  readonly memory: Readonly<Record<string, Numbers | number>>;
  /** One after another; the last one has the mistake. */
  readonly launches: readonly Launch[];
  /** Released before the last launch. */
  readonly freed?: string;
  readonly options?: string;
}
