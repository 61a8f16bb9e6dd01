import type { Handle } from '../../core/handle.ts';
import type { ArrayMemory, Engine } from '../../array/engine.ts';
import type { Stream } from '../stream/stream.ts';
import type { UseOrder } from './use-order.ts';

/** What device memory of arrays has. */
export type OwnMemory = Pick<CudaMemory, keyof CudaMemory>;

/** Device memory of arrays. */
export class CudaMemory implements ArrayMemory {
  readonly engine: Engine;
  readonly handle: Handle<bigint>;
  readonly byteLength: number;
  readonly alignment: number;
  readonly order: UseOrder;

  constructor(engine: Engine, handle: Handle<bigint>, byteLength: number, alignment: number, order: UseOrder) {
    this.engine = engine;
    this.handle = handle;
    this.byteLength = byteLength;
    this.alignment = alignment;
    this.order = order;
  }

  get lane(): Stream | null {
    const { lane } = this.order;
    // What was closed still orders what it was given, and takes no more.
    return lane?.closed === true ? null : lane;
  }
}
