/** Places in the control block, which the main thread and the workers share: an Int32Array, all access by Atomics. */
export const Word = {
  /** The counter that idle workers wait on: it rises when there may be work for one more of them. */
  ROUNDS: 0,
  /** Lanes that were ever in use. */
  LANES: 1,
  /** Messages that were sent to each worker. */
  MESSAGES: 2,
  /** An {@link Awaited} while the main thread sleeps; `WANTED` is the command's mark, and `SIGNAL` wakes it. */
  WAITING: 3,
  WANTED: 4,
  SIGNAL: 5,
  // Here begin the lanes: the first ones in the same line of the cache.
  PRINT_LOCK: 38,
  PRINT_HEAD: 39,
  PRINT_TAIL: 40,
  HEAP_LOCK: 41,
  HEAP_BASE: 42,
  HEAP_BYTES: 43,
  FAULT_LOCK: 44,
  FAULTS: 45,
  /** Workers that have started. */
  READY: 46,
  /** 1 where the checked mode keeps its shadow, 2 where it keeps records, too. */
  GUARDED: 47,
  /** For launches that kernels make: a lock of their lists, how many there are, and how many there may be. */
  LAUNCH_LOCK: 48,
  PENDING: 49,
  MAX_PENDING: 50,
  /** Rises when a gate has been reached, or a context had a fault while there are gates. */
  GATES: 51,
  /** 1 once the queue has had a gate. */
  GATED: 52,
  /** 1 while a gatekeeper opens a gate. */
  OPENING: 53,
  /** 1 when another control block has taken this one's place. */
  MOVED: 54,
  /** A lock: threads that open gates do so one after the other. */
  GATE_LOCK: 55,
} as const;

/** What the main thread sleeps for. */
export const Awaited = { NOTHING: 0, ONE: 1, ANY: 2 } as const;

/**
 * Words of a command. A plain launch touches the first two lines of the cache alone: each line that the main thread has
 * written costs a worker as much as several of its atomic accesses.
 */
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
  /** How many launches of kernels came before it. */
  CHILD: 9,
  /** What is left when all parts have been done: bits of {@link Left}. */
  LEFT: 10,
  /** {@link endedMark} of the command when it has finished, for commands of other lanes; before, that of an older one. */
  STATE: 11,
  /** The mark of the next command in its lane, or 0. */
  NEXT_IN_LANE: 12,
  /** Whether a command of another lane may wait for it. */
  AWAITED: 13,
  /** Whether its context had a fault, so that a part of it did not run. */
  SKIPPED: 14,
  /** How many commands of other lanes it waits for. */
  AFTERS: 15,
  BLOCK: 16,
  GRID: 19,
  SCRATCH: 22,
  SCRATCH_STRIDE: 23,
  SHARED: 24,
  /** For a cooperative launch: the address of its blocks' memory (0 for other launches), and the layout. */
  GRID_AREA: 25,
  GRID_STRIDE: 32,
  GRID_SHARED: 33,
  GRID_LOCAL: 34,
  /** Launches are numbered for the checked mode. */
  EPOCH: 26,
  /** Whether kernels continue after a finding. */
  REPORT: 27,
  /** The seed of the order of a launch's blocks and threads; 0 for the plain order. */
  ORDER: 28,
  /** The numbers of a launch's first block in findings, x, y, z. */
  FIRST_BLOCK: 29,
  /** The number of finished rounds of a cooperative grid. */
  ROUND: 35,
  /** The depth of a kernel's launch below the host's. */
  DEPTH: 36,
  /** The marks of {@link Slot.AFTERS} commands that it waits for, at most {@link MAX_AFTER}. */
  AFTER: 37,
  /** Launches that kernels make: the lists of the running grid's and of those that wait, and which one runs. */
  LAUNCHED_FIRST: 45,
  LAUNCHED_LAST: 46,
  WAITING_FIRST: 47,
  LAUNCH_RUNNING: 48,
  /** For a checked kernel: the address and the number of what is known of the memory that its pointers lead to. */
  RANGES: 49,
  RANGE_COUNT: 50,
  /** For a copy or a fill, in the words of a launch's shape. */
  FROM: 16,
  TO: 17,
  BYTES: 18,
  VALUE: 19,
  WIDTH: 20,
  /** For a gate: a value of {@link Gate}, the lane that it was reached in, and whether no one touches memory while it is shut. */
  GATE: 16,
  GATE_LANE: 17,
  GATE_STILL: 18,
} as const;

/** What follows the last part of a launch: a round of the grid, some of whose blocks wait; launches that kernels have made. */
export const Left = { ROUND: 1, LAUNCHES: 2 } as const;

