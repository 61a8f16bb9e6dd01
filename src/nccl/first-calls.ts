import { startThread } from '../core/package-thread.ts';
import { callError, threadCall as driverCall } from '../cuda/call.ts';
import { Context } from '../cuda/device/context.ts';
import { callOnThread, type ThreadCall } from '../ffi/call-thread.ts';
import { addressOf } from '../ffi/memory.ts';
import { attempt, begin, lastError, requireRoutine, threadCall } from './call.ts';
import type { Cell } from './cell.ts';
import type { CommunicatorFacts } from './communicator-state.ts';
import { ncclError } from './errors.ts';
import type { UniqueId } from './unique-id.ts';

/** A rank whose communicator is made, and where NCCL puts it. */
export interface FirstCall {
  readonly facts: CommunicatorFacts;
  readonly cell: Cell;
}

/** A call and the name of its routine. */
type NamedCall = readonly [name: string, call: ThreadCall];

const ROUTINE = 'ncclCommInitRankConfig';

/**
 * Give NCCL the ranks of this process, all before the first is waited for: a thread that waited would never come to the second.
 *
 * The first such call of a process loads CUDA's runtime, 7 to 10 ms on a H200: the installed library's is made on a thread of its
 * own, so that the event loop goes on. With a trace of calls it is made here, where the trace is.
 *
 * @throws {@link NcclError} NCCL refuses
 */
export async function makeFirstCalls(ranks: readonly FirstCall[], id: UniqueId): Promise<void> {
  requireRoutine(ROUTINE);
  const calls = threadCalls(ranks, id);
  if (calls === undefined || !(await onThread(calls, ranks))) makeHere(ranks, id);
}

function makeHere(ranks: readonly FirstCall[], id: UniqueId): void {
  const isGroup = ranks.length > 1;
  try {
    if (isGroup) begin('ncclGroupStart');
    for (const rank of ranks) inRank(rank.facts, () => begin(ROUTINE, ...argumentsOf(rank, id, configOf(rank.facts))));
    if (isGroup) begin('ncclGroupEnd');
  } catch (error) {
    if (isGroup) attempt('ncclGroupEnd');
    throw error;
  }
}

function inRank(facts: CommunicatorFacts, run: () => void): void {
  facts.context.push();
  try {
    run();
  } finally {
    Context.pop();
  }
}

function configOf({ config }: CommunicatorFacts): DataView | bigint {
  return config?.bytes ?? 0n;
}

function argumentsOf<Config>(
  { facts, cell }: FirstCall,
  id: UniqueId,
  config: Config,
): [bigint, number, { internal: Uint8Array }, number, Config] {
  return [cell.address, facts.size, { internal: id.toBytes() }, facts.rank, config];
}

/** Undefined where they are made here. */
function threadCalls(ranks: readonly FirstCall[], id: UniqueId): readonly NamedCall[] | undefined {
  const calls: NamedCall[] = [];
  for (const rank of ranks) {
    const config = configOf(rank.facts);
    // Memory goes by its address: another thread would get a copy.
    const args = argumentsOf(rank, id, typeof config === 'bigint' ? config : addressOf(config));
    const call = threadCall(ROUTINE, args);
    if (call === undefined) return undefined;
    calls.push(['cuCtxSetCurrent', driverCall('cuCtxSetCurrent', rank.facts.contextHandle.value)], [ROUTINE, call]);
  }
  const [start, end] = [threadCall('ncclGroupStart', []), threadCall('ncclGroupEnd', [])];
  if (ranks.length < 2 || start === undefined || end === undefined) return calls;
  return [['ncclGroupStart', start], ...calls, ['ncclGroupEnd', { ...end, isEnd: true }]];
}

/** False where the thread could not start. */
async function onThread(calls: readonly NamedCall[], ranks: readonly FirstCall[]): Promise<boolean> {
  // A program may close its context while the thread works in it.
  for (const { facts } of ranks) facts.contextHandle.retain();
  try {
    const codes = await callOnThread(
      calls.map(([, call]) => call),
      (data) => startThread(import.meta.url, 'ffi/caller', { name: 'call', data }),
    );
    codes?.forEach((code, i) => {
      const [name, { good }] = calls[i] as NamedCall;
      if (code === undefined || good.includes(code)) return;
      throw name === 'cuCtxSetCurrent' ? callError(name, code) : ncclError(name, code, { said: lastError() });
    });
    return codes !== undefined;
  } finally {
    for (const { facts } of ranks) facts.contextHandle.release();
  }
}
