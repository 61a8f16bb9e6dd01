import { ImageRecord } from '../abi/opencl-image.ts';
import type { ImageShape } from './image-shape.ts';

/** The record of an image that kernels read: address, sizes (1 for a missing dimension) and format. */
export function imageRecord(shape: ImageShape, address: number): Uint8Array {
  const { format } = shape;
  const bytes = new Uint8Array(ImageRecord.BYTES);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(ImageRecord.DATA, BigInt(address), true);
  view.setUint32(ImageRecord.WIDTH, shape.width, true);
  view.setUint32(ImageRecord.HEIGHT, Math.max(1, shape.height), true);
  view.setUint32(ImageRecord.DEPTH, Math.max(1, shape.depth), true);
  view.setUint32(ImageRecord.ARRAY_SIZE, Math.max(1, shape.layers), true);
  view.setBigUint64(ImageRecord.ROW_PITCH, BigInt(shape.rowPitch), true);
  view.setBigUint64(ImageRecord.SLICE_PITCH, BigInt(shape.slicePitch), true);
  view.setUint32(ImageRecord.CHANNEL_ORDER, format.order, true);
  view.setUint32(ImageRecord.CHANNEL_TYPE, format.type, true);
  view.setUint32(ImageRecord.ELEMENT_BYTES, format.elementBytes, true);
  return bytes;
}
