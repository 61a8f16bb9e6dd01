import type { Handle } from '../../core/handle.ts';
import type { ArrayMemory, Engine } from '../../array/engine.ts';
import type { Context } from '../device/context.ts';
import { ArrayPlace } from '../memory/array-place.ts';
import type { Buffer } from '../memory/buffer.ts';
import type { RawMemory } from '../memory/memory-object.ts';
import type { CommandQueue } from '../queue/queue.ts';
import type { UseOrder } from './use-order.ts';

/** Arrays in one OpenCL context. */
export interface ContextEngine extends Engine {
  readonly context: Context;
  /** A queue of the context's first device. */
  readonly defaultLane: CommandQueue;
}

/** What a buffer of arrays has. */
export type OwnMemory = Pick<OpenCLMemory, keyof OpenCLMemory>;

/** A buffer of arrays. */
export class OpenCLMemory implements ArrayMemory {
  readonly engine: ContextEngine;
  readonly handle: Handle<RawMemory>;
  readonly byteLength: number;
  readonly alignment: number;
  readonly order: UseOrder;
  /** Where its first element lies. The buffer is there as long as the record lives. */
  readonly place: ArrayPlace;

  constructor(
    engine: ContextEngine,
    handle: Handle<RawMemory>,
    buffer: Buffer,
    byteLength: number,
    alignment: number,
    order: UseOrder,
  ) {
    this.engine = engine;
    this.handle = handle;
    this.byteLength = byteLength;
    this.alignment = alignment;
    this.order = order;
    this.place = new ArrayPlace(buffer, order.reads, order.writes);
  }

  get lane(): CommandQueue {
    const { lane } = this.order;
    return lane.closed ? this.engine.defaultLane : lane;
  }
}
