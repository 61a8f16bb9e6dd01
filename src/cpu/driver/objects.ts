import type { CheckMode } from '../../core/check-mode.ts';
import type { CpuKernel } from '../abi/program.ts';
import type { SharedEvent } from '../ipc/shared-event.ts';
import type { ContextReports } from '../reports/context-reports.ts';
import type { Space } from '../runtime/granules.ts';
import type { Loaded } from '../runtime/loader.ts';

const DEFAULT_STACK = 1024;

/** An order of work. */
export interface CpuStream {
  readonly handle: number;
  readonly context: CpuContext;
  readonly flags: number;
  readonly priority: number;
  /** The commands that its next one waits for: its latest one, and those of other streams. */
  tails: number[];
  /** Whether it is among its context's {@link CpuContext.blocking}. */
  listed: boolean;
}

export interface CpuEvent {
  readonly context: CpuContext;
  readonly timed: boolean;
  /** The device address of its time stamp; for one that other processes may know, each record has another one. */
  readonly cell: number;
  readonly shared: SharedEvent | undefined;
  recorded: boolean;
  /** The command that records it; undefined when it was recorded at once. */
  last: number | undefined;
}

export interface CpuModule {
  readonly context: CpuContext;
  readonly loaded: Loaded | undefined;
  readonly functions: Map<string, CpuFunction>;
  /** Run when it is unloaded, before its memory is freed. */
  readonly ends: (() => void)[];
}

export interface CpuFunction {
  readonly handle: number;
  readonly module: CpuModule;
  readonly kernel: CpuKernel;
  readonly index: number;
  /** The program's number; undefined for a kernel that does nothing. */
  readonly program: number | undefined;
  dynamicShared: number;
  carveout: number;
}

/** A context with its objects and its latest commands. */
export class CpuContext {
  readonly handle: number;
  /** The number that commands name it by. */
  readonly index: number;
  /** The ordinal of its device. */
  readonly device: number;
  readonly primary: boolean;
  readonly flags: number;
  /** Its part of the memory. */
  readonly space: Space = { used: 0 };
  /** That of its modules: their variables are out of reach for peers (seen on two H200 with CUDA 13.0). */
  readonly moduleSpace: Space = { used: 0 };
  /** The contexts of other devices whose memory its kernels may reach. */
  readonly peers: Set<CpuContext> = new Set();
  readonly memory: Set<number> = new Set();
  /** Page-locked allocations, with their flags. */
  readonly hostMemory: Map<number, number> = new Map();
  /** Memory of other processes. */
  readonly imports: Set<number> = new Set();
  readonly streams: Set<CpuStream> = new Set();
  readonly events: Set<number> = new Set();
  readonly modules: Set<number> = new Set();
  readonly legacy: CpuStream;
  readonly perThread: CpuStream;
  alive = true;
  stackBytes: number = DEFAULT_STACK;
  cacheConfig = 0;
  /** The check mode of programs that are compiled while it is current. */
  check: CheckMode | undefined;
  /** The findings in its kernels. */
  readonly reports: ContextReports;
  /** Its latest command. */
  last: number | undefined;
  /** The streams with commands after the latest one of the legacy default stream, which waits for them. */
  blocking: CpuStream[] = [];

  constructor(
    handle: number,
    index: number,
    reports: ContextReports,
    { device, primary, flags }: Pick<CpuContext, 'device' | 'primary' | 'flags'>,
  ) {
    this.handle = handle;
    this.device = device;
    this.index = index;
    this.reports = reports;
    this.primary = primary;
    this.flags = flags;
    this.legacy = { handle: 1, context: this, flags: 0, priority: 0, tails: [], listed: false };
    this.perThread = { handle: 2, context: this, flags: 0, priority: 0, tails: [], listed: false };
  }
}

/** The state of managed memory: device ordinals, -1 for the host, -2 for nowhere. */
export interface ManagedRange {
  readMostly: boolean;
  preferred: number;
  prefetched: number;
  readonly accessedBy: Set<number>;
}

/** Registered host memory. */
export interface RegisteredRange {
  readonly context: CpuContext;
  readonly size: number;
  readonly flags: number;
}
