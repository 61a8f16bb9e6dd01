import type { CpuParameter } from '../../abi/program.ts';
import { NOW, RANGES_OFFSET } from '../checks/instrument.ts';
import type { Merge } from './merged-blocks.ts';
import type { KernelPlan } from './plan.ts';
import { BLOCK_IDS, part, type RegionStyle } from './regions.ts';

/** The options of a kernel's driver. */
export interface DriverStyle extends RegionStyle {
  /** Metadata of the loops over threads. */
  readonly loop: string;
  /** The same for threads that run one by one. */
  readonly narrow: string;
  /** The same for threads that run in vector lanes against LLVM's estimate. */
  readonly wide: string | undefined;
  /** The same for threads that compute with larger numbers than those in memory. */
  readonly mixed?: string | undefined;
  /** The same for threads that compute with 16 bits. */
  readonly small?: string | undefined;
  /** Threads of a row run four at once, as far as there are four. */
  readonly lanes?: boolean;
  /** Number of the kernel's first site, which is that of its first barrier. */
  readonly sites: number;
  /** The events that are reported to the checked mode. */
  readonly calls?: DriverCalls;
  /** The style of threads whose accesses were checked before, and the functions without checked accesses. */
  readonly looked?: LookedStyle;
  /** Threads run in an order that is drawn. */
  readonly shuffled: boolean;
  /** Where blocks side by side run as one. */
  readonly merge?: Merge | undefined;
}

/** The differences for threads of a checked kernel whose accesses were checked strip by strip. */
export interface LookedStyle extends Pick<DriverStyle, 'group' | 'loop' | 'wide' | 'mixed' | 'small'> {
  readonly quiet: (name: string) => boolean;
}

/** Functions that the driver of a checked kernel calls. */
export interface DriverCalls {
  /** With the block's number, before it. */
  readonly block: string;
  /** After all threads have met at a barrier. */
  readonly blockBarrier?: string | undefined;
  /** After those of each warp have. */
  readonly warpBarrier?: string | undefined;
}

/** The sides of a box of threads: first and one past the last. */
export const BOX = ['x0', 'xe', 'y0', 'ye', 'z0', 'ze'] as const;
export const BLOCK_PARAMETERS: readonly string[] = BLOCK_IDS.map((id) => `i32 %${id}`);

/** `i32 %p.0, ptr %p.1`: kernel parameters, as the driver names them. */
export function parameterValues(plan: KernelPlan): string[] {
  return plan.parameters.map(({ type }, i) => `${type} %p.${i}`);
}

/** A function of a kernel's driver, called or defined: `@k.loop1(…)`. */
export function named(plan: KernelPlan, suffix: string, args: readonly string[]): string {
  return `@${part(plan.symbol, suffix)}(${args.join(', ')})`;
}

/** Loads of the parameters from the argument block, and in a checked kernel of the ranges behind its pointers. */
export function parameterLoads(plan: KernelPlan, layout: readonly CpuParameter[]): string[] {
  return plan.parameters.flatMap(({ type }, i) => {
    if (i >= layout.length) {
      const place = `getelementptr i8, ptr @${NOW}, i64 ${RANGES_OFFSET + 8 * (i - layout.length)}`;
      return [`  %pa.${i} = ${place}`, `  %p.${i} = load i64, ptr %pa.${i}`];
    }
    const address = `getelementptr i8, ptr %args, i64 ${layout[i]?.offset ?? 0}`;
    // An aggregate stays in the argument block; its code takes the address.
    if (type === 'ptr' && layout[i]?.ptx !== 'u64') return [`  %p.${i} = ${address}`];
    const from = [`  %pa.${i} = ${address}`];
    if (type !== 'i1') return [...from, `  %p.${i} = load ${type}, ptr %pa.${i}`];
    return [...from, `  %pb.${i} = load i8, ptr %pa.${i}`, `  %p.${i} = icmp ne i8 %pb.${i}, 0`];
  });
}
