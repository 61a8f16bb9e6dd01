import type { OpenCLRequest } from '../compiler/opencl/request.ts';
import type { CompileAnswer } from '../compiler/request.ts';
import type { Versioned } from './answer.ts';

/** What is to be known of options before anything is compiled. */
export interface OpenCLOptions {
  /** `CL1.2` */
  readonly standard: string;
  readonly flags: readonly string[];
  /** Folders for `#include`. */
  readonly includes: readonly string[];
  /** The link's result is to be linked again. */
  readonly library: boolean;
  /** Messages for options that nobody knows. */
  readonly errors: readonly string[];
}

/** The embedded compiler's part of OpenCL, blocking and not. */
export interface OpenCLCompiler {
  /** Decides, besides source and options, what comes of a compilation. */
  readonly version: () => string;
  /** Whether there is one at all; without it, programs from binaries run. */
  readonly available: () => boolean;
  /** Extensions of the language. */
  readonly extensions: readonly string[];
  /** `__opencl_c_…` */
  readonly features: readonly string[];
  readonly options: (text: string) => OpenCLOptions;
  readonly compile: (request: OpenCLRequest) => CompileAnswer;
  readonly compileLater: (request: OpenCLRequest) => Promise<CompileAnswer>;
}

/** What a compilation can use, with versions. */
export function versioned(names: readonly string[], version: number): Versioned[] {
  return names.map((name) => ({ name, version }));
}

/** Whether programs built with these options have no work-groups that are smaller at the ends. */
export function isUniform({ standard, flags }: OpenCLOptions): boolean {
  return standard.startsWith('CL1.') || flags.includes('-cl-uniform-work-group-size');
}
