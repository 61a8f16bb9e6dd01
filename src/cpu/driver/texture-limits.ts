import { DeviceAttribute } from '../../cuda/sys/enums.ts';

const WIDE = 131_072;
const HIGH = 65_536;
const LARGE = 32_768;
const DEEP = 16_384;
const LAYERS = 2048;
/** Layers of cubes count faces. */
const FACES = 2046;

type Size = 'WIDTH' | 'HEIGHT' | 'DEPTH' | 'LAYERS' | 'PITCH';
type Sizes = Readonly<Partial<Record<Size, number>>>;

/** The limits of compute capability 9.0: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
const FAMILIES: Readonly<Record<string, Sizes>> = {
  TEXTURE1D: { WIDTH: WIDE },
  TEXTURE1D_LAYERED: { WIDTH: LARGE, LAYERS },
  TEXTURE1D_LINEAR: { WIDTH: 1 << 28 },
  TEXTURE1D_MIPMAPPED: { WIDTH: LARGE },
  TEXTURE2D: { WIDTH: WIDE, HEIGHT: HIGH },
  TEXTURE2D_LAYERED: { WIDTH: LARGE, HEIGHT: LARGE, LAYERS },
  TEXTURE2D_LINEAR: { WIDTH: WIDE, HEIGHT: 65_000, PITCH: 2_097_120 },
  TEXTURE2D_GATHER: { WIDTH: LARGE, HEIGHT: LARGE },
  TEXTURE2D_MIPMAPPED: { WIDTH: LARGE, HEIGHT: LARGE },
  TEXTURE3D: { WIDTH: DEEP, HEIGHT: DEEP, DEPTH: DEEP },
  TEXTURECUBEMAP: { WIDTH: LARGE },
  TEXTURECUBEMAP_LAYERED: { WIDTH: LARGE, LAYERS: FACES },
  SURFACE1D: { WIDTH: LARGE },
  SURFACE1D_LAYERED: { WIDTH: LARGE, LAYERS },
  SURFACE2D: { WIDTH: WIDE, HEIGHT: HIGH },
  SURFACE2D_LAYERED: { WIDTH: LARGE, HEIGHT: LARGE, LAYERS },
  SURFACE3D: { WIDTH: DEEP, HEIGHT: DEEP, DEPTH: DEEP },
  SURFACECUBEMAP: { WIDTH: LARGE },
  SURFACECUBEMAP_LAYERED: { WIDTH: LARGE, LAYERS: FACES },
};

/** Volumes may also have these sizes. */
const ALTERNATE: Sizes = { WIDTH: 8192, HEIGHT: 8192, DEPTH: LARGE };

/** Where memory under a texture begins, and the unit of its pitch. */
export const TEXTURE_ALIGNMENT = 256;
export const TEXTURE_PITCH_ALIGNMENT = 32;

/** The device attributes that tell these limits. */
export const textureAttributes: readonly (readonly [attribute: number, value: number])[] = [
  [DeviceAttribute.TEXTURE_ALIGNMENT, TEXTURE_ALIGNMENT],
  [DeviceAttribute.TEXTURE_PITCH_ALIGNMENT, TEXTURE_PITCH_ALIGNMENT],
  [DeviceAttribute.SURFACE_ALIGNMENT, 512],
  ...Object.entries(FAMILIES).flatMap(([family, sizes]) => told(family, sizes, '')),
  ...told('TEXTURE3D', ALTERNATE, '_ALTERNATE'),
];

function told(family: string, sizes: Sizes, suffix: string): (readonly [attribute: number, value: number])[] {
  return Object.entries(sizes).map(([name, value]) => {
    const attribute = (DeviceAttribute as Readonly<Record<string, number>>)[`MAXIMUM_${family}_${name}${suffix}`];
    if (attribute === undefined) throw new RangeError(`CUDA has no attribute for ${name} of ${family}`);
    return [attribute, value];
  });
}

/** Whether sizes are within a family's limits; a size that the family does not limit may be anything. */
export function fitsLimits(family: string, sizes: Sizes): boolean {
  return fits(sizes, FAMILIES[family] ?? {}) || (family === 'TEXTURE3D' && fits(sizes, ALTERNATE));
}

function fits(sizes: Sizes, limits: Sizes): boolean {
  return Object.entries(limits).every(([name, most]) => (sizes[name as Size] ?? 0) <= most);
}
