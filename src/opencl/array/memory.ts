import type { Handle } from '../../core/handle.ts';
import type { ArrayMemory } from '../../array/engine.ts';
import { ArrayPlace } from '../memory/array-place.ts';
import type { Buffer } from '../memory/buffer.ts';
import type { RawMemory } from '../memory/memory-object.ts';
import type { CommandQueue } from '../queue/queue.ts';
import type { OpenCLEngine } from './engine.ts';
import type { UseOrder } from './use-order.ts';

/** What a buffer of arrays has. */
export type OwnMemory = Pick<OpenCLMemory, keyof OpenCLMemory>;

/** A buffer of arrays. */
export class OpenCLMemory implements ArrayMemory {
  readonly engine: OpenCLEngine;
  readonly handle: Handle<RawMemory>;
  readonly byteLength: number;
  readonly alignment: number;
  readonly order: UseOrder;
  /** Where its first element lies. The buffer is there as long as the record lives. */
  readonly place: ArrayPlace;

  constructor(
    engine: OpenCLEngine,
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
