import { mem, size, triple } from './argument.ts';
import type { Raw } from './handle.ts';
import type { CLMem } from './objects.ts';
import { enqueuing, type EnqueueFunction } from './submit.ts';
import { checkBox } from './transfer.ts';

type Dims = readonly number[];

/** Copy bytes between buffers. */
export const enqueueCopyBuffer: EnqueueFunction<
  [source: CLMem, target: CLMem, sourceOffset: number, targetOffset: number, byteLength: number]
> = enqueuing('clEnqueueCopyBuffer', [mem, mem, size, size, size]);

/** Copy a box between buffers. Origins and the region count bytes, rows and slices. */
export const enqueueCopyBufferRect: EnqueueFunction<
  [
    source: CLMem,
    target: CLMem,
    sourceOrigin: Dims,
    targetOrigin: Dims,
    region: Dims,
    sourceRowPitch: number,
    sourceSlicePitch: number,
    targetRowPitch: number,
    targetSlicePitch: number,
  ]
> = enqueuing('clEnqueueCopyBufferRect', [mem, mem, triple, triple, triple, size, size, size, size], checkBoxes);

type Box = [
  source: Raw<'CLMem'>,
  target: Raw<'CLMem'>,
  sourceOrigin: BigUint64Array,
  targetOrigin: BigUint64Array,
  region: BigUint64Array,
  ...pitches: [number, number, number, number],
];

function checkBoxes(args: readonly unknown[]): void {
  const [source, target, from, to, region, ...pitches] = args as Box;
  checkBox(source, from, region, pitches[0], pitches[1]);
  checkBox(target, to, region, pitches[2], pitches[3]);
}

/** Copy a region between images. */
export const enqueueCopyImage: EnqueueFunction<
  [source: CLMem, target: CLMem, sourceOrigin: Dims, targetOrigin: Dims, region: Dims]
> = enqueuing('clEnqueueCopyImage', [mem, mem, triple, triple, triple]);

/** Copy a region of an image into a buffer. */
export const enqueueCopyImageToBuffer: EnqueueFunction<
  [image: CLMem, buffer: CLMem, origin: Dims, region: Dims, offset: number]
> = enqueuing('clEnqueueCopyImageToBuffer', [mem, mem, triple, triple, size]);

/** Copy a part of a buffer into a region of an image. */
export const enqueueCopyBufferToImage: EnqueueFunction<
  [buffer: CLMem, image: CLMem, offset: number, origin: Dims, region: Dims]
> = enqueuing('clEnqueueCopyBufferToImage', [mem, mem, size, triple, triple]);
