import { cl } from '../call.ts';
import type { Context } from '../device/context.ts';
import { checkForeignContext } from '../foreign.ts';
import { readInfo } from '../info.ts';
import { ImageInfo, MemInfo, MemObjectType } from '../sys/enums.ts';
import { formatOf, type ImageFormat } from './image-format.ts';
import type { RawMemory } from './memory-object.ts';

/** The facts about an image of another library, from the driver. */
export interface ImageFacts {
  /** Of {@link MemObjectType}. */
  readonly type: number;
  readonly flags: number;
  readonly format: ImageFormat;
  readonly shape: readonly number[];
}

const { IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER, IMAGE2D, IMAGE2D_ARRAY, IMAGE3D } = MemObjectType;
/** The names of the numbers of an image's shape. */
const SHAPES: ReadonlyMap<number, readonly ('WIDTH' | 'HEIGHT' | 'DEPTH' | 'ARRAY_SIZE')[]> = new Map([
  [IMAGE1D, ['WIDTH']],
  [IMAGE1D_BUFFER, ['WIDTH']],
  [IMAGE1D_ARRAY, ['WIDTH', 'ARRAY_SIZE']],
  [IMAGE2D, ['WIDTH', 'HEIGHT']],
  [IMAGE2D_ARRAY, ['WIDTH', 'HEIGHT', 'ARRAY_SIZE']],
  [IMAGE3D, ['WIDTH', 'HEIGHT', 'DEPTH']],
]);

/** Ask the driver for all facts; refuse an object that is not an image of the context. */
export function imageFacts(raw: RawMemory, context: Context, what: string): ImageFacts {
  const memory = (name: MemInfo): unknown =>
    readInfo(MemInfo, cl.clGetMemObjectInfo.bind(undefined, raw), name, undefined, 'Image');
  const image = (name: ImageInfo): unknown =>
    readInfo(ImageInfo, cl.clGetImageInfo.bind(undefined, raw), name, undefined, 'Image');
  const type = memory('TYPE') as number;
  const names = SHAPES.get(type);
  if (!names) throw new TypeError(`${what}: the object must be an image`);
  checkForeignContext(memory('CONTEXT'), context, what);
  const words = new DataView((image('FORMAT') as Uint8Array<ArrayBuffer>).buffer);
  const [order, channel] = [words.getUint32(0, true), words.getUint32(4, true)];
  const format = formatOf(order, channel);
  if (!format) {
    const came = `0x${order.toString(16)}, 0x${channel.toString(16)}`;
    throw new TypeError(`${what}: the image must have a format of OpenCL's, got channel order and type ${came}`);
  }
  const shape = names.map((name) => image(name) as number);
  return { type, flags: Number(memory('FLAGS')), format, shape };
}
