import type { Engine, Lane, LaneOptions } from './engine.ts';

/** Of an operation's options those that name a line, for the operations that it is made of. */
export function lanesOf(options: LaneOptions | undefined): LaneOptions {
  return { stream: options?.stream, queue: options?.queue };
}

/** The option that names a line of an engine. */
export function laneOption({ dialect }: Engine, lane: Lane): LaneOptions {
  return dialect.name === 'cuda' ? { stream: lane } : { queue: lane };
}
