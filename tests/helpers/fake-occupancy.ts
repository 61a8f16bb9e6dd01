import { viewOf } from '../../src/ffi/memory.ts';

/** The fake driver's functions for occupancy. */
export function fakeOccupancy(
  put: (out: unknown, value: bigint | number) => number,
): Record<string, (...args: never[]) => number> {
  return {
    cuOccupancyMaxActiveBlocksPerMultiprocessor: (out: unknown) => put(out, 2),
    cuOccupancyMaxPotentialBlockSize: (grid: unknown, block: unknown) => put(grid, 108) || put(block, 256),
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: (out: unknown, ...rest: unknown[]) =>
      put(out, 2 + Number(rest[3])),
    cuOccupancyMaxPotentialBlockSizeWithFlags: (grid: unknown, block: unknown) => put(grid, 108) || put(block, 128),
    cuOccupancyAvailableDynamicSMemPerBlock: (out: unknown, _raw: bigint, blocks: number) =>
      put(out, BigInt(Math.floor(65_536 / blocks))),
    cuOccupancyMaxPotentialClusterSize: (out: unknown) => put(out, 8),
    cuOccupancyMaxActiveClusters: (out: unknown, _raw: bigint, config: bigint) => {
      const at = new BigUint64Array(viewOf(config, 56).slice(0))[5] ?? 0n;
      return put(out, 64 / (new Uint32Array(viewOf(at, 12).slice(0))[2] ?? 1));
    },
  };
}
