import type { LaneOptions } from '../../array/engine.ts';
import { createSomeContext } from '../device/choose.ts';
import type { Context } from '../device/context.ts';
import { Buffer } from '../memory/buffer.ts';
import { CommandQueue } from '../queue/queue.ts';
import { engineOfContext, type OpenCLEngine } from './engine.ts';
import { NDArray } from './ndarray.ts';

let made: Context | undefined;

/**
 * Where arrays are made: in the context of the queue that the options have, else in that of the data, else in one that is made
 * once.
 *
 * @param data - what an array is made of: one of ours, or a buffer, has a context
 */
export function engineFor(options: LaneOptions | undefined, data?: unknown): OpenCLEngine {
  const queue = (options as LaneOptions | null | undefined)?.queue;
  // What is no queue is refused by the engine.
  return engineOfContext(queue instanceof CommandQueue ? queue.context : (contextOf(data) ?? defaultContext()));
}

function contextOf(data: unknown): Context | undefined {
  return data instanceof Buffer || data instanceof NDArray ? data.context : undefined;
}

function defaultContext(): Context {
  if (made === undefined || made.closed) {
    made = createSomeContext();
    process.once('exit', closeDefault);
  }
  return made;
}

function closeDefault(): void {
  made?.close();
}
