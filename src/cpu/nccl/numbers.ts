// NCCL's constants, for the progress thread: it loads nothing of src/nccl, which brings the native binding along.

/** `ncclRedOp_t`. */
export const ReduceOp = { SUM: 0, PROD: 1, MAX: 2, MIN: 3, AVG: 4 } as const;

/** `ncclResult_t`. */
export const Result = {
  SUCCESS: 0,
  UNHANDLED_CUDA_ERROR: 1,
  SYSTEM_ERROR: 2,
  INTERNAL_ERROR: 3,
  INVALID_ARGUMENT: 4,
  INVALID_USAGE: 5,
  REMOTE_ERROR: 6,
  IN_PROGRESS: 7,
} as const;

/** Ranks of a communicator, at most. */
export const MAX_RANKS = 32;
