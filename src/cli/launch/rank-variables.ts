import type { JobStore, Nodes } from './nodes.ts';
import type { LaunchPlan } from './plan.ts';

/** A rank to be started. */
export interface RankPlace {
  readonly plan: LaunchPlan;
  readonly nodes: Nodes;
  readonly job: JobStore;
  readonly localRank: number;
  readonly attempt: number;
}

/** The variables of a rank, under torchrun's names; all others are the launcher's own. */
export function rankVariables({ plan, nodes, job, localRank, attempt }: RankPlace): Readonly<Record<string, string>> {
  const { devices, token, processes } = plan;
  return {
    RANK: String(nodes.offset + localRank),
    WORLD_SIZE: String(nodes.size),
    LOCAL_RANK: String(localRank),
    LOCAL_WORLD_SIZE: String(processes),
    GROUP_RANK: String(nodes.node),
    GROUP_WORLD_SIZE: String(nodes.nodes),
    MASTER_ADDR: job.address,
    MASTER_PORT: String(job.port),
    TORCHELASTIC_RESTART_COUNT: String(attempt),
    RAWKERNEL_RESTART: String(attempt),
    RAWKERNEL_JOB_STORE: 'launcher',
    RAWKERNEL_JOB_TOKEN: token,
    ...(devices === undefined ? {} : { CUDA_VISIBLE_DEVICES: devices }),
  };
}
