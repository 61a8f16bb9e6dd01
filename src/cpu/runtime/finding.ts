import type { CpuProgram, CpuSite } from '../abi/program.ts';
import { Finding, findingBase, MAX_FINDINGS, MAX_GROUPS, Slot, Word } from './control.ts';
import { FaultKind } from './fault.ts';
import type { LaunchNote } from './launch-notes.ts';
import { locked } from './lock.ts';

/** A bit of the state of a thread that waits for other blocks. */
const HELD = 1 << 30;

/** The command that a thread runs now. */
export interface Running {
  program: number;
  kernel: number;
  context: number;
  firstBlock: number;
  /** Where its words are in the control block. */
  command: number;
  /** Findings are collected, and the kernel continues if it can. */
  report: boolean;
  /** Findings since the worker last took blocks. */
  findings: number;
}

/** The part of a finding that the worker's command does not tell. */
export interface FindingNote {
  readonly kind: number;
  readonly status: number;
  readonly address?: bigint | undefined;
  readonly detail?: bigint | undefined;
  readonly site?: number | undefined;
  readonly otherSite?: number | undefined;
  /** Linear indices. */
  readonly thread?: number | undefined;
  readonly block?: number | undefined;
  readonly other?: number | undefined;
  readonly reason?: number | undefined;
  /** Where the variable begins that it is about, and its number plus 1 in the upper half. */
  readonly base?: bigint | undefined;
  /** All of the memory, where `address` leads to the states of the threads of a block. */
  readonly states?: Uint32Array | undefined;
}

/** Threads of a block that wait at the same place. */
export interface WaitingGroup {
  /** The number of the place; undefined for threads that are done. */
  readonly site: number | undefined;
  readonly count: number;
  /** The first of them, as its linear index. */
  readonly first: number;
}

/** An access without peer access: the ordinals of the two devices, and what has the memory. */
export interface PeerAccess {
  readonly of: number;
  readonly memory: number;
  readonly owner: 'context' | 'module' | 'pool';
}

/** A fault or a finding of a kernel. */
export interface EngineFinding {
  /** A `FaultKind`. */
  readonly kind: number;
  /** The status that the finding gives its context. */
  readonly status: number;
  readonly address: bigint;
  /** A number whose meaning the kind gives. */
  readonly detail: bigint;
  /** The number of its place in the program's list, or -1. */
  readonly site: number;
  readonly place: CpuSite | undefined;
  readonly program: CpuProgram | undefined;
  /** The kernel's symbol. */
  readonly kernel: string | undefined;
  /** The engine's number of the context. */
  readonly context: number;
  /** The first of the blocks that the worker took at once; the finding's block is this one or one of the next few. */
  readonly firstBlock: number;
  /** Threads of a block, blocks of the grid. */
  readonly blockSize: readonly [number, number, number];
  readonly gridSize: readonly [number, number, number];
  /** The numbers of the grid's first block. */
  readonly gridFirst: readonly [number, number, number];
  /** Linear indices, where they are known. */
  readonly thread: number | undefined;
  readonly block: number | undefined;
  /** The place of another access or of other threads. */
  readonly otherPlace: CpuSite | undefined;
  /** The thread or the block of that one, as far as the kind has one. */
  readonly other: number;
  /** How often it was found. */
  readonly count: number;
  /** A `Reason`. */
  readonly reason: number;
  readonly groups: readonly WaitingGroup[];
  /** Where the variable begins that it is about; 0 where that is not known. */
  readonly base: number;
  /** The number of that variable in the program's list, or -1. */
  readonly object: number;
  /** Where the words of the launch were. */
  readonly command: number;
  /** The note of the launch. */
  readonly launch?: LaunchNote | undefined;
  /** Of an access without peer access. */
  readonly peer?: PeerAccess | undefined;
  /** The seed of a drawn order of threads and blocks; undefined for the plain order. */
  readonly order?: number | undefined;
}

/**
 * Note a finding for the main thread. A finding with the same kind, places, kernel and context as an earlier one only
 * adds to its count. While the list is full, later findings are dropped.
 */
export function noteFinding(control: Int32Array, running: Running, note: FindingNote): void {
  locked(control, Word.FAULT_LOCK, () => {
    const count = Atomics.load(control, Word.FAULTS);
    const site = note.site ?? -1;
    const otherSite = note.otherSite === undefined ? 0 : note.otherSite + 1;
    for (let i = 0; i < count; i++) {
      const base = findingBase(i);
      if (
        control[base + Finding.KIND] === note.kind &&
        control[base + Finding.SITE] === site &&
        control[base + Finding.OTHER_SITE] === otherSite &&
        control[base + Finding.PROGRAM] === running.program &&
        control[base + Finding.KERNEL] === running.kernel &&
        control[base + Finding.CONTEXT] === running.context &&
        site >= 0
      ) {
        control[base + Finding.COUNT] = (control[base + Finding.COUNT] as number) + 1;
        return;
      }
    }
    if (count >= MAX_FINDINGS) return;
    const base = findingBase(count);
    const { address = 0n, detail = 0n } = note;
    control[base + Finding.KIND] = note.kind;
    control[base + Finding.STATUS] = note.status;
    control[base + Finding.ADDRESS] = Number(BigInt.asIntN(32, address));
    control[base + Finding.ADDRESS + 1] = Number(BigInt.asIntN(32, address >> 32n));
    control[base + Finding.DETAIL] = Number(BigInt.asIntN(32, detail));
    control[base + Finding.DETAIL + 1] = Number(BigInt.asIntN(32, detail >> 32n));
    control[base + Finding.SITE] = site;
    control[base + Finding.PROGRAM] = running.program;
    control[base + Finding.KERNEL] = running.kernel;
    control[base + Finding.CONTEXT] = running.context;
    control[base + Finding.FIRST_BLOCK] = running.firstBlock;
    for (let i = 0; i < 3; i++) {
      control[base + Finding.BLOCK + i] = control[running.command + Slot.BLOCK + i] as number;
      control[base + Finding.GRID + i] = control[running.command + Slot.GRID + i] as number;
      control[base + Finding.GRID_FIRST + i] = control[running.command + Slot.FIRST_BLOCK + i] as number;
    }
    control[base + Finding.THREAD] = (note.thread ?? -1) + 1;
    control[base + Finding.THREAD_BLOCK] = (note.block ?? -1) + 1;
    control[base + Finding.OTHER_SITE] = otherSite;
    control[base + Finding.OTHER] = note.other ?? 0;
    control[base + Finding.COUNT] = 1;
    control[base + Finding.REASON] = note.reason ?? 0;
    control[base + Finding.BASE] = Number(BigInt.asIntN(32, note.base ?? 0n));
    control[base + Finding.OBJECT] = Number(BigInt.asIntN(32, (note.base ?? 0n) >> 32n));
    // The note of a launch is about the host's own.
    const isChild = control[running.command + Slot.CHILD] !== 0;
    control[base + Finding.COMMAND] = isChild ? -1 : running.command;
    noteGroups(control, base, note);
    Atomics.store(control, Word.FAULTS, count + 1);
  });
}

