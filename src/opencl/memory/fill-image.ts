import { dtypes, type DType } from '../../core/dtype.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { Vector } from '../../core/value.ts';
import { cl } from '../call.ts';
import type { Image } from './image.ts';
import type { ChannelKind } from './image-format.ts';
import { imageRegion } from './image-region.ts';
import type { Event } from '../queue/event.ts';
import type { FillOptions } from './fill-options.ts';
import { submit, type CommandQueue } from '../queue/queue.ts';
import { sizes } from './region.ts';

/** Red, green, blue, alpha: from 0 to 1 where the channels are normalised or floats, else integers. */
export type Color = readonly [r: number, g: number, b: number, a: number];

const DTYPES: Readonly<Record<ChannelKind, DType>> = { float: 'f32', int: 'i32', uint: 'u32' };
const VECTORS: Readonly<Record<ChannelKind, string>> = { float: 'float4', int: 'int4', uint: 'uint4' };

/** Fill a part of an image with one colour. */
export function fillImage(queue: CommandQueue, image: Image, color: unknown, options: FillOptions): Event {
  const what = 'enqueueFill';
  checkOptions(options, ['origin', 'region', 'waitFor'], `${what} of an image`);
  if (image.context.identity !== queue.context.identity)
    throw new TypeError(`${what}: the image belongs to another context`);
  const memory = image.use(what);
  const { origin, region } = imageRegion(image, options.origin, options.region, what);
  const bytes = colorBytes(color, image.format.channelKind);
  return submit(queue, what, options.waitFor, [image.uses], (raw, count, list, out) =>
    cl.clEnqueueFillImage(raw, memory, bytes, sizes(origin), sizes(region), count, list, out),
  );
}

function colorBytes(color: unknown, kind: ChannelKind): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(16));
  const dtype = DTYPES[kind];
  if (color === 0) return view;
  if (color instanceof Vector && color.type.dtype === dtype && color.byteLength === view.byteLength) {
    color.writeTo(view, 0);
    return view;
  }
  if (!Array.isArray(color) || color.length !== 4) {
    throw new TypeError(
      `enqueueFill: this image takes a colour [r, g, b, a], a ${VECTORS[kind]}(…) or 0, got ${color instanceof Vector ? color.typeName : nameOf(color)}`,
    );
  }
  const { check, write } = dtypes[dtype];
  [...(color as unknown[])].forEach((value, i) => write(view, 4 * i, check(value, `enqueueFill: colour[${i}]`)));
  return view;
}
