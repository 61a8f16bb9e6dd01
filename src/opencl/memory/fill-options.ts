import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Extent } from './region.ts';

/** Which part of a buffer or an image `enqueueFill` fills. */
export interface FillOptions extends EnqueueOptions {
  /** Image: where the part begins, `[x, y, z]` in pixels. Default: 0 */
  readonly origin?: Extent;
  /** Image: pixels in each direction, `[x, y, z]`. Default: all from the origin on */
  readonly region?: Extent;
  /** Bytes from the buffer's start. Default: 0 */
  readonly offset?: number;
  /** Bytes. Default: up to the buffer's end. */
  readonly byteLength?: number;
}
