import type { CompileLimits } from '../../core/compile-scope.ts';
import type { Device } from '../device/device.ts';
import type { ProgramBase } from './program-base.ts';

/** How a program is built. */
export interface BuildSettings extends CompileLimits {
  /** Default: all of the context's. */
  readonly devices?: readonly Device[];
  /** Whether the binaries are kept on disk and found there. Default: true */
  readonly cache?: boolean;
}

/** How a program is compiled without being linked. */
export interface CompileSettings extends CompileLimits {
  /** Default: all of the context's. */
  readonly devices?: readonly Device[];
  /** The headers by the names after `#include`: programs that need not be built, or texts. */
  readonly headers?: Readonly<Record<string, ProgramBase | string>>;
}