/**
 * Note the groups of threads by the barriers at which they wait. The state of a thread is twice the number of its
 * barrier, or 0 for an ended thread. For a deadlock only the threads of one warp are noted.
 */
function noteGroups(control: Int32Array, base: number, note: FindingNote): void {
  const { states, address = 0n, site = 0, thread = 0, kind } = note;
  control.fill(0, base + Finding.GROUPS, base + Finding.GROUPS + 3 * MAX_GROUPS);
  if (!states || address === 0n) return;
  const at = Number(address) / 4;
  const size = (i: number): number => control[base + Finding.BLOCK + i] as number;
  const threads = size(0) * size(1) * size(2);
  // The sites of a kernel's barriers have consecutive numbers, like the barriers.
  const firstSite = site - (((states[at + thread] as number) & ~HELD) >> 1) + 1;
  const groups = new Map<number, number>();
  const [start, end] = kind === FaultKind.WARP_DEADLOCK ? [thread & ~31, (thread | 31) + 1] : [0, threads];
  for (let i = start; i < Math.min(end, threads); i++) {
    const state = ((states[at + i] as number) & ~HELD) >> 1;
    let group = groups.get(state);
    if (group === undefined) {
      if (groups.size === MAX_GROUPS) continue;
      group = base + Finding.GROUPS + 3 * groups.size;
      groups.set(state, group);
      control[group] = state === 0 ? 0 : firstSite + state;
      control[group + 2] = i;
    }
    control[group + 1] = (control[group + 1] as number) + 1;
  }
}

/** Take the findings out of the control block. */
export function takeFindings(
  control: Int32Array,
  programOf: (id: number) => CpuProgram | undefined,
): readonly EngineFinding[] {
  if (Atomics.load(control, Word.FAULTS) === 0) return [];
  return locked(control, Word.FAULT_LOCK, () => {
    const count = Atomics.load(control, Word.FAULTS);
    const findings = Array.from({ length: count }, (_, i) => readFinding(control, findingBase(i), programOf));
    Atomics.store(control, Word.FAULTS, 0);
    return findings;
  });
}

function readFinding(
  control: Int32Array,
  base: number,
  programOf: (id: number) => CpuProgram | undefined,
): EngineFinding {
  const word = (at: number): number => control[base + at] as number;
  const size = (at: number): [number, number, number] => [word(at), word(at + 1), word(at + 2)];
  const orNone = (value: number): number | undefined => (value === 0 ? undefined : value - 1);
  const program = programOf(word(Finding.PROGRAM));
  const site = word(Finding.SITE);
  const groups: WaitingGroup[] = [];
  for (let i = 0; i < MAX_GROUPS; i++) {
    const at = Finding.GROUPS + 3 * i;
    if (word(at + 1) > 0) groups.push({ site: orNone(word(at)), count: word(at + 1), first: word(at + 2) });
  }
  return {
    kind: word(Finding.KIND),
    status: word(Finding.STATUS),
    address: wide(word(Finding.ADDRESS), word(Finding.ADDRESS + 1)),
    detail: wide(word(Finding.DETAIL), word(Finding.DETAIL + 1)),
    site,
    place: program?.sites[site],
    program,
    kernel: program?.kernels[word(Finding.KERNEL)]?.symbol,
    context: word(Finding.CONTEXT),
    firstBlock: word(Finding.FIRST_BLOCK) >>> 0,
    blockSize: size(Finding.BLOCK),
    gridSize: size(Finding.GRID),
    gridFirst: size(Finding.GRID_FIRST),
    thread: orNone(word(Finding.THREAD)),
    block: orNone(word(Finding.THREAD_BLOCK)),
    otherPlace: program?.sites[word(Finding.OTHER_SITE) - 1],
    other: word(Finding.OTHER),
    count: word(Finding.COUNT),
    reason: word(Finding.REASON),
    groups,
    base: word(Finding.BASE) >>> 0,
    object: word(Finding.OBJECT) - 1,
    command: word(Finding.COMMAND),
  };
}

function wide(low: number, high: number): bigint {
  return BigInt.asUintN(64, (BigInt(high) << 32n) | BigInt(low >>> 0));
}
