import { applied } from '../applied.ts';
import { withoutLimits } from '../expression/fused-value.ts';
import type { NDArray, OutOptions } from '../ndarray.ts';

/** A clip of which each limit may be missing. */
export function clipTo(x: unknown, least: unknown, most: unknown, options: OutOptions | undefined): NDArray {
  const { operation, limits } = withoutLimits(least, most);
  return applied[operation.name as keyof typeof applied].run([x, ...limits], options);
}
