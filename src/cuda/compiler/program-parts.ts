import type { Declaration } from '../../core/signature.ts';
import type { PchStatus } from './precompiled-header.ts';

/** What a program's code is. Linking takes all but `'optixir'`; a module loads `'cubin'`, `'ptx'` and `'fatbin'`. */
export type ProgramKind = (typeof PROGRAM_KINDS)[number];

export const PROGRAM_KINDS = ['cubin', 'ptx', 'fatbin', 'ltoir', 'object', 'library', 'optixir'] as const;

/** What is known of a program. */
export interface ProgramParts {
  readonly kind: ProgramKind;
  readonly code: Uint8Array;
  /** `'sm_90'`, `'compute_90'`; empty where it is not known. */
  readonly arch: string;
  /** The symbol of each name expression. */
  readonly names: Readonly<Record<string, string>>;
  readonly ptx: string;
  readonly log: string;
  readonly pch?: PchStatus | undefined;
  readonly declarations: readonly Declaration[];
}
