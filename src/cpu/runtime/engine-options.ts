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

/** Launches of so few threads tend to end before another worker has started. */
const LIGHT_THREADS = 4096;

/** The workers that a launch wants. Launches that kernels make are for all of them. */
export function crewOf(launches: boolean, cooperative: boolean, threads: number): Crew {
  if (launches) return 'all';
  return !cooperative && threads <= LIGHT_THREADS ? 'few' : 'parts';
}
