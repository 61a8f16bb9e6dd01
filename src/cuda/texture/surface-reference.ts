import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { PublicObject } from '../../core/public-object.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { arrayHandle, shapeOf, type OpaqueArray } from './opaque-array.ts';
import type { ReferenceHome } from './reference-sources.ts';

type CUsurfref = Opaque<'CUsurfref'>;

/**
 * A `surface<void, …>` variable of a source for CUDA 11 or older: kernels read and write it by its name, and the host binds it to
 * an array. See {@link TextureReference}; new sources take a {@link Surface} as an argument.
 *
 * @example
 * ```typescript
 * using array = new OpaqueArray({ width: 64, height: 64, dtype: 'f32', surface: true });
 * module.getSurfaceReference('image').bind(array);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__SURFREF__DEPRECATED.html | cuSurfRefSetArray}
 */
export class SurfaceReference extends PublicObject {
  /** The name in the module. */
  readonly name: string;
  readonly #raw: CUsurfref;
  readonly #home: ReferenceHome;
  #array: OpaqueArray | undefined;

  /** @internal */
  constructor(maker: Maker, name: string, raw: CUsurfref, home: ReferenceHome) {
    checkMade(maker === MAKER, 'SurfaceReference', 'write module.getSurfaceReference(name)');
    super();
    this.name = name;
    this.#raw = raw;
    this.#home = home;
  }

  /** What kernels that are launched now read and write by it; undefined before the first {@link SurfaceReference.bind}. */
  get array(): OpaqueArray | undefined {
    return this.#array;
  }

  /**
   * Let kernels that are launched from now on read and write an array, or a level of a mipmapped one. It stays alive until
   * the next call, or until the module is unloaded.
   *
   * Host: the embedded device waits for the context's kernels.
   *
   * @param array - made with `surface: true`
   * @throws TypeError not an array, or an array without `surface: true`
   * @throws {@link ClosedError} the module was closed, or the array was freed
   */
  bind(array: OpaqueArray): void {
    this.#home.use('bind');
    const owner = arrayHandle(array, 'SurfaceReference.bind: the array');
    if (!shapeOf(array).surface) {
      throw new TypeError('SurfaceReference.bind: the array was not made for it; make it with { surface: true }');
    }
    cu.cuSurfRefSetArray(this.#raw, owner.value, 0);
    this.#home.sources.hold(`surface ${this.name}`, owner);
    this.#array = array;
  }

  /** The driver's `CUsurfref`, borrowed: good until the module is closed. */
  get handle(): CUsurfref {
    this.#home.use('handle');
    return this.#raw;
  }
}
