import type { CpuProgram } from '../../abi/program.ts';

/** One compilation of OpenCL C for the embedded device, or a link of earlier ones. */
export interface OpenCLRequest {
  readonly language: 'opencl';
  /** Empty when objects are linked. */
  readonly source: string;
  /** The source's name in messages. */
  readonly file: string;
  /** The options of clBuildProgram, clCompileProgram or clLinkProgram. */
  readonly options: string;
  /** Headers by the name under which `#include` finds them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Objects of earlier compilations, for a link. */
  readonly objects: readonly Uint8Array[];
  /** An object is a program that is not linked yet. */
  readonly result: 'program' | 'object';
  /** The checks of the checked mode to insert. */
  readonly checked: CpuProgram['checked'];
  /** Threads run in any order, and stop between a read and the code after it. */
  readonly shuffled?: boolean;
}
