/** Places in the control block, which the main thread and the workers share: an Int32Array, all access by Atomics. */
export const Word = {
  /** The count of all enqueued commands. A command's number is the count before it was enqueued. */
  SUBMITTED: 0,
  /** The count of all finished commands, which is the number of the running one. */
  COMPLETED: 1,
  /** Messages that were sent to each worker. */
  MESSAGES: 2,
  /** Set while the main thread sleeps; `WANTED` says what it waits for, and `SIGNAL` wakes it. */
  WAITING: 3,
  WANTED: 4,
  SIGNAL: 5,
  PRINT_LOCK: 6,
  PRINT_HEAD: 7,
  PRINT_TAIL: 8,
  HEAP_LOCK: 9,
  HEAP_BASE: 10,
  HEAP_BYTES: 11,
  FAULT_LOCK: 12,
  FAULTS: 13,
  /** Workers that have started. */
  READY: 14,
  /** The counter that idle workers wait on: it rises when a command finishes and when a grid goes on. */
  ROUNDS: 15,
  /** 1 where the checked mode keeps its shadow, 2 where it keeps records, too. */
  GUARDED: 16,
  /** Of launches that kernels make: the lists of the running grid's and of those that wait, and which one runs. */
  LAUNCH_LOCK: 17,
  LAUNCHED_FIRST: 18,
  LAUNCHED_LAST: 19,
  WAITING_FIRST: 20,
  LAUNCH_RUNNING: 21,
  /** How many there are, and how many there may be. */
  PENDING: 22,
  MAX_PENDING: 23,
} as const;

/** Words of a command. */
export const Slot = {
  KIND: 0,
  /** The next share that no worker has taken: {@link firstShare} and up. */
  NEXT: 1,
  PARTS: 2,
  DONE: 3,
  /** The parts of a share, which a worker takes at once. */
  CHUNK: 4,
  CONTEXT: 5,
  PROGRAM: 6,
  KERNEL: 7,
  ARGUMENTS: 8,
  BLOCK: 9,
  GRID: 12,
  SCRATCH: 15,
  SCRATCH_STRIDE: 16,
  SHARED: 17,
  FROM: 18,
  TO: 19,
  BYTES: 20,
  VALUE: 21,
  WIDTH: 22,
  /** For a cooperative launch: the address of its blocks' memory (0 for other launches), and the layout. */
  GRID_AREA: 23,
  GRID_STRIDE: 24,
  GRID_SHARED: 25,
  GRID_LOCAL: 26,
  /** The number of its finished rounds, and whether any of its blocks waits again. */
  ROUND: 27,
  HELD: 28,
  /** Launches are numbered for the checked mode. */
  EPOCH: 29,
  /** Whether kernels continue after a finding. */
  REPORT: 30,
  /** The seed of the order of a launch's blocks and threads; 0 for the plain order. */
  ORDER: 31,
  /** For a launch, in the words of a copy: the numbers of its first block in findings, x, y, z. */
  FIRST_BLOCK: 18,
  /** For a launch, in the words of a fill: how many launches of kernels came before it, and its depth below the host's. */
  CHILD: 21,
  DEPTH: 22,
} as const;

/** The kind of a command. */
export const Kind = { LAUNCH: 1, COPY: 2, FILL: 3, EVENT: 4 } as const;

/** Rounds of a cooperative grid for which launches have numbers in the checked mode. */
export const GRID_ROUNDS = 256;

/** The value of a copy from the host, whose source counts as written. */
export const FROM_HOST = 1;

/** Words of a finding. */
export const Finding = {
  KIND: 0,
  STATUS: 1,
  ADDRESS: 2,
  DETAIL: 4,
  SITE: 6,
  PROGRAM: 7,
  KERNEL: 8,
  CONTEXT: 9,
  FIRST_BLOCK: 10,
  /** Threads of a block, blocks of the grid: x, y, z. */
  BLOCK: 11,
  GRID: 14,
  /** Its thread and its block, both plus 1; 0 where unknown. */
  THREAD: 17,
  THREAD_BLOCK: 18,
  /** Its site and that of another access, both plus 1. */
  OTHER_SITE: 19,
  /** The thread or the block of that one, plus 1. */
  OTHER: 20,
  /** How often it was found. */
  COUNT: 21,
  /** The `Reason` of a trap. */
  REASON: 22,
  /** Groups of threads that wait at different places: a state, a count and the first thread of each. */
  GROUPS: 23,
  /** The numbers of the grid's first block: x, y, z. */
  GRID_FIRST: 47,
  /** The start of the accessed variable, and the number of the variable plus 1. */
  BASE: 50,
  OBJECT: 51,
  /** The offset of the launch's words. */
  COMMAND: 52,
} as const;

/** Groups of threads in a finding, at most. */
export const MAX_GROUPS: number = 8;

/** Workers, at most. */
export const MAX_WORKERS = 256;
/** The most dynamic shared memory that a block can have, with room to align it. */
export const SHARED_BYTES: number = 228 * 1024;
/** Of that, the most that a kernel may ask for. */
export const MAX_SHARED: number = 227 * 1024;
/** Contexts alive at once, at most. */
export const MAX_CONTEXTS = 256;
/** Commands in the queue, at most. */
export const SLOTS = 512;
/** Findings that are kept until the main thread reads them. */
export const MAX_FINDINGS: number = 64;
/** Shares of a command, at most: their numbers are below that of the launch of a kernel that has become the command. */
export const MAX_SHARES: number = 0x1_0000;
/** The first share of a command, or of the nth launch of a kernel that it has become. */
export const firstShare = (child: number): number => (child & 0xffff) << 16;
/** Launches of kernels that wait at once, at most, where the program sets no other limit. */
export const MAX_PENDING = 2048;
/** The bytes of one part of a copy or a fill. */
export const PART_BYTES: number = 4 << 20;

const SLOT_WORDS = 32;
const FINDING_WORDS = 53;
const ACTIVE = 24;
const CONTEXT_STATUS = ACTIVE + MAX_WORKERS;
const CONTEXT_FAULT = CONTEXT_STATUS + MAX_CONTEXTS;
const FINDINGS = CONTEXT_FAULT + MAX_CONTEXTS;
const FIRST_SLOT = FINDINGS + MAX_FINDINGS * FINDING_WORDS;

/** Bytes of the control block. */
export const CONTROL_BYTES: number = 4 * (FIRST_SLOT + SLOTS * SLOT_WORDS);

/** The word with the command that a worker reads: {@link activeMark} of it, or 0. */
export const activeWord = (worker: number): number => ACTIVE + worker;

/** The value that a worker writes there; never 0. */
export const activeMark = (sequence: number): number => (sequence << 1) | 1;

/** The word with the sticky status of a context, by its index. */
export const contextWord = (context: number): number => CONTEXT_STATUS + context;

/** The word with the number of the command that caused the status. */
export const contextFaultWord = (context: number): number => CONTEXT_FAULT + context;

/** Where a command's words begin. */
export const slotBase = (sequence: number): number => FIRST_SLOT + (sequence & (SLOTS - 1)) * SLOT_WORDS;

/** Where the words of the nth finding begin. */
export const findingBase = (index: number): number => FINDINGS + (index % MAX_FINDINGS) * FINDING_WORDS;

/** The statuses of contexts and the findings: from the first word to before the second. */
export const LASTING: readonly [start: number, end: number] = [CONTEXT_STATUS, FIRST_SLOT];

/** Whether a count has reached another one; counts wrap at 32 bits. */
export const reached = (count: number, wanted: number): boolean => ((count - wanted) | 0) >= 0;
