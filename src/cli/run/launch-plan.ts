import type { Given } from './argument.ts';
import type { Elements } from './element-type.ts';
import { messageOf, UsageError, type IO } from '../output.ts';
import type { Parameter } from './parameter.ts';
import type { SourceFile, SourceFlags } from '../source-file.ts';

/** A launch: the kernel, its arguments and its sizes. */
export interface LaunchPlan {
  readonly source: SourceFile;
  readonly kernel: string;
  readonly flags: SourceFlags;
  readonly rest: readonly string[];
  readonly given: readonly Given[];
  readonly device: string | undefined;
  readonly check: boolean;
  /** Launches to measure; 0 for none. */
  readonly repeat: number;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly shared: number;
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly io: IO;
}

/** The result of a launch. */
export interface Launched {
  readonly device: string;
  readonly signature: string;
  readonly parameters: readonly Parameter[] | undefined;
  /** The arrays after the first launch, at the places of their arguments. */
  readonly arrays: readonly (Elements | undefined)[];
  /** Milliseconds of each launch that was measured. */
  readonly times: readonly number[];
}

/** Sizes of a launch: `256`, `16,16`. */
export function readSizes(text: string | undefined, what: string, least = 1): number[] {
  if (text === undefined) return [];
  const sizes = text.split(/[,x]/).map((part) => (/^\d+$/.test(part.trim()) ? Number(part) : NaN));
  if (sizes.length <= 3 && sizes.every((size) => Number.isSafeInteger(size) && size >= least)) return sizes;
  throw new UsageError(`${what} ${text}: write one to three whole numbers of at least ${least}, such as 16,16`);
}

/** A count of something. */
export function readCount(text: string, what: string, least: number): number {
  const [count = NaN, ...others] = readSizes(text, what, least);
  if (others.length === 0) return count;
  throw new UsageError(`${what} ${text}: one number is wanted`);
}

/** An error of the package about an argument or a size is wrong usage of the command. */
export function asUsage<T>(launch: () => T): T {
  try {
    return launch();
  } catch (error) {
    const { name } = error as { name?: string };
    if (name !== 'TypeError' && name !== 'RangeError') throw error;
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** No kernel has the name, but those of the list have theirs. */
export function noKernel({ kernel, source }: LaunchPlan, there: readonly string[], cause?: unknown): UsageError {
  const list = there.length === 0 ? ' has none' : ` has\n${there.map((signature) => `  ${signature}`).join('\n')}`;
  const isTemplate = /^\w+$/.test(kernel) && new RegExp(`\\btemplate\\s*<[^;{]*\\b${kernel}\\s*\\(`).test(source.text);
  const fix = isTemplate ? `\nIt is a template: name an instance, such as '${kernel}<float>'` : '';
  return new UsageError(`There is no kernel '${kernel}': ${source.path}${list}${fix}`, { cause });
}
