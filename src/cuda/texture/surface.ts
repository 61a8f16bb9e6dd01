import { Handle } from '../../core/handle.ts';
import { closeOnce } from '../../core/resource.ts';
import { cu } from '../call.ts';
import { requireContext } from '../device/context.ts';
import { destroyIdle, LaunchObject } from '../lifetime/launch-object.ts';
import { arrayHandle, shapeOf, type OpaqueArray } from './opaque-array.ts';
import { describeArray } from './texture-resource.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const slot = slotOf('CUsurfObject');

/**
 * A way to read and write an array: a kernel takes it as `cudaSurfaceObject_t`, and uses `surf2Dwrite(value, surface, x, y)` and
 * similar functions, where x counts bytes. The array stays alive as long as the surface.
 *
 * @example
 * ```typescript
 * using image = new OpaqueArray({ width: 640, height: 480, dtype: 'f32', surface: true });
 * using surface = new Surface(image);
 * kernel(surface, { block: [16, 16], grid: [40, 30] });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFOBJECT.html | cuSurfObjectCreate}
 */
export class Surface extends LaunchObject {
  /** What it reads and writes. */
  readonly array: OpaqueArray;

  /**
   * Make a surface over an array, or over a level of a mipmapped one.
   *
   * Host: does not block.
   *
   * @param array - made with `surface: true`
   * @throws TypeError not an array, or an array without `surface: true`
   * @throws {@link ClosedError} it was freed
   */
  constructor(array: OpaqueArray) {
    super(create(array));
    this.array = array;
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

function create(array: OpaqueArray): Handle<bigint> {
  const owner = arrayHandle(array, 'Surface: the array');
  if (!shapeOf(array).surface) {
    throw new TypeError('Surface: the array was not made for it; make it with { surface: true }');
  }
  const context = requireContext('cuSurfObjectCreate');
  cu.cuSurfObjectCreate(slot, describeArray(array, 'Surface'));
  const parents = [context, owner];
  return new Handle(
    'Surface',
    take(slot),
    (surface) => {
      destroyIdle(context, parents, 'cuSurfObjectDestroy', surface);
    },
    parents,
  );
}
