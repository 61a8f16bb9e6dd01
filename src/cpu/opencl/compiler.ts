import type { OpenCLRequest } from '../compiler/opencl/request.ts';
import type { CompileAnswer } from '../compiler/request.ts';
import type { Versioned } from './answer.ts';

/** The options of a compilation, parsed. */
export interface OpenCLOptions {
  /** `CL1.2` */
  readonly standard: string;
  readonly flags: readonly string[];
  /** Folders for `#include`. */
  readonly includes: readonly string[];
  /** The result of the link is a library. */
  readonly library: boolean;
  /** Messages for unknown options. */
  readonly errors: readonly string[];
}

/** The embedded compiler's part of OpenCL, blocking and not. */
export interface OpenCLCompiler {
  /** A part of the cache key: everything that affects a compilation besides source and options. */
  readonly version: () => string;
  /** Whether a compiler is installed; without one, only programs from binaries run. */
  readonly available: () => boolean;
  /** Extensions of the language. */
  readonly extensions: readonly string[];
  /** `__opencl_c_…` */
  readonly features: readonly string[];
  readonly options: (text: string) => OpenCLOptions;
  readonly compile: (request: OpenCLRequest) => CompileAnswer;
  readonly compileLater: (request: OpenCLRequest) => Promise<CompileAnswer>;
}

/** Features with versions. */
export function versioned(names: readonly string[], version: number): Versioned[] {
  return names.map((name) => ({ name, version }));
}

/** Whether programs built with these options have no work-groups that are smaller at the ends. */
export function isUniform({ standard, flags }: OpenCLOptions): boolean {
  return standard.startsWith('CL1.') || flags.includes('-cl-uniform-work-group-size');
}
