import type { CpuProgram } from '../abi/program.ts';

/** One compilation of CUDA C++ for the embedded device. */
export interface CompileRequest {
  readonly source: string;
  /** The source's name in messages. */
  readonly file: string;
  /** Options in NVRTC's style, without those that name include folders. */
  readonly options: readonly string[];
  /** Name expressions: template instances, overloads, variables. */
  readonly expressions: readonly string[];
  /** Folders for `#include`. */
  readonly includes: readonly string[];
  /** The checks of the checked mode to insert. */
  readonly checked: CpuProgram['checked'];
  /** Threads run in any order, and stop between a read and the code after it. */
  readonly shuffled?: boolean;
  /** The process has several devices, whose memory kernels of others may not touch. */
  readonly peers?: boolean;
  /** Relocatable programs, which are linked; the source is empty then. */
  readonly objects?: readonly LinkObject[];
}

/** A relocatable program in a link. */
export interface LinkObject {
  /** In messages. */
  readonly name: string;
  readonly source: string;
  readonly file: string;
  /** LLVM's text of it. */
  readonly text: string;
}

/** The result of a compilation: a program, or a log with errors. */
export interface CompileAnswer {
  readonly program?: CpuProgram | undefined;
  /** A program that is not linked yet, where that was asked for. */
  readonly object?: Uint8Array | undefined;
  /** The options were not understood, and nothing was compiled. */
  readonly refused?: boolean;
  /** The compiler's messages, with the user's line numbers. */
  readonly log: string;
}
