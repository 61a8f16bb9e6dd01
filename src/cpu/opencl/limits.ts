/** The limits of the device. */
export const Limits: {
  readonly GROUP: number;
  readonly ITEMS: readonly [number, number, number];
  readonly GROUPS: number;
  /** Bytes of a work-group's local memory. */
  readonly LOCAL: number;
  /** Bytes at which local arguments and sub-buffers begin, and the largest pattern of a fill. */
  readonly ALIGNMENT: number;
  readonly PARAMETERS: number;
  readonly SUB_GROUP: number;
  readonly IMAGE_2D: number;
  readonly IMAGE_3D: number;
  readonly IMAGE_LAYERS: number;
  readonly IMAGE_BUFFER: number;
  readonly IMAGE_ARGUMENTS: number;
  readonly SAMPLERS: number;
} = {
  GROUP: 1024,
  ITEMS: [1024, 1024, 64],
  GROUPS: 0x7fff_ffff,
  LOCAL: 64 * 1024,
  ALIGNMENT: 128,
  PARAMETERS: 4096,
  SUB_GROUP: 32,
  IMAGE_2D: 16_384,
  IMAGE_3D: 2048,
  IMAGE_LAYERS: 2048,
  IMAGE_BUFFER: 1 << 27,
  IMAGE_ARGUMENTS: 128,
  SAMPLERS: 16,
};

/** `OpenCL 3.0` and so on, as OpenCL packs versions. */
export function packVersion(major: number, minor: number, patch = 0): number {
  return ((major << 22) | (minor << 12) | patch) >>> 0;
}
