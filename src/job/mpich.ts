import type { Launcher } from './launcher.ts';
import { DEFAULT_PORT, Variables, type Environment } from './variables.ts';

/** MPICH's Hydra, Intel MPI and Cray's PALS: PMI_RANK and PMI_SIZE, and the local rank under a name of each. */
export function readMpich(env: Environment): Launcher | undefined {
  const variables = new Variables(env, "MPICH's mpiexec");
  if (!variables.some('PMI_RANK', 'PALS_RANKID')) return undefined;
  const rankName = variables.nameOf('PMI_RANK', 'PALS_RANKID');
  const localName = variables.nameOf('MPI_LOCALRANKID', 'PALS_LOCAL_RANKID', 'PMI_LOCAL_RANK');
  for (const name of ['PMI_SIZE', localName]) variables.required(name, 'start the program with mpiexec');
  const size = variables.size('PMI_SIZE');
  const local = variables.local(localName, variables.nameOf('MPI_LOCALNRANKS', 'PMI_LOCAL_SIZE'), size);
  // It does not tell where rank 0 is, unless all ranks are on one machine.
  const address = variables.text('MASTER_ADDR') ?? (local.localSize === size ? '127.0.0.1' : undefined);
  return {
    launcher: 'mpich',
    rank: variables.rank(rankName, 'PMI_SIZE', size),
    size,
    ...local,
    address:
      address ?? variables.required('MASTER_ADDR', 'set it to the host of rank 0: mpiexec -genv MASTER_ADDR host …'),
    port: variables.some('MASTER_PORT') ? variables.port('MASTER_PORT') : DEFAULT_PORT,
    hosted: false,
    restart: 0,
  };
}
