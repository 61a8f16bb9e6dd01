import { AddressMode } from '../../cuda/sys/enums.ts';
import { ImageForm, ImageMark, ImagePart, ImageQuick, ImageRecord, LevelRecord } from '../abi/image-record.ts';
import { plainPart, type Sampling } from './texture-sampling.ts';
import type { ImageSource, SourceLevel } from './texture-source.ts';

const R = ImageRecord;
const L = LevelRecord;
const BYTE_VALUES = 256;

/** How many bytes the record of a texture or a surface has. */
export function recordBytes({ levels }: ImageSource, sampling?: Sampling): number {
  const linear = sampling?.part === ImagePart.SRGB ? 4 * BYTE_VALUES : 0;
  return R.LEVEL + levels.length * L.BYTES + linear;
}

/** The record of a texture, or of a surface where there is no sampling. */
export function recordOf(address: number, source: ImageSource, sampling?: Sampling): Uint8Array {
  const bytes = new Uint8Array(recordBytes(source, sampling));
  const view = new DataView(bytes.buffer);
  const [level] = source.levels as [SourceLevel];
  const { element, form, levels } = source;
  view.setUint32(R.MARK, sampling ? ImageMark.TEXTURE : ImageMark.SURFACE, true);
  view.setBigUint64(R.DATA, BigInt(level.address), true);
  [level.width, level.height, level.depth, level.layers].forEach((size, i) => {
    view.setUint32(R.WIDTH + 4 * i, size, true);
  });
  view.setBigUint64(R.ROW_PITCH, BigInt(level.rowPitch), true);
  view.setBigUint64(R.SLICE_PITCH, BigInt(level.slicePitch), true);
  view.setUint32(R.ELEMENT_BYTES, element.bytes, true);
  view.setUint32(R.FORM, form, true);
  view.setUint32(R.LEVELS, levels.length, true);
  view.setUint32(R.FORMAT, ((sampling?.part ?? plainPart(element)) << 4) | Math.log2(element.channels), true);
  levels.forEach((one, i) => {
    putLevel(view, R.LEVEL + i * L.BYTES, one);
  });
  if (sampling) putSampling(view, address, source, sampling);
  return bytes;
}

function putLevel(view: DataView, at: number, level: SourceLevel): void {
  view.setBigUint64(at + L.DATA, BigInt(level.address), true);
  view.setBigUint64(at + L.ROW_PITCH, BigInt(level.rowPitch), true);
  view.setBigUint64(at + L.SLICE_PITCH, BigInt(level.slicePitch), true);
  view.setUint32(at + L.WIDTH, level.width, true);
  view.setUint32(at + L.HEIGHT, level.height, true);
  view.setUint32(at + L.DEPTH, level.depth, true);
  view.setUint32(at + L.LAYERS, level.layers, true);
}

function putSampling(view: DataView, address: number, source: ImageSource, sampling: Sampling): void {
  const { element, levels } = source;
  const [{ width, height, depth }] = levels as [SourceLevel];
  const { modes, normalized, border, part } = sampling;
  view.setUint32(
    R.FLAGS,
    modes.reduce((all, mode, axis) => all | (mode << (2 * axis)), sampling.flags),
    true,
  );
  view.setUint32(R.KEY, ((element.bytes / element.channels) << 8) | element.bytes, true);
  view.setUint32(R.QUICK, quickOf(source, sampling), true);
  [width, height, depth].forEach((size, i) => {
    view.setFloat32(R.SCALE + 4 * i, normalized ? size : 1, true);
    view.setFloat32(R.LAST + 4 * i, size - 1, true);
  });
  view.setFloat32(R.BIAS, sampling.bias, true);
  view.setFloat32(R.LEAST_LEVEL, sampling.leastLevel, true);
  view.setFloat32(R.MOST_LEVEL, sampling.mostLevel, true);
  view.setUint32(R.SLANTED, sampling.slanted, true);
  border.forEach((word, i) => {
    view.setUint32(R.BORDER + 4 * i, word, true);
  });
  if (part === ImagePart.SRGB) putLinear(view, address, R.LEVEL + levels.length * L.BYTES);
}

function quickOf({ form, levels }: ImageSource, { part, modes, linear }: Sampling): number {
  const converted = part === ImagePart.F16 || part > ImagePart.F32;
  if (converted || form & ImageForm.CUBE || levels.length > 1) return ImageQuick.NONE;
  if (form & ImageForm.LINEAR_MEMORY) return ImageQuick.RAW;
  const axes = form & ImageForm.DIMENSIONS;
  if (modes.slice(0, axes).some((mode) => mode !== AddressMode.CLAMP)) return ImageQuick.NONE;
  return linear ? ImageQuick.BLENDED : ImageQuick.POINT;
}

/** The linear value of each byte: IEC 61966-2-1. */
function putLinear(view: DataView, address: number, at: number): void {
  view.setBigUint64(R.LINEAR, BigInt(address + at), true);
  for (let byte = 0; byte < BYTE_VALUES; byte++) {
    const value = byte / 255;
    view.setFloat32(at + 4 * byte, value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4, true);
  }
}
