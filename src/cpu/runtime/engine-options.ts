import type { EngineFinding } from './finding.ts';

/** The options of an engine. */
export interface EngineOptions {
  readonly workers: number;
  /** The time limit of a kernel in milliseconds; 0 is no limit. */
  readonly timeoutMs: number;
  /** Called with each finding. */
  readonly found: (finding: EngineFinding) => void;
}

/** Which workers a command is for: as many as it has shares for, all, or perhaps only those that have started. */
export type Crew = 'parts' | 'all' | 'few';
