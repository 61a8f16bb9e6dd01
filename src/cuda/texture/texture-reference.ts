import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { PublicObject } from '../../core/public-object.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import { slotOf } from '../slots.ts';
import { AddressMode, ResourceType } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { MipmappedArray, type OpaqueArray } from './opaque-array.ts';
import type { ReferenceHome } from './reference-sources.ts';
import {
  checkTextureOptions,
  readResource,
  type LinearTextureOptions,
  type PitchedTextureOptions,
} from './texture-resource.ts';
import { describeSampling, type LevelOptions, type SamplingOptions } from './texture-sampling.ts';

type CUtexref = Opaque<'CUtexref'>;

/** The formats of the whole array are taken: the only value that the driver allows. */
const OVERRIDE_FORMAT = 1;
const offsetSlot = slotOf('size_t');
const { fields: RESOURCE } = structs.CUDA_RESOURCE_DESC;
const { fields: TEXTURE } = structs.CUDA_TEXTURE_DESC;
const ARRAY = structs.CUDA_ARRAY_DESCRIPTOR;

/**
 * A `texture<…>` variable of a source for CUDA 11 or older: kernels read it by its name, and the host binds it to an array or
 * memory. Newer compilers have no texture references; their drivers still have them for modules that CUDA 11 has compiled, and
 * the embedded CPU device compiles them. New sources take a {@link Texture} as an argument.
 *
 * @example
 * ```typescript
 * using module = new SourceModule(`
 *   texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
 *   __global__ void shrink(float *out) {
 *     out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D(image, 2 * threadIdx.x + 1, 2 * threadIdx.y + 1);
 *   }`);
 * using array = toArray(pixels, { width: 16, height: 16, dtype: 'u8' });
 * module.getTextureReference('image').bind(array, { filterMode: 'linear', normalizedReads: true });
 * module.getFunction('shrink')(Out(out), { block: [8, 8] });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXREF__DEPRECATED.html | cuTexRefSetArray}
 */
export class TextureReference extends PublicObject {
  /** The name in the module. */
  readonly name: string;
  readonly #raw: CUtexref;
  readonly #home: ReferenceHome;
  #source: OpaqueArray | MipmappedArray | DeviceMemory | undefined;

  /** @internal */
  constructor(maker: Maker, name: string, raw: CUtexref, home: ReferenceHome) {
    checkMade(maker === MAKER, 'TextureReference', 'write module.getTextureReference(name)');
    super();
    this.name = name;
    this.#raw = raw;
    this.#home = home;
  }

  /** What kernels that are launched now read by it; undefined before the first {@link TextureReference.bind}. */
  get source(): OpaqueArray | MipmappedArray | DeviceMemory | undefined {
    return this.#source;
  }

