import { LauncherError } from './errors.ts';
import type { Launcher } from './launcher.ts';
import { readMpich } from './mpich.ts';
import { readOpenMpi } from './open-mpi.ts';
import { readSlurm } from './slurm.ts';
import { readTorchrun } from './torchrun.ts';
import { IncompleteError, type Environment } from './variables.ts';

/** Readers in the order of the reference; each returns undefined where its launcher has set nothing. */
const READERS: readonly ((env: Environment) => Launcher | undefined)[] = [
  readTorchrun,
  readSlurm,
  readOpenMpi,
  readMpich,
];

/**
 * Read which rank of which job this process is: by the variables of torchrun (and `npx rawkernel launch`), Slurm, Open
 * MPI, or MPICH and its relatives. The first one whose variables are complete counts.
 *
 * @param env - the variables, `process.env` by default
 * @throws {@link LauncherError} there is none, one is not complete, or its variables contradict each other
 */
export function readLauncher(env: Environment = process.env): Launcher {
  const found = findLauncher(env);
  if (found !== undefined) return found;
  throw new LauncherError(NOTHING);
}

/**
 * The same; undefined where no launcher has set a variable.
 *
 * @throws {@link LauncherError} as {@link readLauncher}
 */
export function findLauncher(env: Environment = process.env): Launcher | undefined {
  let first: LauncherError | undefined;
  for (const read of READERS) {
    try {
      const found = read(env);
      if (found !== undefined) return found;
    } catch (error) {
      // A variable that a user's shell has by chance, such as RANK, does not hide a launcher that is complete. One with a
      // wrong value does not give way: another launcher's answer would be about another job.
      if (!(error instanceof IncompleteError)) throw error;
      first ??= new LauncherError(error.message, error.variable);
    }
  }
  if (first === undefined) return undefined;
  throw first;
}

const NOTHING =
  'This process is not part of a job: no variable of a launcher is set\n' +
  'Start it with npx rawkernel launch -n 4 program.ts, torchrun, srun or mpirun, or set RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT.\n' +
  'Communicator.fromEnvironment({ alone: true }) is a job of one rank then';