/**
 * The kind of a command. One that joins only waits for others. A gate lasts from when all before it has finished until
 * the gatekeeper opens it; meanwhile no worker is busy with it.
 */
export const Kind = { LAUNCH: 1, COPY: 2, FILL: 3, EVENT: 4, JOIN: 5, GATE: 6 } as const;

/** The states of a gate: not reached yet; reached, and shut; open, so that the command ends as soon as it is reached. */
export const Gate = { AHEAD: 0, REACHED: 1, OPEN: 2 } as const;

/** Commands of other lanes that a command can wait for. */
export const MAX_AFTER: number = 8;

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
/** Rows of commands, each in order; commands of different rows run side by side. */
export const MAX_LANES = 32;
/** Findings that are kept until the main thread reads them. */
export const MAX_FINDINGS: number = 64;
/** The next share of a command that a restart of the queue has taken from the workers: no share that there is. */
export const TAKEN = 0x1_0000;
/** Shares of a command, at most: their numbers are below that of the launch of a kernel that has become the command. */
export const MAX_SHARES: number = 0x1_0000;
/** The first share of a command, or of the nth launch of a kernel that it has become. */
export const firstShare = (child: number): number => (child & 0xffff) << 16;
/** Launches of kernels that wait at once, at most, where the program sets no other limit. */
export const MAX_PENDING = 2048;
/** The bytes of one part of a copy or a fill. */
export const PART_BYTES: number = 4 << 20;

/** Whole lines of the cache. */
const LINE_WORDS = 16;
/** Words of a command. */
export const SLOT_WORDS: number = 4 * LINE_WORDS;
const FINDING_WORDS = 53;
const LANE_HEADS = 6;
const ACTIVE: number = 4 * LINE_WORDS;
// One more than there are workers: the first one is of the gatekeeper.
const CONTEXT_STATUS = ACTIVE + MAX_WORKERS + 1;
const CONTEXT_FAULT = CONTEXT_STATUS + MAX_CONTEXTS;
const CONTEXT_CLAIM = CONTEXT_FAULT + MAX_CONTEXTS;
const CONTEXT_ACCESS = CONTEXT_CLAIM + MAX_CONTEXTS;
const FINDINGS = CONTEXT_ACCESS + MAX_CONTEXTS;
const FIRST_SLOT: number = Math.ceil((FINDINGS + MAX_FINDINGS * FINDING_WORDS) / LINE_WORDS) * LINE_WORDS;

/** Bytes of the control block. */
export const CONTROL_BYTES: number = 4 * (FIRST_SLOT + SLOTS * SLOT_WORDS);

/** The word with the {@link mark} of the command that a worker reads, or 0. */
export const activeWord = (worker: number): number => ACTIVE + 1 + worker;

/** The gatekeeper's number where workers have theirs. */
export const GATEKEEPER = -1;

/** The word with the {@link mark} of a lane's first command, or with the {@link endedMark} of its last one. */
export const laneWord = (lane: number): number => LANE_HEADS + lane;

/** The value that stands for a command; odd, so never 0. */
export const mark = (sequence: number): number => (sequence << 1) | 1;

/** The value that stands for a command that has ended; even. */
export const endedMark = (sequence: number): number => sequence << 1;

/** Whether a mark is that of a command that has not ended. */
export const isOpen = (mark: number): boolean => (mark & 1) !== 0;

/** The offset of the words of the command that a mark stands for. */
export const markedBase = (mark: number): number => slotBase(mark >> 1);

/** The word with the sticky status of a context, by its index. */
export const contextWord = (context: number): number => CONTEXT_STATUS + context;

/** The word with the {@link mark} of the command that caused the status. */
export const contextFaultWord = (context: number): number => CONTEXT_FAULT + context;

/** The word that says that a thread is writing, or has written, both. */
export const contextClaimWord = (context: number): number => CONTEXT_CLAIM + context;

/** The word with the address of a context's table of the memory that it may not reach; 0 for all memory. */
export const contextAccessWord = (context: number): number => CONTEXT_ACCESS + context;

/** Where a command's words begin. */
export const slotBase = (sequence: number): number => FIRST_SLOT + (sequence & (SLOTS - 1)) * SLOT_WORDS;

/** Where the words of the nth finding begin. */
export const findingBase = (index: number): number => FINDINGS + (index % MAX_FINDINGS) * FINDING_WORDS;

/** The statuses of contexts and the findings: from the first word to before the second. */
export const LASTING: readonly [start: number, end: number] = [CONTEXT_STATUS, FIRST_SLOT];

/** Whether a count has reached another one; counts wrap at 32 bits. */
export const reached = (count: number, wanted: number): boolean => ((count - wanted) | 0) >= 0;
