import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Extent, Pitches } from './region.ts';

/**
 * Which part `enqueueCopy` copies, and whether it waits. Each pair of ends takes the options that
 * apply to it; any other throws.
 */
export interface CopyOptions extends EnqueueOptions {
  /** Whether a copy from or to a host array waits for its end. Default: true. Copies between buffers and images never wait. */
  readonly blocking?: boolean;
  /** Bytes from the destination's start; of buffers and host arrays. Default: 0 */
  readonly dstOffset?: number;
  /** Bytes from the source's start; of buffers and host arrays. Default: 0 */
  readonly srcOffset?: number;
  /** Bytes; of buffers and host arrays. Default: the rest of the host array; between buffers, what fits. */
  readonly byteLength?: number;
  /** How much of a rectangle or a box: `[bytes, rows, slices]`; with an image `[x, y, z]` in pixels, by default what fits. */
  readonly region?: Extent;
  /** Rectangle, with the host: where it begins in the buffer, `[byte, row, slice]`. Default: 0 */
  readonly bufferOrigin?: Extent;
  /** Rectangle, with the host: where it begins in the host array, `[byte, row, slice]`. Default: 0 */
  readonly hostOrigin?: Extent;
  /** Rectangle, with the host: bytes from row to row, and from slice to slice, of the buffer. Default: as the region */
  readonly bufferPitches?: Pitches;
  /** Rectangle, with the host: the same of the host array. */
  readonly hostPitches?: Pitches;
  /** Between two buffers `[byte, row, slice]`, between two images `[x, y, z]`: where the source begins. Default: 0 */
  readonly srcOrigin?: Extent;
  /** The same of the destination. */
  readonly dstOrigin?: Extent;
  /** Rectangle between buffers: bytes from row to row, and from slice to slice, of the source. Default: as the region */
  readonly srcPitches?: Pitches;
  /** The same of the destination. */
  readonly dstPitches?: Pitches;
  /** Image with a buffer or the host: where the part of the image begins, `[x, y, z]`. Default: 0 */
  readonly origin?: Extent;
  /** Image with the host: bytes from row to row, and from slice to slice, of the host array. Default: no gaps */
  readonly pitches?: Pitches;
  /** Image with a buffer: bytes from the buffer's start. Default: 0 */
  readonly offset?: number;
}
