import type { PchStatus } from './precompiled-header.ts';

/** One run of a compiler. */
export interface CompileTask {
  readonly source: string;
  readonly file: string;
  readonly target: string;
  /** Folders for `#include`. They are among the options too. */
  readonly folders: readonly string[];
  readonly options: readonly string[];
  readonly expressions: readonly string[];
  readonly output: CodeOutput;
}

/** What a compiler made. */
export interface Compiled {
  /** A cubin, PTX with its NUL, or what was asked for instead. */
  readonly code: Uint8Array;
  /** Empty beside LTO IR and OptiX IR. */
  readonly ptx: string;
  /** What it was compiled for: `sm_90` as machine code, `compute_90` as PTX. */
  readonly target: string;
  /** The symbol of each name expression. */
  readonly lowered: Readonly<Record<string, string>>;
  readonly log: string;
  /** What became of a precompiled header; undefined where none was wanted, or the compiler did not run. */
  readonly pch?: PchStatus | undefined;
}

/** Machine code or PTX as the target says, or another form of the program. */
export type CodeOutput = 'code' | 'ltoir' | 'optixir';
