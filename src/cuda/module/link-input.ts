import type { ProgramKind } from '../compiler/program-parts.ts';
import type { Program } from './program.ts';

/** What can be linked. */
export type LinkableKind = Exclude<ProgramKind, 'optixir'>;

/** One thing to link. */
export interface LinkInput {
  readonly name: string;
  readonly program: Program;
}

/** What a linker made. */
export interface Linked {
  readonly code: Uint8Array;
  readonly arch: string;
  readonly log: string;
}
