import { CommandType } from '../../opencl/sys/enums.ts';
import type { Command, ClEvent } from './event.ts';
import type { ClMemory } from './memory.ts';
import { ClObject } from './object.ts';
import type { ClQueue } from './queue.ts';

/** A command that is recorded. */
export interface RecordedCommand {
  readonly type: number;
  readonly command: Command;
  /** Those recorded before, by their numbers, that it waits for. */
  readonly after: readonly number[];
}

/** Commands that are enqueued together. */
export class ClCommandBuffer extends ClObject {
  readonly queue: ClQueue;
  /** What it was made with. */
  readonly properties: readonly bigint[];
  /** May be enqueued again while it runs. */
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
   * @param waits - the numbers that it waits for; undefined where there is no list
   * @param kept - what lives as long as the buffer, whose reference it takes over
   */
  add(type: number, command: Command, waits: readonly number[] | undefined, kept?: ClObject): number {
    const isBarrier = type === CommandType.MARKER;
    const listed = waits?.map((number) => number - 1) ?? (isBarrier ? [...this.commands.keys()] : []);
    // The queue keeps the order where it is an ordered one.
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
