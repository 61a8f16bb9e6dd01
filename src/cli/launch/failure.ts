/** Why a job, or an attempt at it, has failed. */
export interface Failure {
  /** Undefined where it was not a rank. */
  readonly rank: number | undefined;
  /** `exit code 3`, `signal SIGKILL`, `time-out`. */
  readonly how: string;
  readonly seconds: number;
  readonly exitCode: number;
  /** What the rank has printed last. */
  readonly lines: readonly string[];
  /** The job is not started again. */
  readonly isFinal: boolean;
}

/** A failure that was not one of a rank. */
export function otherFailure(how: string, exitCode: number, seconds = 0): Failure {
  return { rank: undefined, how, seconds, exitCode, lines: [], isFinal: true };
}

/** A failure for people. */
export function tellFailure({ rank, how, seconds, lines }: Failure, size: number): string {
  if (rank === undefined) return how;
  const head = `rank ${rank} of ${size} failed first: ${how} after ${seconds.toFixed(1)} s`;
  return lines.length === 0 ? `${head}; it had printed nothing` : `${head}\nIts last lines:\n${indented(lines)}`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
