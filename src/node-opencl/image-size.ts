import { ChannelOrder, ChannelType } from '../opencl/sys/enums.ts';

const { R, A, RG, RA, Rx, RGB, RGx, RGBx, INTENSITY, LUMINANCE, DEPTH, sRGB, sRGBx } = ChannelOrder;

const CHANNELS: ReadonlyMap<number, number> = new Map<number, number>([
  ...[R, A, INTENSITY, LUMINANCE, DEPTH].map((order) => [order, 1] as const),
  ...[RG, RA, Rx].map((order) => [order, 2] as const),
  ...[RGB, RGx, sRGB].map((order) => [order, 3] as const),
  ...[RGBx, sRGBx].map((order) => [order, 4] as const),
]);

/** Bytes of a pixel whose channels share a word. */
const PACKED: ReadonlyMap<number, number> = new Map<number, number>([
  [ChannelType.UNORM_SHORT_565, 2],
  [ChannelType.UNORM_SHORT_555, 2],
  [ChannelType.UNORM_INT_101010, 4],
  [ChannelType.UNORM_INT_101010_2, 4],
]);

const { SNORM_INT8, UNORM_INT8, SIGNED_INT8, UNSIGNED_INT8 } = ChannelType;
const { SNORM_INT16, UNORM_INT16, SIGNED_INT16, UNSIGNED_INT16, HALF_FLOAT } = ChannelType;
const ONE: readonly number[] = [SNORM_INT8, UNORM_INT8, SIGNED_INT8, UNSIGNED_INT8];
const TWO: readonly number[] = [SNORM_INT16, UNORM_INT16, SIGNED_INT16, UNSIGNED_INT16, HALF_FLOAT];

/** Bytes of one pixel. */
export function pixelBytes(order: number, type: number): number {
  const channel = ONE.includes(type) ? 1 : TWO.includes(type) ? 2 : 4;
  return PACKED.get(type) ?? (CHANNELS.get(order) ?? 4) * channel;
}

/** Bytes from the first pixel of a region to the end of its last, with the pitches of a call; a pitch of 0 means no gaps. */
export function regionBytes(
  pixel: number,
  [width, height, depth]: readonly number[],
  rowPitch: number,
  slicePitch: number,
): number {
  const [w = 0, h = 0, d = 0] = [width, height, depth];
  if (w === 0 || h === 0 || d === 0) return 0;
  const row = rowPitch || w * pixel;
  const slice = slicePitch || row * h;
  return (d - 1) * slice + (h - 1) * row + w * pixel;
}
