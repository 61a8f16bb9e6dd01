import { ChannelOrder, ChannelType } from '../../opencl/sys/enums.ts';
import { formatOf, type ImageFormat } from '../../opencl/sys/pixel.ts';

const O = ChannelOrder;
const T = ChannelType;

const NORMALIZED = [T.UNORM_INT8, T.UNORM_INT16, T.SNORM_INT8, T.SNORM_INT16];
const INTEGERS = [T.SIGNED_INT8, T.SIGNED_INT16, T.SIGNED_INT32, T.UNSIGNED_INT8, T.UNSIGNED_INT16, T.UNSIGNED_INT32];
const FLOATS = [T.HALF_FLOAT, T.FLOAT];
const ALL = [...NORMALIZED, ...INTEGERS, ...FLOATS];
const BYTES = [T.UNORM_INT8, T.SNORM_INT8, T.SIGNED_INT8, T.UNSIGNED_INT8];

/** Formats that kernels read and write. */
const SUPPORTED: readonly (readonly [order: number, types: readonly number[]])[] = [
  [O.R, ALL],
  [O.A, ALL],
  [O.RG, ALL],
  [O.RA, ALL],
  [O.RGBA, ALL],
  [O.BGRA, BYTES],
  [O.ARGB, BYTES],
  [O.ABGR, BYTES],
  [O.INTENSITY, [...NORMALIZED, ...FLOATS]],
  [O.LUMINANCE, [...NORMALIZED, ...FLOATS]],
  [O.DEPTH, [T.UNORM_INT16, T.FLOAT]],
];
/** Formats that kernels only read. */
const READABLE: typeof SUPPORTED = [
  [O.sRGBA, [T.UNORM_INT8]],
  [O.sBGRA, [T.UNORM_INT8]],
];

/** The formats that kernels read, or read and write. */
export function supportedFormats(writable: boolean): ImageFormat[] {
  const rows = writable ? SUPPORTED : [...SUPPORTED, ...READABLE];
  return rows.flatMap(([order, types]) => types.flatMap((type) => formatOf(order, type) ?? []));
}

/** Whether a number is a channel order or type at all. */
export function isChannel(order: number, type: number): boolean {
  const has = (list: Readonly<Record<string, number>>, value: number): boolean => Object.values(list).includes(value);
  return has(O, order) && has(T, type);
}
