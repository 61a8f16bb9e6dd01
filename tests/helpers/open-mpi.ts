import { spawnSync } from 'node:child_process';

const isOpenMpi = (name: string): boolean => {
  const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('Open MPI');
};

/** Debian has the commands of Open MPI and of MPICH under names of their own; elsewhere `mpirun` is one of them. */
export const openMpi: string = ['mpirun.openmpi', 'mpirun'].find(isOpenMpi) ?? 'mpirun.openmpi';

/** It refuses root, and more ranks than cores, without these. */
export const OPEN_MPI_FLAGS: readonly string[] = ['--allow-run-as-root', '--oversubscribe'];
