import { LauncherError } from './errors.ts';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Some variables of a launcher are there and others are not. */
export class IncompleteError extends Error {
  readonly variable: string;

  constructor(message: string, variable: string) {
    super(message);
    this.variable = variable;
  }
}

const MAX_RANKS = 2 ** 24;
const MAX_PORT = 65535;

/** The variables of one launcher. An empty variable counts as unset, as in shells. */
export class Variables {
  readonly #env: Environment;
  /** For messages: `Slurm's srun`. */
  readonly #title: string;

  constructor(env: Environment, title: string) {
    this.#env = env;
    this.#title = title;
  }

  text(name: string): string | undefined {
    const value = this.#env[name];
    return value === '' ? undefined : value;
  }

  /** Whether one of them is set. */
  some(...names: readonly string[]): boolean {
    return names.some((name) => this.text(name) !== undefined);
  }

  /** The first of several names that is set, else the first one. */
  nameOf(first: string, ...others: readonly string[]): string {
    return [first, ...others].find((name) => this.text(name) !== undefined) ?? first;
  }

  /**
   * The value of a variable without which the launcher is not complete.
   *
   * @param advice - what to set, or how to start the program
   */
  required(name: string, advice: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw new IncompleteError(`${name} must be set for a job of ${this.#title}, but it is not: ${advice}`, name);
  }

  integer(name: string, min: number, max: number): number {
    const text = this.text(name) ?? '';
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw this.wrong(name, `must be an integer from ${min} to ${max}`);
  }

  /** The size of the job. */
  size(name: string): number {
    return this.integer(name, 1, MAX_RANKS);
  }

  /** A rank, below a size. */
  rank(name: string, sizeName: string, size: number): number {
    const rank = this.integer(name, 0, MAX_RANKS);
    if (rank < size) return rank;
    throw this.wrong(name, `must be less than ${sizeName}, which is ${size}`);
  }

  /** The number of ranks on this machine, where it is told, and that of this one among them. */
  local(rankName: string, sizeName: string | undefined, size: number): Local {
    if (sizeName === undefined || this.text(sizeName) === undefined) {
      return { localRank: this.rank(rankName, 'the number of ranks', size), localSize: undefined };
    }
    const localSize = this.size(sizeName);
    if (localSize > size) throw this.wrong(sizeName, `must be at most the number of ranks, which is ${size}`);
    return { localRank: this.rank(rankName, sizeName, localSize), localSize };
  }

  port(name: string): number {
    return this.integer(name, 1, MAX_PORT);
  }

  /** A variable with a value that it cannot have. */
  wrong(name: string, expectation: string): LauncherError {
    const value = this.text(name) ?? '';
    const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
    const advice = `it comes from ${this.#title}: start the program with it, or unset its variables`;
    return new LauncherError(`${name} ${expectation}, got '${shown}'; ${advice}`, name);
  }
}

/** A rank's place on its machine. */
export interface Local {
  readonly localRank: number;
  readonly localSize: number | undefined;
}

/** The first port of the range that is computed from a job's number: above the ports that systems give to clients. */
const FIRST_JOB_PORT = 61440;
const JOB_PORTS = 4096;

/** The port of a job that has only a number: JAX's rule, so that jobs of one machine have different ones. */
export function portOfJob(job: number): number {
  return FIRST_JOB_PORT + (job % JOB_PORTS);
}

/** torch's port, where nothing tells one job from another. */
export const DEFAULT_PORT = 29500;
