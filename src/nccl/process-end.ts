/**
 * What is done at the end of a process by itself or by `process.exit()`, in this order: calls are waited for before the other ranks
 * hear that this one has ended, and both come before the job's store says goodbye.
 */
type Stage = 'calls' | 'exchanges';

/** The end of a process, which may come twice: the program has nothing more to do, and nothing more of it runs. */
interface ProcessEnd {
  readonly isExit: boolean;
  /** Whether it exits with a failure. */
  readonly hasFailed: boolean;
}

export type Ending = (end: ProcessEnd) => void;

const endings: Readonly<Record<Stage, Set<Ending>>> = { calls: new Set(), exchanges: new Set() };
let isWatching = false;

/**
 * Have a function called when the process ends.
 *
 * @returns takes it back
 */
export function atProcessEnd(stage: Stage, ending: Ending): () => void {
  endings[stage].add(ending);
  if (!isWatching) {
    isWatching = true;
    process.prependListener('beforeExit', () => endAll({ isExit: false, hasFailed: false }));
    process.prependListener('exit', (code) => endAll({ isExit: true, hasFailed: code !== 0 }));
  }
  return () => void endings[stage].delete(ending);
}

function endAll(end: ProcessEnd): void {
  for (const stage of [endings.calls, endings.exchanges]) for (const ending of [...stage]) ending(end);
}
