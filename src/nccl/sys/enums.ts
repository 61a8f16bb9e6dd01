// The columns: value, whose fault it is, and what to do about it. `pending`: not over yet. `remote`: another rank's.
export const status = {
  ncclSuccess: [0, 'none', ''],
  ncclUnhandledCudaError: [
    1,
    'runtime',
    'Look for the CUDA error in the lines that NCCL_DEBUG=WARN prints; a kernel that failed earlier may have caused it',
  ],
  ncclSystemError: [
    2,
    'runtime',
    'Look for the failed system call in the lines that NCCL_DEBUG=WARN prints: the network, shared memory (/dev/shm) or a limit of open files',
  ],
  ncclInternalError: [
    3,
    'runtime',
    'Set NCCL_DEBUG=WARN and read its lines; another version of NCCL may have mended it',
  ],
  ncclInvalidArgument: [4, 'logic', 'Check the arguments; NCCL_DEBUG=WARN says which one'],
  ncclInvalidUsage: [
    5,
    'logic',
    'Check the order of the calls and that each rank has a device of its own; NCCL_DEBUG=WARN says more',
  ],
  ncclRemoteError: [6, 'remote', 'Look at the other ranks: one has died or closed its connection'],
  ncclInProgress: [7, 'pending', 'Wait until ncclCommGetAsyncError no longer says so'],
  ncclTimeout: [8, 'remote', 'Look at the other ranks: one did not come in time'],
} as const;

/** Element types. */
export const DataType = {
  INT8: 0,
  UINT8: 1,
  INT32: 2,
  UINT32: 3,
  INT64: 4,
  UINT64: 5,
  FLOAT16: 6,
  FLOAT32: 7,
  FLOAT64: 8,
  BFLOAT16: 9,
  FLOAT8E4M3: 10,
  FLOAT8E5M2: 11,
} as const;

/** Reductions. Larger numbers are those that ncclRedOpCreatePreMulSum makes. */
export const RedOp = {
  SUM: 0,
  PROD: 1,
  MAX: 2,
  MIN: 3,
  AVG: 4,
} as const;

/** Where the scalar of a reduction lies. */
export const ScalarResidence = {
  DEVICE: 0,
  HOST_IMMEDIATE: 1,
} as const;

/** Flags of ncclCommWindowRegister. */
export const WindowFlags = {
  DEFAULT: 0x00,
  COLL_SYMMETRIC: 0x01,
  STRICT_ORDERING: 0x02,
} as const;

/** What a window's address and size must be a multiple of, in bytes. */
export const WINDOW_ALIGNMENT = 4096;

/** How many multiprocessors collectives may take. */
export const CtaPolicy = {
  DEFAULT: 0x00,
  EFFICIENCY: 0x01,
  ZERO: 0x02,
} as const;

/** Flags of ncclCommShrink. */
export const ShrinkFlags = {
  DEFAULT: 0x00,
  ABORT: 0x01,
} as const;

/** Flags of ncclCommRevoke. */
export const RevokeFlags = {
  DEFAULT: 0x00,
} as const;

/** Flags of ncclCommSuspend. */
export const SuspendFlags = {
  MEM: 0x01,
} as const;

/** What ncclCommMemStats tells. */
export const CommMemStat = {
  GPU_MEM_SUSPEND: 0,
  GPU_MEM_SUSPENDED: 1,
  GPU_MEM_PERSIST: 2,
  GPU_MEM_TOTAL: 3,
} as const;

/** The color of ncclCommSplit for a rank that joins no new communicator. */
export const SPLIT_NOCOLOR = -1;

/** A field of ncclConfig_t that is not set: an integer, a pointer. */
export const CONFIG_UNDEF_INT = -0x8000_0000;

/** In bytes. */
export const UNIQUE_ID_BYTES = 128;
