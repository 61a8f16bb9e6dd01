import type { ArrayKernel, Lane, LaunchArgument } from './engine.ts';

/** A launch that is ready but for the memories. */
export interface LaunchPlan {
  readonly kernel: ArrayKernel;
  readonly groups: number;
  readonly width: number;
  readonly height: number;
  /** The arguments behind the memories, and behind the numbers that calls bring. */
  readonly numbers: readonly number[];
  /** How many memories, from the first, are written. */
  readonly written: number;
}

/** @param args - the memories, then the call's own numbers; they are the kernel's after the call */
export function launchPlanned(plan: LaunchPlan, lane: Lane, args: LaunchArgument[]): void {
  const { kernel, groups, width, height, numbers, written } = plan;
  for (let i = 0; i < numbers.length; i++) args.push(numbers[i] as number);
  kernel.launch(lane, groups, width, height, args, written);
}
