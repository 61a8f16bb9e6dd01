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
