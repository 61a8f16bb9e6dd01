import { runAll, type CpuExecNode } from './graph-store.ts';
import type { CpuStream } from './objects.ts';
import type { DriverState } from './state.ts';
import { ahead, setTails } from './stream-order.ts';

/** The flag of a stream that does not wait for the legacy default stream. */
const NON_BLOCKING = 1;

/** Enqueue the nodes of an executable graph on a stream: a status. Nodes that do not wait for each other may run together. */
export function runGraph(state: DriverState, nodes: readonly CpuExecNode[], handle: bigint): number {
  const on = state.streamOf(Number(handle));
  if (!on || isChain(nodes)) {
    return runAll(
      nodes.filter(({ enabled }) => enabled).map(({ step }) => step),
      handle,
    );
  }
  const { context } = on;
  const branch: CpuStream = {
    handle: state.newHandle(),
    context,
    flags: NON_BLOCKING,
    priority: 0,
    tails: [],
    listed: false,
  };
  state.streams.set(branch.handle, branch);
  try {
    return runBranches(nodes, on, branch);
  } finally {
    state.streams.delete(branch.handle);
  }
}

/** @param branch - the stream that each node finds, with the commands that the node waits for */
function runBranches(nodes: readonly CpuExecNode[], on: CpuStream, branch: CpuStream): number {
  const start = ahead(on).slice();
  const ends: (readonly number[])[] = [];
  const open = new Set<readonly number[]>();
  let status = 0;
  for (const { after, step, enabled } of nodes) {
    const before = after.map((i) => ends[i] ?? []);
    branch.tails = union(before.length === 0 ? [start] : before);
    if (enabled) status = step(BigInt(branch.handle));
    const end = branch.tails.slice();
    ends.push(end);
    for (const one of before) open.delete(one);
    open.add(end);
    if (status !== 0) break;
  }
  setTails(on, union(open.size === 0 ? [start] : open));
  return status;
}

function union(lists: Iterable<readonly number[]>): number[] {
  return [...new Set([...lists].flat())];
}

/** Whether each node waits for the one before. */
function isChain(nodes: readonly CpuExecNode[]): boolean {
  return nodes.every(({ after }, i) => (i === 0 ? after.length === 0 : after.length === 1 && after[0] === i - 1));
}
