import { dtypes } from '../../core/dtype.ts';
import { ChannelOrder, ChannelType } from './enums.ts';

const O = ChannelOrder;
const T = ChannelType;

/** The components of a pixel. */
export interface ImageFormat {
  /** `ChannelOrder` */
  readonly order: number;
  /** `ChannelType` */
  readonly type: number;
  /** Bytes of a pixel. */
  readonly elementBytes: number;
}

/** Which of r, g, b and a each channel holds. */
const CHANNELS: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [O.R, [0]],
  [O.Rx, [0]],
  [O.A, [3]],
  [O.INTENSITY, [0]],
  [O.LUMINANCE, [0]],
  [O.DEPTH, [0]],
  [O.RG, [0, 1]],
  [O.RGx, [0, 1]],
  [O.RA, [0, 3]],
  [O.RGB, [0, 1, 2]],
  [O.RGBx, [0, 1, 2]],
  [O.RGBA, [0, 1, 2, 3]],
  [O.BGRA, [2, 1, 0, 3]],
  [O.ARGB, [3, 0, 1, 2]],
  [O.ABGR, [3, 2, 1, 0]],
  [O.sRGBA, [0, 1, 2, 3]],
  [O.sBGRA, [2, 1, 0, 3]],
  [O.sRGB, [0, 1, 2]],
  [O.sRGBx, [0, 1, 2]],
]);
const TYPE_BYTES: ReadonlyMap<number, number> = new Map<number, number>([
  [T.SNORM_INT8, 1],
  [T.UNORM_INT8, 1],
  [T.SIGNED_INT8, 1],
  [T.UNSIGNED_INT8, 1],
  [T.SNORM_INT16, 2],
  [T.UNORM_INT16, 2],
  [T.SIGNED_INT16, 2],
  [T.UNSIGNED_INT16, 2],
  [T.HALF_FLOAT, 2],
  [T.SIGNED_INT32, 4],
  [T.UNSIGNED_INT32, 4],
  [T.FLOAT, 4],
]);

/** A valid format; undefined for unknown numbers and for pairs that do not go together. */
export function formatOf(order: number, type: number): ImageFormat | undefined {
  const channels = CHANNELS.get(order);
  const bytes = TYPE_BYTES.get(type);
  return channels && bytes ? { order, type, elementBytes: channels.length * bytes } : undefined;
}

/** A colour as the bytes of a pixel. The colour is given as four floats, signed or unsigned integers, as the type requires. */
export function encodeColor({ order, type, elementBytes }: ImageFormat, color: Uint8Array): Uint8Array<ArrayBuffer> {
  const from = new DataView(color.buffer, color.byteOffset, color.byteLength);
  const bytes = new Uint8Array(elementBytes);
  const to = new DataView(bytes.buffer);
  const size = TYPE_BYTES.get(type) ?? 1;
  const isLinear = order !== O.sRGBA && order !== O.sBGRA;
  for (const [i, channel] of (CHANNELS.get(order) ?? []).entries()) {
    const value = from.getFloat32(4 * channel, true);
    const shade = isLinear || channel === 3 ? value : gamma(value);
    put(to, i * size, type, shade, from.getInt32(4 * channel, true));
  }
  return bytes;
}

function put(view: DataView, at: number, type: number, value: number, integer: number): void {
  switch (type) {
    case T.UNORM_INT8:
      view.setUint8(at, scaled(value, 0, 0xff));
      break;
    case T.SNORM_INT8:
      view.setInt8(at, scaled(value, -0x7f, 0x7f));
      break;
    case T.UNORM_INT16:
      view.setUint16(at, scaled(value, 0, 0xffff), true);
      break;
    case T.SNORM_INT16:
      view.setInt16(at, scaled(value, -0x7fff, 0x7fff), true);
      break;
    case T.SIGNED_INT8:
      view.setInt8(at, Math.max(-0x80, Math.min(0x7f, integer)));
      break;
    case T.UNSIGNED_INT8:
      view.setUint8(at, Math.min(0xff, integer >>> 0));
      break;
    case T.SIGNED_INT16:
      view.setInt16(at, Math.max(-0x8000, Math.min(0x7fff, integer)), true);
      break;
    case T.UNSIGNED_INT16:
      view.setUint16(at, Math.min(0xffff, integer >>> 0), true);
      break;
    case T.HALF_FLOAT:
      dtypes.f16.write(view, at, value);
      break;
    case T.FLOAT:
      view.setFloat32(at, value, true);
      break;
    default:
      view.setInt32(at, integer, true);
  }
}

/** Round to the nearest value of a range, ties to even; NaN becomes 0. */
function scaled(value: number, least: number, most: number): number {
  const wide = Math.max(least, Math.min(most, (Number.isNaN(value) ? 0 : value) * most));
  const down = Math.floor(wide);
  const rest = wide - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
}

function gamma(value: number): number {
  if (Number.isNaN(value)) return 0;
  const linear = Math.max(0, Math.min(1, value));
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}
