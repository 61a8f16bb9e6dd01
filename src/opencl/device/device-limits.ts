/** The limits of a device, asked once. */
export interface DeviceLimits {
  readonly workGroupSize: number;
  readonly workItemSizes: readonly number[];
  /** Bytes of one buffer. */
  readonly allocation: number;
  /** Bytes of local memory in one work-group. */
  readonly localMemory: number;
  /** Bytes. */
  readonly subBufferAlignment: number;
  /** Every work-group must have the whole local size: OpenCL 1.x. */
  readonly uniformGroups: boolean;
}

/** Bytes: the largest piece of memory that any of these devices allows. */
export function largestAllocation(devices: readonly { readonly limits: DeviceLimits }[]): number {
  let largest = 0;
  for (const { limits } of devices) largest = Math.max(largest, limits.allocation);
  return largest;
}
