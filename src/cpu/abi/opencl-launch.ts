/**
 * Offsets in the record of an OpenCL launch, which follows the arguments in the argument block. A range with smaller
 * groups at its ends becomes several launches, each with its own record.
 */
export const LaunchRecord = {
  /** Three 64-bit numbers: the global id of this launch's first work-item. */
  ORIGIN: 0,
  /** Three 64-bit numbers: the offset of the whole range. */
  OFFSET: 24,
  /** Three 64-bit numbers: the size of the whole range, 1 in unused dimensions. */
  SIZE: 48,
  /** Three 32-bit numbers: the number of this launch's first group. */
  GROUP_BASE: 72,
  /** Three 32-bit numbers: groups of the whole range. */
  GROUPS: 84,
  /** Three 32-bit numbers: the size of a group that is not cut off by the range's end. */
  LOCAL: 96,
  /** One 32-bit number: the dimensions of the range. */
  WORK_DIM: 108,
  BYTES: 112,
} as const;
