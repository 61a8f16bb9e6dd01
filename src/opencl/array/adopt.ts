import { tags, type ElementTag } from '../../core/element-tag.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf } from '../../core/resource.ts';
import { describeMemory } from '../../array/adopted.ts';
import type { Adopted, AdoptOptions } from '../../array/engine.ts';
import type { ArrayDType } from '../../array/dtype.ts';
import { Buffer } from '../memory/buffer.ts';
import { enqueueMarker } from '../queue/enqueue.ts';
import type { CommandQueue } from '../queue/queue.ts';
import type { RawMemory } from '../memory/memory-object.ts';
import { Uses } from '../queue/uses.ts';
import { MemFlags } from '../sys/enums.ts';
import { OpenCLMemory, type ContextEngine } from './memory.ts';
import { UseOrder } from './use-order.ts';

/** The dtypes of buffers that know what they hold. */
const BY_TAG: ReadonlyMap<ElementTag, ArrayDType> = new Map(
  Object.entries(tags).flatMap(([name, tag]) => (tag === 0 ? [] : [[tag, name as ArrayDType]])),
);

/**
 * A buffer, or a part of one, as an array without a copy. It stays allocated as long as the array does.
 *
 * @returns undefined for what is no buffer
 * @throws TypeError a buffer of another context, or one of which nobody says what it holds
 * @throws RangeError an array that does not fit in the buffer
 */
export function adopt(engine: ContextEngine, value: unknown, options: AdoptOptions, what: string): Adopted | undefined {
  if (!(value instanceof Buffer)) return undefined;
  const { context, root, offset, byteLength, flags, uses } = value;
  if (context.identity !== engine.context.identity) {
    throw new TypeError(
      `${what}: the buffer must be of the arrays' context, got one of another; pass a queue of its own`,
    );
  }
  const owner = handleOf(value, what);
  const { dtype, layout } = describeMemory(value, byteLength, options, BY_TAG.get(value.elementTag), what);
  const lane = (options.lane ?? engine.defaultLane) as CommandQueue;
  const order = new UseOrder(uses instanceof Uses ? uses : new Uses(), lane);
  // Other queues come after what this one has been given so far.
  order.setWriter(enqueueMarker(lane));
  // An object of its own: the caller's may be closed before.
  const buffer = new Buffer(context, {
    root: root === value ? undefined : root,
    offset,
    handle: owner.retain(),
    byteLength,
    flags,
    isQuiet: true,
  });
  const end = (): void => {
    order.end();
    buffer.close();
  };
  // Memory of the host may begin anywhere.
  const alignment = (flags & MemFlags.USE_HOST_PTR) === 0 ? 16 : 1;
  const handle = new Handle<RawMemory>('NDArray', owner.value, end, [owner]);
  return { memory: new OpenCLMemory(engine, handle, buffer, byteLength, alignment, order), dtype, layout };
}