  /**
   * Let kernels that are launched from now on read an array, linear memory (`dtype`), or memory with a pitch (`dtype`, `width`,
   * `height`, `pitch`). The options are those of a {@link Texture} without `view`; the elements have to fit the variable's type, and
   * `normalizedReads` its `cudaReadModeNormalizedFloat`. What is bound stays alive until the next call, or until the module
   * is unloaded.
   *
   * Host: the embedded device waits for the context's kernels.
   *
   * @throws TypeError no array and no device memory, an unknown option, or two that do not fit each other
   * @throws RangeError a number is out of its range, or the memory is too small or not aligned
   * @throws {@link ClosedError} the module was closed, or the array or the memory was freed
   */
  bind(array: OpaqueArray, options?: SamplingOptions): void;
  bind(array: MipmappedArray, options?: SamplingOptions & LevelOptions): void;
  bind(memory: DeviceMemory, options: LinearTextureOptions | PitchedTextureOptions): void;
  bind(source: OpaqueArray | MipmappedArray | DeviceMemory, options: object = {}): void {
    this.#home.use('bind');
    checkTextureOptions(options);
    if ('view' in options) {
      throw new TypeError('TextureReference.bind: view is for a Texture; a reference reads the whole array');
    }
    const resource = readResource(source, options);
    const sampling = describeSampling(options, resource.dtype, resource.levels);
    setSampling(this.#raw, sampling, source instanceof MipmappedArray);
    setSource(this.#raw, resource.description);
    this.#home.sources.hold(`texture ${this.name}`, resource.owner);
    this.#source = source;
  }

  /** The driver's `CUtexref`, borrowed: good until the module is closed. */
  get handle(): CUtexref {
    this.#home.use('handle');
    return this.#raw;
  }
}

function setSampling(reference: CUtexref, sampling: DataView, mipmapped: boolean): void {
  const modes = [0, 1, 2].map((axis) => sampling.getInt32(TEXTURE.addressMode + 4 * axis, true));
  cu.cuTexRefSetFlags(reference, sampling.getUint32(TEXTURE.flags, true));
  cu.cuTexRefSetFilterMode(reference, sampling.getInt32(TEXTURE.filterMode, true));
  cu.cuTexRefSetMaxAnisotropy(reference, sampling.getUint32(TEXTURE.maxAnisotropy, true));
  modes.forEach((mode, axis) => {
    cu.cuTexRefSetAddressMode(reference, axis, mode);
  });
  // The driver takes a color where there is a border.
  if (modes.includes(AddressMode.BORDER)) {
    cu.cuTexRefSetBorderColor(reference, new Uint8Array(sampling.buffer, TEXTURE.borderColor, 16));
  }
  if (!mipmapped) return;
  const float = (name: 'mipmapLevelBias' | 'minMipmapLevelClamp' | 'maxMipmapLevelClamp'): number =>
    sampling.getFloat32(TEXTURE[name], true);
  cu.cuTexRefSetMipmapFilterMode(reference, sampling.getInt32(TEXTURE.mipmapFilterMode, true));
  cu.cuTexRefSetMipmapLevelBias(reference, float('mipmapLevelBias'));
  cu.cuTexRefSetMipmapLevelClamp(reference, float('minMipmapLevelClamp'), float('maxMipmapLevelClamp'));
}

function setSource(reference: CUtexref, resource: DataView): void {
  const wide = (name: keyof typeof RESOURCE): bigint => resource.getBigUint64(RESOURCE[name], true);
  const handle = wide('res.array.hArray');
  switch (resource.getInt32(RESOURCE.resType, true)) {
    case ResourceType.ARRAY:
      cu.cuTexRefSetArray(reference, handle as Opaque<'CUarray'>, OVERRIDE_FORMAT);
      break;
    case ResourceType.MIPMAPPED_ARRAY:
      cu.cuTexRefSetMipmappedArray(reference, handle as Opaque<'CUmipmappedArray'>, OVERRIDE_FORMAT);
      break;
    case ResourceType.LINEAR: {
      const channels = resource.getUint32(RESOURCE['res.linear.numChannels'], true);
      cu.cuTexRefSetFormat(reference, resource.getInt32(RESOURCE['res.linear.format'], true), channels);
      // Aligned, so that the offset is 0.
      cu.cuTexRefSetAddress(offsetSlot, reference, handle as Opaque<'CUdeviceptr'>, wide('res.linear.sizeInBytes'));
      break;
    }
    default:
      cu.cuTexRefSetAddress2D(
        reference,
        describePitched(resource),
        handle as Opaque<'CUdeviceptr'>,
        wide('res.pitch2D.pitchInBytes'),
      );
  }
}

function describePitched(resource: DataView): DataView {
  const view = new DataView(new ArrayBuffer(ARRAY.size));
  view.setBigUint64(ARRAY.fields.Width, resource.getBigUint64(RESOURCE['res.pitch2D.width'], true), true);
  view.setBigUint64(ARRAY.fields.Height, resource.getBigUint64(RESOURCE['res.pitch2D.height'], true), true);
  view.setInt32(ARRAY.fields.Format, resource.getInt32(RESOURCE['res.pitch2D.format'], true), true);
  view.setUint32(ARRAY.fields.NumChannels, resource.getUint32(RESOURCE['res.pitch2D.numChannels'], true), true);
  return view;
}
