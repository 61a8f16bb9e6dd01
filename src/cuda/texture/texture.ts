import { Handle } from '../../core/handle.ts';
import { closeOnce } from '../../core/resource.ts';
import { NULL } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { requireContext } from '../device/context.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import { destroyIdle, LaunchObject } from '../lifetime/launch-object.ts';
import type { MipmappedArray, OpaqueArray } from './opaque-array.ts';
import {
  checkTextureOptions,
  readResource,
  type LinearTextureOptions,
  type PitchedTextureOptions,
  type TextureView,
} from './texture-resource.ts';
import { describeSampling, type LevelOptions, type SamplingOptions } from './texture-sampling.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

/** How an array is read by a texture. */
export interface TextureOptions extends SamplingOptions {
  /** Only a part of its levels or layers, or other elements. */
  readonly view?: TextureView;
}

/** How a mipmapped array is read by a texture. */
export interface MipmappedTextureOptions extends TextureOptions, LevelOptions {}

const slot = slotOf('CUtexObject');

/**
 * A way to read an array or device memory: by coordinates, with filtering, clamping and conversion by the hardware. A kernel
 * takes it as `cudaTextureObject_t` and reads with `tex2D<float>(texture, x, y)` and similar functions. What it reads stays alive as long
 * as the texture.
 *
 * @example
 * ```typescript
 * using image = toArray(pixels, { width: 640, height: 480, dtype: 'u8' });
 * using texture = new Texture(image, { filterMode: 'linear', normalizedReads: true });
 * kernel(texture, out, { block: [16, 16], grid: [40, 30] });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html | cuTexObjectCreate}
 */
export class Texture extends LaunchObject {
  /** What it reads. */
  readonly source: OpaqueArray | MipmappedArray | DeviceMemory;

  /**
   * Make a texture over an array, over linear memory (`dtype`), or over memory with a pitch (`dtype`, `width`, `height`,
   * `pitch`).
   *
   * Host: does not block.
   *
   * @throws TypeError no array and no device memory, an unknown option, or two that do not fit each other
   * @throws RangeError a number is out of its range, or the memory is too small or not aligned
   * @throws {@link ClosedError} the array or the memory was freed
   */
  constructor(array: OpaqueArray, options?: TextureOptions);
  constructor(array: MipmappedArray, options?: MipmappedTextureOptions);
  constructor(memory: DeviceMemory, options: LinearTextureOptions | PitchedTextureOptions);
  constructor(source: OpaqueArray | MipmappedArray | DeviceMemory, options: object = {}) {
    checkTextureOptions(options);
    super(create(source, options));
    this.source = source;
  }

  /**
   * Destroy it.
   *
   * Host: blocks until the device is idle.
   *
   * @throws {@link ClosedError} it was freed before
   */
  free(): void {
    closeOnce(this, 'free');
  }
}

function create(source: unknown, options: object): Handle<bigint> {
  const context = requireContext('cuTexObjectCreate');
  const resource = readResource(source, options);
  const sampling = describeSampling(options, resource.dtype, resource.levels);
  cu.cuTexObjectCreate(slot, resource.description, sampling, resource.view ?? NULL);
  const parents = resource.owner ? [context, resource.owner] : [context];
  return new Handle(
    'Texture',
    take(slot),
    (texture) => {
      destroyIdle(context, parents, 'cuTexObjectDestroy', texture);
    },
    parents,
  );
}
