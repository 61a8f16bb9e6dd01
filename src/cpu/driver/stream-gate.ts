import type { CpuStream } from './objects.ts';
import type { DriverState } from './state.ts';
import { ahead, setTail } from './stream-order.ts';

/**
 * Enqueue a gate on streams of one context: it follows what is on them, and their next commands follow it.
 *
 * @param also - another command that it follows
 * @returns its number; undefined where memory is full
 */
export function gateOn(
  state: DriverState,
  streams: readonly CpuStream[],
  also: number | undefined,
): number | undefined {
  const [first] = streams;
  if (!first) return undefined;
  const { engine } = state;
  const after = new Set(streams.flatMap((stream) => ahead(stream)));
  if (also !== undefined && !engine.queue.done(also)) after.add(also);
  const sequence = engine.gate([...after], first.context.index);
  if (sequence === undefined) return undefined;
  first.context.last = sequence;
  for (const stream of streams) setTail(stream, sequence);
  return sequence;
}
