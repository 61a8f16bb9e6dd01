import type { Launcher } from './launcher.ts';
import { DEFAULT_PORT, portOfJob, Variables, type Environment } from './variables.ts';

const PREFIX = 'OMPI_COMM_WORLD_';
/** Open MPI 4 only: the job's number and mpirun's addresses, `1531576320.0;tcp://10.96.0.1,10.148.0.1:34911`. */
const URI = 'OMPI_MCA_orte_hnp_uri';

/** Open MPI 4 and 5: https://docs.open-mpi.org/en/v5.0.x/tuning-apps/environment-var.html */
export function readOpenMpi(env: Environment): Launcher | undefined {
  const variables = new Variables(env, "Open MPI's mpirun");
  const [rank, size, localRank, localSize] = ['RANK', 'SIZE', 'LOCAL_RANK', 'LOCAL_SIZE'].map((name) => PREFIX + name);
  if (rank === undefined || size === undefined || localRank === undefined) return undefined;
  if (!variables.some(rank)) return undefined;
  for (const name of [size, localRank]) variables.required(name, 'start the program with mpirun');
  const ranks = variables.size(size);
  const local = variables.local(localRank, localSize, ranks);
  return {
    launcher: 'openmpi',
    rank: variables.rank(rank, size, ranks),
    size: ranks,
    ...local,
    address: addressOf(variables, local.localSize === ranks),
    port: variables.some('MASTER_PORT') ? variables.port('MASTER_PORT') : portOf(variables),
    hosted: false,
    restart: 0,
  };
}

function addressOf(variables: Variables, isOneMachine: boolean): string {
  const given = variables.text('MASTER_ADDR');
  if (given !== undefined) return given;
  if (isOneMachine) return '127.0.0.1';
  const [, v4, v6] = /(?:tcp:\/\/([^,:]+)|tcp6:\/\/\[([^,\]]+))/.exec(variables.text(URI) ?? '') ?? [];
  return v4 ?? v6 ?? variables.required('MASTER_ADDR', 'set it to the host of rank 0: mpirun -x MASTER_ADDR=host …');
}

/** Open MPI 5 has no number, but a name for each job: `prterun-host-1234@1`. */
function portOf(variables: Variables): number {
  const [, job] = /^(\d{1,15})\./.exec(variables.text(URI) ?? '') ?? [];
  if (job !== undefined) return portOfJob(Number(job));
  const name = variables.text('PMIX_NAMESPACE');
  return name === undefined ? DEFAULT_PORT : portOfJob(hash(name));
}

/** FNV-1a, of 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
