import { type DeviceName, type HalfName } from './halves.ts';

/** What a child is to do. */
export interface Job {
  readonly half: HalfName;
  readonly device: DeviceName;
  readonly realGpu: boolean;
  /** Call what is not declared, too: an internal member may answer in anybody's words, but must not end the process. */
  readonly internals: boolean;
  readonly seed: number;
  /** The number of its first sequence. */
  readonly first: number;
  readonly calls: number;
  readonly perSequence: number;
  /** The file that it writes its calls to. */
  readonly log: string;
  /** A file with the half's declarations. */
  readonly model: string;
  /** A file with calls to make instead. */
  readonly replay?: string;
}
