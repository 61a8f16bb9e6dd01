import * as cuda from '../../src/cuda/index.ts';
import type { AddEntry } from './cuda-misuse.ts';

const NOT_SUPPORTED = 801;

/** Arrays, textures and surfaces, where the device has them. */
export function textureEntries(entry: AddEntry, memory: cuda.DeviceAllocation, stream: cuda.Stream): void {
  const shape = { width: 4, height: 4, dtype: 'u8', surface: true } as const;
  if (!hasArrays()) return;
  const array = new cuda.OpaqueArray(shape);
  const mipmapped = new cuda.MipmappedArray(shape);
  const host = new Uint8Array(16);
  entry('new OpaqueArray', (options: never) => new cuda.OpaqueArray(options), [shape, 'type']);
  entry('new MipmappedArray', (options: never) => new cuda.MipmappedArray(options), [shape, 'type']);
  for (const name of ['width', 'height', 'depth', 'layers'] as const) {
    const make = (size: never): unknown => new cuda.OpaqueArray({ width: 4, height: 4, dtype: 'u8', [name]: size });
    // A size that is left out is not a misuse, but for the width.
    entry(`OpaqueArray.${name}`, make, [4, name === 'width' ? 'size' : 'length']);
  }
  entry('MipmappedArray.level', (index: never) => mipmapped.level(index), [0, 'offset']);
  entry('memcpyHtoA', cuda.memcpyHtoA, [array, 'event'], [host, 'host']);
  entry('memcpyAtoH', cuda.memcpyAtoH, [host, 'host'], [array, 'event']);
  entry('memcpyDtoA', cuda.memcpyDtoA, [array, 'event'], [memory, 'device']);
  entry('memcpyAtoD', cuda.memcpyAtoD, [memory, 'device'], [array, 'event']);
  entry('memcpyAtoA', cuda.memcpyAtoA, [array, 'event'], [array, 'event']);
  entry('memcpyHtoAAsync', cuda.memcpyHtoAAsync, [array, 'event'], [host, 'host'], [stream, 'stream']);
  entry('memcpyAtoHAsync', cuda.memcpyAtoHAsync, [host, 'host'], [array, 'event'], [stream, 'stream']);
  entry('memcpyDtoAAsync', cuda.memcpyDtoAAsync, [array, 'event'], [memory, 'device'], [stream, 'stream']);
  entry('memcpyAtoDAsync', cuda.memcpyAtoDAsync, [memory, 'device'], [array, 'event'], [stream, 'stream']);
  entry('memcpyAtoAAsync', cuda.memcpyAtoAAsync, [array, 'event'], [array, 'event'], [stream, 'stream']);
  entry('toArray', cuda.toArray, [host, 'host'], [shape, 'type']);
  entry('Memcpy2D.setSrcArray', (of: never) => new cuda.Memcpy2D().setSrcArray(of), [array, 'event']);
  entry('Memcpy3D.setDstArray', (of: never) => new cuda.Memcpy3D().setDstArray(of), [array, 'event']);
  entry('new Texture', (of: never) => new cuda.Texture(of, { dtype: 'u8' } as never), [memory, 'device']);
  entry(
    'new Texture of an array',
    (of: never, how: never) => new cuda.Texture(of, how),
    [array, 'event'],
    [{}, 'options'],
  );
  entry('new Surface', (of: never) => new cuda.Surface(of), [array, 'event']);
}

function hasArrays(): boolean {
  try {
    new cuda.OpaqueArray({ width: 1, dtype: 'u8' }).close();
    return true;
  } catch (error) {
    if (error instanceof cuda.CudaError && error.status === NOT_SUPPORTED) return false;
    throw error;
  }
}
