import { CommandType } from '../../opencl/sys/enums.ts';
import type { Command, ClEvent } from './event.ts';
import type { ClMemory } from './memory.ts';
import { ClObject } from './object.ts';
import type { ClQueue } from './queue.ts';

/** A recorded command. */
export interface RecordedCommand {
  readonly type: number;
  readonly command: Command;
  /** The indices of the earlier commands that it waits for. */
  readonly after: readonly number[];
}

/** Commands that are enqueued together. */
export class ClCommandBuffer extends ClObject {
  readonly queue: ClQueue;
  /** The given properties. */
  readonly properties: readonly bigint[];
  /** Whether it may be enqueued again while it runs. */
  readonly simultaneous: boolean;
  readonly commands: RecordedCommand[] = [];
  finalized = false;
  /** The latest replay. */
  last: ClEvent | undefined;
  readonly #kept: ClObject[] = [];
  #barrier: number | undefined;
  readonly #gone: (buffer: ClCommandBuffer) => void;

  constructor(
    queue: ClQueue,
    properties: readonly bigint[],
    simultaneous: boolean,
    gone: (buffer: ClCommandBuffer) => void,
  ) {
    super();
    this.queue = queue;
    this.properties = properties;
    this.simultaneous = simultaneous;
    this.#gone = gone;
    queue.retain();
  }

  /**
   * Record a command; returns its number, counted from 1.
   *
   * @param waits - the numbers of the commands that it waits for; undefined without a list
   * @param kept - an object that the buffer keeps alive; the caller's reference passes to the buffer
   */
  add(type: number, command: Command, waits: readonly number[] | undefined, kept?: ClObject): number {
    const isBarrier = type === CommandType.MARKER;
    const listed = waits?.map((number) => number - 1) ?? (isBarrier ? [...this.commands.keys()] : []);
    // An in-order queue keeps the order itself.
    const after = this.queue.inOrder ? [] : this.#barrier === undefined ? listed : [...listed, this.#barrier];
    for (const memory of command.memory ?? ([] as readonly ClMemory[])) {
      memory.retain();
      this.#kept.push(memory);
    }
    if (kept) this.#kept.push(kept);
    if (isBarrier) this.#barrier = this.commands.length;
    return this.commands.push({ type, command, after });
  }

  destroy(): void {
    this.#gone(this);
    for (const one of this.#kept) one.release();
    this.queue.release();
  }
}
