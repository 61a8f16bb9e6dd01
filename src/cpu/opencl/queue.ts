import { QueueProperties } from '../../opencl/sys/enums.ts';
import type { ClContext } from './context.ts';
import type { ClDevice } from './device.ts';
import type { ClEvent } from './event.ts';
import { ClObject } from './object.ts';

/** A command queue. */
export class ClQueue extends ClObject {
  readonly context: ClContext;
  readonly device: ClDevice;
  readonly properties: number;
  /** The given property list, if there was one. */
  readonly propertyList: readonly bigint[];
  readonly inOrder: boolean;
  readonly profiling: boolean;
  /** The latest command of an in-order queue. */
  last: ClEvent | undefined;
  /** For an out-of-order queue: commands that may not have ended, and the barrier that later commands wait for. */
  open: ClEvent[] = [];
  barrier: ClEvent | undefined;
  readonly #gone: (queue: ClQueue) => void;

  constructor(
    context: ClContext,
    device: ClDevice,
    properties: number,
    propertyList: readonly bigint[],
    gone: (queue: ClQueue) => void,
  ) {
    super();
    this.context = context;
    this.device = device;
    this.properties = properties;
    this.propertyList = propertyList;
    this.inOrder = (properties & QueueProperties.OUT_OF_ORDER_EXEC_MODE_ENABLE) === 0;
    this.profiling = (properties & QueueProperties.PROFILING_ENABLE) !== 0;
    this.#gone = gone;
    context.retain();
  }

  destroy(): void {
    this.#gone(this);
    this.context.release();
  }
}
