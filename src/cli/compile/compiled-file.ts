import type { SourceFlags } from '../source-file.ts';
import type { KernelRow } from './kernel-row.ts';

/** The options of `rawkernel compile`. */
export interface CompileOptions extends SourceFlags {
  readonly ptx?: boolean;
  readonly cubin?: boolean;
  readonly ltoIr?: boolean;
  readonly wasm?: boolean;
  readonly binary?: boolean;
  readonly output?: string;
  readonly arch?: string;
  readonly device?: string;
  /** Instances of templates to compile. */
  readonly names?: readonly string[];
  readonly json?: boolean;
}

/** The result of a compilation. */
export interface CompiledFile {
  /** `sm_90`, or the OpenCL device. */
  readonly target: string;
  /** Undefined where nothing was asked for. */
  readonly code: Uint8Array | undefined;
  readonly kernels: readonly KernelRow[];
  readonly log: string;
}
