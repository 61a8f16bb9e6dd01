/** A process's place in a job, as its launcher tells it. */
export interface Launcher {
  /** `'torchrun'` is `npx rawkernel launch`, too. */
  readonly launcher: 'torchrun' | 'slurm' | 'openmpi' | 'mpich';
  /** 0 to size - 1. */
  readonly rank: number;
  /** The number of processes of the job. */
  readonly size: number;
  /** The number of this process among those of its machine, from 0. */
  readonly localRank: number;
  /** The number of processes on this machine; undefined where the launcher does not tell. */
  readonly localSize: number | undefined;
  /** The host of rank 0, or of the launcher. */
  readonly address: string;
  /** The port of the store. */
  readonly port: number;
  /** Whether the launcher hosts the store at the address. Elsewhere rank 0 does. */
  readonly hosted: boolean;
  /** How many times the launcher has started the job again. */
  readonly restart: number;
}
