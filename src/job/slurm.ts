import type { Launcher } from './launcher.ts';
import { expandNodeList } from './node-list.ts';
import { portOfJob, Variables, type Environment } from './variables.ts';

/** Slurm's srun: https://slurm.schedmd.com/srun.html, "OUTPUT ENVIRONMENT VARIABLES". */
export function readSlurm(env: Environment): Launcher | undefined {
  const variables = new Variables(env, "Slurm's srun");
  if (!variables.some('SLURM_PROCID')) return undefined;
  // mpirun and mpiexec start one daemon a node by srun, and ranks inherit the daemon's place in that step.
  if (variables.some('OMPI_COMM_WORLD_RANK', 'MPI_LOCALRANKID')) return undefined;
  const advice = 'start the program with srun; a batch script itself is not one of the tasks';
  const sizeName = variables.nameOf('SLURM_STEP_NUM_TASKS', 'SLURM_NTASKS');
  for (const name of [sizeName, 'SLURM_LOCALID', 'SLURM_STEP_NODELIST']) variables.required(name, advice);
  const size = variables.size(sizeName);
  const localSize = localSizeOf(variables, size);
  const localRank = variables.rank('SLURM_LOCALID', 'the number of tasks on the node', localSize ?? size);
  return {
    launcher: 'slurm',
    rank: variables.rank('SLURM_PROCID', sizeName, size),
    size,
    localRank,
    localSize,
    address: variables.text('MASTER_ADDR') ?? firstNode(variables),
    port: variables.some('MASTER_PORT') ? variables.port('MASTER_PORT') : portOfStep(variables),
    hosted: false,
    restart: variables.some('SLURM_RESTART_COUNT') ? variables.integer('SLURM_RESTART_COUNT', 0, 2 ** 31 - 1) : 0,
  };
}

function portOfStep(variables: Variables): number {
  const name = variables.nameOf('SLURM_JOB_ID', 'SLURM_JOBID');
  variables.required(name, 'start the program with srun, or set MASTER_PORT');
  return portOfJob(variables.integer(name, 0, Number.MAX_SAFE_INTEGER));
}

function firstNode(variables: Variables): string {
  const name = 'SLURM_STEP_NODELIST';
  const first = expandNodeList(variables.text(name) ?? '')?.[0];
  if (first === undefined) throw variables.wrong(name, 'must be a list of nodes, such as node[001-004],login1');
  return first;
}

/** From `SLURM_STEP_TASKS_PER_NODE`, such as `2(x3),1`: two tasks on each of three nodes, and one on the next. */
function localSizeOf(variables: Variables, size: number): number | undefined {
  const name = variables.nameOf('SLURM_STEP_TASKS_PER_NODE', 'SLURM_TASKS_PER_NODE');
  if (!variables.some(name) || !variables.some('SLURM_NODEID')) return undefined;
  const node = variables.integer('SLURM_NODEID', 0, size);
  let first = 0;
  for (const part of (variables.text(name) ?? '').split(',')) {
    const [, tasks, nodes = '1'] = /^(\d{1,8})(?:\(x(\d{1,8})\))?$/.exec(part) ?? [];
    if (tasks === undefined) throw variables.wrong(name, 'must be numbers of tasks, such as 2(x3),1');
    first += Number(nodes);
    if (node < first) return Math.min(Number(tasks), size);
  }
  throw variables.wrong('SLURM_NODEID', `must be less than the number of nodes in ${name}, which is ${first}`);
}
