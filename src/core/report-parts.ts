/** What a check found. */
export type ReportKind =
  | 'out-of-bounds'
  | 'use-after-free'
  | 'null-dereference'
  | 'misaligned'
  | 'uninitialised-read'
  | 'invalid-shift'
  | 'missing-return'
  | 'texture-misuse'
  | 'no-peer-access'
  | 'shared-race'
  | 'global-race'
  | 'divergent-barrier'
  | 'warp-deadlock'
  | 'assertion'
  | 'trap'
  | 'timeout';

/** A place in a kernel's source. */
export interface ReportPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column?: number | undefined;
  readonly function: string;
  /** Where the function was called from, if the compiler put its code there. */
  readonly inlinedAt?: ReportPlace | undefined;
}

/** What a thread did with memory. */
export type ReportAccess = 'read' | 'write' | 'atomic';

/** Another thread, block or group of threads that is part of a report. */
export interface ReportOther {
  /** In words: `thread (1, 0, 0) writes the same`. */
  readonly what: string;
  readonly place?: ReportPlace | undefined;
  /** The thread, of several the first one; undefined where it is not known. */
  readonly thread?: ReportIndex | undefined;
  readonly block?: ReportIndex | undefined;
  readonly access?: ReportAccess | undefined;
  /** How many threads it stands for. */
  readonly threads?: number | undefined;
}

/** An index of a thread or a block: x, y, z. */
export type ReportIndex = readonly [x: number, y: number, z: number];
