import { painter, type IO } from '../output.ts';
import { Attempt, type AttemptHost } from './attempt.ts';
import { tellFailure } from './failure.ts';
import { nodeFlags } from './node-flags.ts';
import { OneNode, type Nodes } from './nodes.ts';
import { readPlan, type LaunchOptions, type LaunchPlan } from './plan.ts';
import { Reaper } from './reaper.ts';
import { SeveralNodes } from './several-nodes.ts';
import { Signals } from './signals.ts';

/**
 * `rawkernel launch`: start the ranks of a job, and end with them.
 *
 * @returns the exit code: that of the first rank that fails
 */
export async function launch(args: readonly string[], options: LaunchOptions, io: IO): Promise<number> {
  const plan = readPlan(args, options, io.env);
  const flags = nodeFlags(plan.program);
  const endMs = plan.timeoutMs === undefined ? undefined : performance.now() + plan.timeoutMs;
  const signals = new Signals();
  const reaper = new Reaper();
  let nodes: Nodes | undefined;
  try {
    nodes = await nodesOf(plan);
    return await attempts({ plan, nodes, flags, reaper, signals, io, endMs });
  } finally {
    await nodes?.close();
    signals.close();
    reaper.close();
  }
}

function nodesOf(plan: LaunchPlan): Promise<Nodes> {
  const { rendezvous, processes, restarts, token } = plan;
  if (rendezvous) return SeveralNodes.join(plan, rendezvous);
  return Promise.resolve(new OneNode(processes, restarts, token));
}

async function attempts(host: AttemptHost): Promise<number> {
  const { nodes, io } = host;
  const paint = painter(io.stderr, io.env);
  for (let number = 0; ; number++) {
    const failure = await new Attempt(host, number).run();
    if (failure === undefined) return 0;
    io.stderr.write(`${paint('red', 'error:')} ${tellFailure(failure, nodes.size)}\n`);
    if (failure.isFinal || number >= nodes.restarts) return failure.exitCode;
    io.stderr.write(`rawkernel launch: starting again, attempt ${number + 2} of ${nodes.restarts + 1}\n`);
  }
}
