import type { GraphLaunchOptions } from '../graph/graph-launch-options.ts';
import type { Event } from '../stream/event.ts';
import type { Stream } from '../stream/stream.ts';

/** An event that a kernel triggers before it has ended. */
export interface TriggerEvent {
  /** Made with `timing: false`. */
  readonly event: Event;
  /** Trigger when the blocks have begun, without their calling `cudaTriggerProgrammaticLaunchCompletion()`. */
  readonly atBlockStart?: boolean;
}

/** The shape of a launch, and what it asks for. */
export interface LaunchOptions extends GraphLaunchOptions {
  /** The stream to launch on; the legacy default stream where none is given. */
  readonly stream?: Stream | null;
  /**
   * Programmatic dependent launch: begin while the kernel before on the stream still runs. The kernel waits for that one's
   * results with `cudaGridDependencySynchronize()`. Compute capability 9.0 and newer.
   */
  readonly programmaticStreamSerialization?: boolean;
  /** Trigger an event when all blocks have called `cudaTriggerProgrammaticLaunchCompletion()`. */
  readonly programmaticEvent?: TriggerEvent;
  /** Record an event when all blocks have begun. It is made with `timing: false`. */
  readonly completionEvent?: Event;
}

/** What a launch can ask for beyond its sizes. */
export type LaunchAttributeOptions = Omit<LaunchOptions, 'block' | 'grid' | 'stream' | 'shared'>;
